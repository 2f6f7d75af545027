"""A decision of the postal game in the making."""

from mcmulti.domain.core.course.course import Course
from mcmulti.domain.postal.state import State

Play = Course[State]
