"""Figures against time."""
