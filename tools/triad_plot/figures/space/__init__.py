"""Figures of fields in a plane, on walls and in space."""
