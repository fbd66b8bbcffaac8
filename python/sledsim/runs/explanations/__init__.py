"""Why a request took as long as it did: what its response is due to, and what would have changed it."""

from .alternatives import KINDS as KINDS, Alternative as Alternative, Impossible as Impossible
from .explaining import explanations as explanations
from .explanation import Explanation as Explanation
from .segments import DUE as DUE, Segment as Segment
from .served_meanwhile import Served as Served
