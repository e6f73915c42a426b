"""Runs that another code began, continued by Triad: triad import."""
