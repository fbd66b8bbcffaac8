"""Experiments on paper 000, and the inputs, comparisons and policies that they share."""
