"""The table of experiments, their recorded findings, and the book."""
