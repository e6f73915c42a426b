"""Figures over wavenumbers and separations."""
