"""A picture of a game without a board, in which seats take turns: everybody's holdings."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from mcmulti.domain.core.ruleset import Books
from mcmulti.domain.core.shown import picture as core
from mcmulti.domain.core.shown.picture import Picture, Said, Unit
from mcmulti.domain.core.wording.telling import Language, Words, word


def drawing(words: Words, books: Books[Any]) -> Callable[[Any, Language], Picture]:
    """Draws the table of a game with these words, with the units that its books are checked against."""

    def picture(state: Any, language: Language) -> Picture:
        said = partial(word, words, language)
        has = {holding.seat: holding.amounts for holding in books.gauges(state).holdings}
        units = tuple(next(iter(has.values()), {books.money: 0}))
        return Picture(
            language=language,
            title=_title(state, said),
            subtitle=core.called(state, said, state.at_turn) if state.status == "running" else "",
            units=tuple(Unit(said(unit), f"{{}} {said(unit)}") for unit in units),
            seats=tuple(_seat(state, has, units, seat, name) for seat, name in enumerate(core.seated(state, said))),
            result=core.result(state, said, state.winners),
        )

    return picture


def _title(state: Any, said: Said) -> str:
    if state.phase == "over":
        return said("game_over")
    title = f"{said('turn')} {state.turn}" if state.turn else said(state.phase)
    return title[:1].upper() + title[1:]


def _seat(
    state: Any, has: Mapping[int, Mapping[str, int]], units: tuple[str, ...], seat: int, name: str | None
) -> core.Seat:
    amounts = tuple(has[seat][unit] if has else 0 for unit in units)
    return core.Seat(seat, name, amounts, waited_for=seat in state.to_move, rank=_rank(state, has, units[0], seat))


def _rank(state: Any, has: Mapping[int, Mapping[str, int]], money: str, seat: int) -> int | None:
    """The rank: the winners first, the others by their holdings; None before the end."""
    if not state.winners:
        return None
    key = {each: (each in state.winners, has[each][money]) for each in has}
    return 1 + sum(key[other] > key[seat] for other in key)
