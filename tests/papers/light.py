"""Experiments that cost little in their quick form: `make test` decides their claims."""

from sledsim import papers

LIGHT = (
    *("000-E-1", "000-E-2", "000-E-10"),
    *("001-E-6", "001-E-8", "001-E-10", "001-E-12", "001-E-14"),
    *("002-E-1", "002-E-2", "002-E-3", "002-E-4", "002-E-5", "002-E-6", "002-E-7"),
    *("003-E-2",),
    *("004-E-1", "004-E-2", "004-E-3", "004-E-4", "004-E-6", "004-E-8"),
)
LIGHT_CLAIMS = tuple(claim for row in papers.EXPERIMENTS if row.id in LIGHT for claim in row.claims)
