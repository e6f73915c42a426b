"""One file a figure, sorted by what it shows."""
