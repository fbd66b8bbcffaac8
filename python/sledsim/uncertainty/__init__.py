"""Mathematics of uncertain devices: which devices to simulate, and what follows from the results.

The package runs no simulation and knows no device; its arguments and results are numbers.
"""
