"""The page report.html: its contents, its checks, its tables."""
