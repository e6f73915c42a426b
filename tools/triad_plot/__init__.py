"""Figures and reports of Triad's runs; tools/triad_plot/README.md tells what is where."""
