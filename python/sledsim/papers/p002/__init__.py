"""Experiments on paper 002, and the rules of directions and readings that they share."""
