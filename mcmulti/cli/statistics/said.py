"""How statistics say the words of the rule set, their labels, and numbers."""

from typing import NamedTuple

from mcmulti.domain.core.wording.telling import Language, Words, with_point, word
from mcmulti.projections.labels import STATISTICS


class StatisticsWords(NamedTuple):
    """The words of a rule set, and those of statistics, in a language."""

    words: Words
    language: Language

    def term(self, name: str) -> str:
        """What the rule set calls something."""
        return word(self.words, self.language, name)

    def title(self, name: str) -> str:
        """The same as a title."""
        called = self.term(name)
        return called[:1].upper() + called[1:]

    def text(self, name: str, **values: object) -> str:
        """What statistics say."""
        return STATISTICS[self.language].said[name].format(**values)

    def number(self, number: float, form: str = ",") -> str:
        """A number, with the separators of the language. `form`: as in a format string."""
        return with_point(format(number, form), self.language)
