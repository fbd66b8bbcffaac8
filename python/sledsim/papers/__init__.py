"""The papers, executable: every experiment computes the paper's figures again and says how each claim stands.

A new experiment is one file in the room of its paper, and one row in the table there.
"""

from .book.items import ITEMS, Item
from .book.names import ALL, claimed, experiment, experiments, shortest, spellings
from .book.reactions import Reaction, Reactions, plain_reactions, react, runs_of
from .book.reactions_page import reactions_page
from .book.running import run, using_traces
from .book.table import EXPERIMENTS
from .book.verdict_table import verdict_rows
from .book.writing import check_book, write_book, write_perturbed
from .shared.claims import Claim, claim, statements
from .shared.experiments import PAPERS, Chapter, Experiment, Result
from .shared.figures import Bound, Effect, Figure, Range
from .shared.findings import Calibrated, Elsewhere, Finding, Statement, Unpublished
from .shared.hp_disks import check_traces
from .shared.perturbations import PERTURBATIONS, Perturbation
from .shared.records import Record
from .shared.verdicts import Verdict

__all__ = [
    "ALL",
    "EXPERIMENTS",
    "ITEMS",
    "PAPERS",
    "PERTURBATIONS",
    "Bound",
    "Calibrated",
    "Chapter",
    "Claim",
    "Effect",
    "Elsewhere",
    "Experiment",
    "Figure",
    "Finding",
    "Item",
    "Perturbation",
    "Range",
    "Reaction",
    "Reactions",
    "Record",
    "Result",
    "Statement",
    "Unpublished",
    "Verdict",
    "check_book",
    "check_traces",
    "claim",
    "claimed",
    "experiment",
    "experiments",
    "plain_reactions",
    "react",
    "reactions_page",
    "run",
    "runs_of",
    "shortest",
    "spellings",
    "statements",
    "using_traces",
    "verdict_rows",
    "write_book",
    "write_perturbed",
]
