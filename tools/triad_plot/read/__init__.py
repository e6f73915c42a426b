"""Readers, one for each kind of file that Triad writes."""
