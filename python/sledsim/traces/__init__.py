"""Traces: files, tools, statistics, and workloads drawn at random or fitted to a trace."""
