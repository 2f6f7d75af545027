"""A decision of McMulti in the making."""

from mcmulti.domain.core.course.course import Course
from mcmulti.domain.mcmulti.state import State

Play = Course[State]
