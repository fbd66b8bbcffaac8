"""The mathematics of studies under uncertainty: choice of devices, and conclusions from the answers.

The package runs no simulation and knows no device: it takes and returns points and numbers.
"""
