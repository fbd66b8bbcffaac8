"""What is simulated: devices, volumes, faults, policies, and what there is to choose from."""
