"""The documentation as a web site that needs no network: `make site`."""
