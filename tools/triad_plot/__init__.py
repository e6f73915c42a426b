"""Figures and reports of Triad's runs; tools/triad_plot/README.md tells what is where."""
import os

FOLDER = os.path.dirname(os.path.realpath(__file__))   # tools/triad_plot in the source tree, share/triad/triad_plot when installed
