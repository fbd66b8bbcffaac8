"""Servers that give simulated devices to real programs, and figures of their timing accuracy."""
