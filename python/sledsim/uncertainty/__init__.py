"""Mathematics of studies of uncertain devices: choice of devices to simulate, and conclusions.

The package runs no simulation and knows no device; its arguments and results are numbers.
"""
