"""Arithmetic behind figures and checks."""
