"""Figures of particles."""
