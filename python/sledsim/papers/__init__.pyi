from .book.items import ITEMS as ITEMS, Item as Item
from .book.names import (
    ALL as ALL,
    claimed as claimed,
    experiment as experiment,
    experiments as experiments,
    shortest as shortest,
    spellings as spellings,
)
from .book.reactions import (
    Reaction as Reaction,
    Reactions as Reactions,
    plain_reactions as plain_reactions,
    react as react,
    runs_of as runs_of,
    shipped_verdicts as shipped_verdicts,
)
from .book.reactions_page import reactions_page as reactions_page
from .book.running import run as run, using_traces as using_traces
from .book.table import EXPERIMENTS as EXPERIMENTS
from .book.verdict_table import verdict_rows as verdict_rows
from .book.writing import (
    check_book as check_book,
    check_robustness as check_robustness,
    write_book as write_book,
    write_perturbed as write_perturbed,
    write_robustness as write_robustness,
)
from .robustness.result import Robustness as Robustness
from .robustness.running import (
    measure_robustness as measure_robustness,
    robustness_work as robustness_work,
    settings_of as settings_of,
)
from .shared.claims import Claim as Claim, claim as claim, statements as statements
from .shared.experiments import (
    PAPERS as PAPERS,
    Chapter as Chapter,
    Experiment as Experiment,
    Result as Result,
)
from .shared.figures import Bound as Bound, Effect as Effect, Figure as Figure, Range as Range
from .shared.findings import (
    Calibrated as Calibrated,
    Finding as Finding,
    OnInput as OnInput,
    Statement as Statement,
    Unpublished as Unpublished,
)
from .shared.hp_disks import check_traces as check_traces
from .shared.perturbations import (
    PERTURBATIONS as PERTURBATIONS,
    Perturbation as Perturbation,
    own_perturbation as own_perturbation,
)
from .shared.records import Record as Record
from .shared.verdicts import Verdict as Verdict
