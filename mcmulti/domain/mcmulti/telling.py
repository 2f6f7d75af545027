"""What happened, in sentences."""

from typing import Any

from mcmulti.domain.mcmulti.state import State
from mcmulti.domain.telling import Language, Words

WORDS: Words = {"en": {}, "de": {}}


def tell(before: State | None, event: Any, language: Language) -> str:
    """What happened, in a sentence."""
    return type(event).__name__
