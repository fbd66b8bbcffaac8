"""Explanations of response times: causes of a response time, and response times after a change."""

from .alternatives import KINDS as KINDS, Alternative as Alternative, Impossible as Impossible
from .explaining import explanations as explanations
from .explanation import Explanation as Explanation
from .segments import DUE as DUE, Segment as Segment
from .served_meanwhile import Served as Served
