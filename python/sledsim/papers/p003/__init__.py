"""Experiments on paper 003, and the systems, inputs and charts that they share."""
