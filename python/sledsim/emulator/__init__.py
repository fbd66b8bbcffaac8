"""Simulated devices under real programs, and how true their timing was."""
