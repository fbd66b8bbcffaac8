"""Explanations of response times: the causes of a response, and changes that would have altered it."""

from .alternatives import KINDS as KINDS, Alternative as Alternative, Impossible as Impossible
from .explaining import explanations as explanations
from .explanation import Explanation as Explanation
from .segments import DUE as DUE, Segment as Segment
from .served_meanwhile import Served as Served
