"""Runs: simulating, comparing, curves over load with their statistics, bounds, validation, designs."""
