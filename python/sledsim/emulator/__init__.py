"""Simulated devices that serve real programs, and the accuracy of their timing."""
