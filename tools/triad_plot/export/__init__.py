"""Runs in layouts that other tools read: triad export."""
