"""Commands of ``sledsim paper``, registered like those of any plug-in package."""
