"""Figures of timings."""
