"""The commands of ``sledsim paper``, registered in the way in which plug-in packages register commands."""
