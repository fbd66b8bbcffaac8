"""The experiments that cost little in their quick form: `make test` decides their claims."""

from sledsim import papers

LIGHT = ("001-E-8", "001-E-10", "002-E-6", "002-E-7", "000-E-2")
LIGHT_CLAIMS = tuple(claim for row in papers.EXPERIMENTS if row.id in LIGHT for claim in row.claims)
