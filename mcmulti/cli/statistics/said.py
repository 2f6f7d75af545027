"""Words of the rule set, labels, and numbers as statistics print them."""

from typing import NamedTuple

from mcmulti.domain.core.wording.telling import Language, Words, with_point, word
from mcmulti.projections.labels import STATISTICS


class StatisticsWords(NamedTuple):
    """The words of a rule set and the labels of statistics, in a language."""

    words: Words
    language: Language

    def term(self, name: str) -> str:
        """The rule set's word for a name."""
        return word(self.words, self.language, name)

    def title(self, name: str) -> str:
        """The same, as a title."""
        called = self.term(name)
        return called[:1].upper() + called[1:]

    def text(self, name: str, **values: object) -> str:
        """A label of statistics."""
        return STATISTICS[self.language].said[name].format(**values)

    def number(self, number: float, form: str = ",") -> str:
        """A number, with the separators of the language. `form`: a format specification."""
        return with_point(format(number, form), self.language)
