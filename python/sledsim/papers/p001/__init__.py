"""Experiments on paper 001, and the layouts and the reference disk that they share."""
