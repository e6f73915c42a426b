"""Sound in the far field of a surface: triad far-field."""
