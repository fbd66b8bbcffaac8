"""Simulated devices, volumes, faults and policies, and lists of the built-in and installed ones."""
