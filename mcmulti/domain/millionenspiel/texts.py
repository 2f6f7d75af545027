"""The game's texts for people."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import permutations
from typing import cast

from mcmulti.domain.core import every_table
from mcmulti.domain.core.event import events_of
from mcmulti.domain.core.figures import Money
from mcmulti.domain.core.offers import NumberChoice, Offer, Range
from mcmulti.domain.core.wording import phrases as common
from mcmulti.domain.core.wording.telling import Language
from mcmulti.domain.core.wording.texts import texts_in
from mcmulti.domain.millionenspiel import table
from mcmulti.domain.millionenspiel.components import (
    COMPONENTS,
    FACES,
    FIELDS,
    GAINS,
    PROPERTIES,
    THOUSAND,
    TRACK,
    Card,
    Colour,
    Fate,
)
from mcmulti.domain.millionenspiel.flow import FLOW
from mcmulti.domain.millionenspiel.phases import ending, pensions, returning, rounds, settling, staking, throwing
from mcmulti.domain.millionenspiel.phases.pensions import Paid, next_card
from mcmulti.domain.millionenspiel.phases.staking import Staked
from mcmulti.domain.millionenspiel.pieces import KINDS, VALUES, Pieces
from mcmulti.domain.millionenspiel.state import Amount, FieldNumber, Millionenspiel, Round, Steps, Throw

EVENTS = events_of(
    *every_table.events_at(FLOW.capabilities),
    table,
    rounds,
    staking,
    pensions,
    throwing,
    settling,
    returning,
    ending,
)


_ROLLERS: Mapping[Fate, str] = {
    "notes_lost": "notes_lost",
    "stake_lost": "stake_lost",
    "rest_lost": "not_staked_lost",
    "thousand_won": "thousand_won",
    "stakes_taken": "stakes_taken",
    "rests_taken": "rests_taken",
}
_OTHERS: Mapping[Fate, str] = {"stakes_taken": "stake_lost", "rests_taken": "not_staked_lost"}
"""The phrase for the effect of a face of the decider on others than the roller; missing if there is none."""


class Phrases(common.Phrases, room=__package__):
    """Phrases of a game in one language."""

    __slots__ = ("_state",)

    SAID = (
        *common.Phrases.SAID,
        (Amount, "number"),
        (Money, "number"),
        (Paid, "number"),
        (Staked, "number"),
        (Round, "number"),
        (Steps, "number"),
        (FieldNumber, "number"),
        (Card, "number"),
        (Pieces, "pieces"),
        (Throw, "throw"),
    )

    def __init__(self, state: Millionenspiel | None, language: Language) -> None:
        super().__init__(state, language)
        self._state = state

    def next_pension(self) -> str:
        """The card that can be bought. Raises `LookupError` if nobody can buy one."""
        if self._state is None:
            raise LookupError("nobody buys a card before the game")
        return self.number(next_card(self._state.players[self._state.waiting[0]].pension))

    def first_throw(self) -> str:
        """The throw that may be declined. Raises `LookupError` if there is none."""
        return self.throw(self._thrown().throws[0])

    def landing(self) -> str:
        """Where the pawn lands if the first throw stands, and what that means. Raises `LookupError` before a throw."""
        state = self._thrown()
        throw = state.throws[0]
        if throw.double:
            return self.phrase("again", ways=self._ways(state.pawn + throw.sum))
        laps, field = divmod(state.pawn + throw.sum, FIELDS)
        named = self.number(field) if field else self.phrase("onto_arrow")
        colour = TRACK[field]
        name = "landing_lap" if laps else "landing"
        return self.phrase(name, field=named, colour=self.word(colour), meaning=self._meaning(colour))

    def replacement(self) -> str:
        """Where the pawn may land if the first throw is declined. Raises `LookupError` before a throw."""
        return self._ways(self._thrown().pawn)

    def _ways(self, pawn: int) -> str:
        """Where a throw can lead the pawn, by color, the most likely first, and what that means (`roll/double`)."""
        sums = Counter(first + second for first, second in permutations(range(1, 7), 2))
        ways, fields = Counter[Colour](), defaultdict[Colour, list[int]](list)
        for steps, number in sorted(sums.items()):
            field = (pawn + steps) % FIELDS
            ways[TRACK[field]] += number
            fields[TRACK[field]].append(field)
        reached = [self._reached(colour, number, fields[colour]) for colour, number in ways.most_common()]
        told = self.phrase("ways", colours=", ".join(reached))
        return self.phrase("ways_lap", ways=told) if pawn + max(sums) >= FIELDS else told

    def _reached(self, colour: Colour, ways: int, fields: Sequence[int]) -> str:
        named = self.listing([self.number(field) if field else self.phrase("arrow") for field in fields])
        return self.phrase("reached", colour=self.word(colour), ways=ways, fields=named, meaning=self._meaning(colour))

    def _thrown(self) -> Millionenspiel:
        if self._state is None:
            raise LookupError("nobody throws before the game")
        return self._state

    def _meaning(self, colour: Colour) -> str:
        """The effect of a field's color on stakes (`settle/colour`)."""
        if colour in GAINS:
            times = GAINS[colour]
            return self.phrase("gain_once") if times == 1 else self.phrase("gain", times=self.number(times))
        return self.phrase({"beige": "stakes_lost", "green": "rest_lost", "black": "decider"}[colour])

    def wins(self, offer: Offer) -> str:
        """What the highest possible stake wins, by color (`settle/colour`)."""
        worth = sum(number * value for value, number in _most(offer))
        return self.listing(
            [
                self.phrase("wins", amount=self.number(worth * times), colour=self.word(colour))
                for colour, times in GAINS.items()
            ]
        )

    def on_black(self) -> str:
        """The effect of the decider on the player who stakes now (`settle/decider`). Raises `LookupError` if nobody
        does.
        """
        if self._state is None:
            raise LookupError("nobody stakes before the game")
        roller = self._state.roller
        own = roller == self._state.waiting[0]
        said = _ROLLERS if own else _OTHERS
        fates = self.listing(
            [
                self.phrase(said[fate], face=face, amount=self.number(THOUSAND))
                for face, fate in enumerate(FACES, start=1)
                if fate in said
            ]
        )
        return self.phrase("own_decider" if own else "other_decider", fates=fates)

    def kinds_of(self, offer: Offer) -> str:
        """The most pieces of each kind that an offer takes, the highest first, without kinds of which it takes none."""
        kinds = [f"{self.number(most)} × {self.number(value)}" for value, most in reversed(_most(offer)) if most]
        return self.listing(kinds) if kinds else "0"

    def pieces(self, pieces: Pieces) -> str:
        """The value of pieces, and which they are, the highest first."""
        kinds = [
            f"{self.number(number)} × {self.number(value)}"
            for number, value in zip(pieces.counts, VALUES, strict=True)
            if number
        ]
        worth = self.number(pieces.worth)
        return self.phrase("pieces", worth=worth, kinds=", ".join(reversed(kinds))) if kinds else "0"

    def throw(self, throw: Throw) -> str:
        """The result of two dice."""
        return self.phrase("throw", first=throw.first.value, second=throw.second.value)


def _most(offer: Offer) -> list[tuple[int, int]]:
    """The value of a piece of each kind, the lowest first, and how many of them an offer takes at most."""
    return [
        (value, cast(Range | NumberChoice, offer.fields[kind]).options[-1])
        for kind, value in KINDS.items()
        if kind in offer.fields
    ]


TEXTS = texts_in(__package__, flow=FLOW, events=EVENTS, phrases=Phrases, components=COMPONENTS, properties=PROPERTIES)
