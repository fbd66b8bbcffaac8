"""Simulated devices, volumes, faults and policies, with the lists of available ones."""
