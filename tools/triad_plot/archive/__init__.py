"""triad archive and triad diff: what a run was, for others; how two runs differ."""
