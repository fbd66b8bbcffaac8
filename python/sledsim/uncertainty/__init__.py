"""The mathematics of studies under uncertainty: which devices to look at, and what the answers tell.

Nothing here runs a simulation or knows a device: points and numbers come in, points and numbers go out.
"""
