"""Experiments on paper 004, and the captures, designs and charts that they share."""
