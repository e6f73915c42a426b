"""Figures of sound: levels, directivity and spectra."""
