"""Who played a game, and the result of each."""

from itertools import groupby
from pathlib import Path
from uuid import UUID

import pytest
from msgspec import json

from mcmulti.domain.core.table import HOUSE
from mcmulti.events.log.codec import event_decoder, fold, opened_with
from mcmulti.events.log.envelope import Recorded
from mcmulti.events.memory.log import MemoryLog
from mcmulti.events.ports.game_index import TenureRow
from mcmulti.events.store.standing import retraced, row_of, rows, tenures
from tests.golden.games import FILES, load


def _game(name: str) -> list[Recorded]:
    return load(next(file for file in FILES if file.stem == name))


def _told(name: str) -> list[tuple[int, bool, str | None, int, int]]:
    """For each player of a golden game: number in order, whether a substitute, result, resigned, vacated."""
    events = _game(name)
    found = tenures(opened_with(events[0]), events)
    return [
        (number, each.substitute, each.result, each.resigned, each.vacated)
        for number, each in enumerate(sorted(found, key=lambda each: (each.began_at, each.player_id)))
    ]


def test_who_resigned_has_left_and_its_substitute_has_what_the_seat_came_to() -> None:
    events = _game("millionenspiel-substitute")
    found = tenures(opened_with(events[0]), events)
    resigned = sum(event.type == "SeatVacated" for event in events)
    assert [(each.result, each.resigned) for each in found if each.resigned] == [("left", 1)] * resigned
    assert [each.substitute for each in found] == [False] * 3 + [True] * (len(found) - 3)
    assert [each.result for each in found].count("won") == 1


def test_who_remains_last_has_won() -> None:
    """Two of three players resign, and their assets are sold."""
    resigned = {json.decode(event.data)["seat"] for event in _game("sold") if event.type == "SeatVacated"}
    assert len(resigned) == 2
    assert [each[2] for each in _told("sold")] == ["left" if seat in resigned else "won" for seat in range(3)]


def test_a_game_that_was_called_off_is_nobodys_not_even_of_those_who_had_left() -> None:
    told = _told("called-off")
    assert {each[2] for each in told} == {"off"}
    assert any(resigned for _, _, _, resigned, _ in told)


def test_house_bots_are_nobody_and_who_comes_back_plays_on_as_a_substitute() -> None:
    """A player for whom a house bot took over has still resigned."""
    events = _game("marracash-house")
    found = tenures(opened_with(events[0]), events)
    ids = {each.player_id for each in found}
    said = [json.decode(event.data) for event in events]
    back = {UUID(each["player"]) for each in said if each["type"] == "SubstituteSatDown"} - set(map(UUID, HOUSE))
    resigned = sum(each["type"] == "SeatVacated" and each["why"] == "resigned" for each in said)
    assert back
    assert {each.player_id for each in found if each.substitute} == back
    assert ids.isdisjoint(map(UUID, HOUSE))
    assert sum(each.resigned for each in found) == resigned >= len(back)
    assert all(set(each.against) == ids - {each.player_id} for each in found)


def test_winners_share() -> None:
    assert [each[2] for each in _told("marracash-shared-victory")] == ["lost", "shared", "lost", "shared"]


def test_deadlines_that_were_let_pass_are_counted_by_clock_and_by_post() -> None:
    """By the clock: as often as the log counts one more missed turn. By post: the number of missing sheets."""
    for name, counted in (("marracash-clock", [3, 2, 1]), ("by-post-deadline", [2, 5, 7, 7])):
        events = _game(name)
        assert [each.missed for each in tenures(opened_with(events[0]), events)] == counted


def test_who_played_against_whom_is_all_others_who_had_played_by_then() -> None:
    events = _game("millionenspiel-substitute")
    found = tenures(opened_with(events[0]), events)
    everybody = {each.player_id for each in found}
    for each in found:
        assert set(each.against) == everybody - {each.player_id}
    begun = next(number for number, event in enumerate(events) if event.type == "SubstituteSatDown")
    early = tenures(opened_with(events[0]), events[:begun])
    assert {len(each.against) for each in early} == {2}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
async def test_appended_command_by_command_it_is_what_all_events_say(file: Path) -> None:
    log, events = MemoryLog(), load(file)
    ruleset, game_id = opened_with(events[0]), events[0].game_id
    await log.create(game_id, ruleset.name, 1, retraced(ruleset, events[:1]), bytes(32), events[:1])
    state, decode = fold(ruleset, events[:1]), event_decoder(ruleset.name, ruleset.version)
    terms = ruleset.terms(ruleset.setup_of(state))
    for _, grouped in groupby(events[1:], key=lambda event: event.command_id):
        some = list(grouped)
        after = fold(ruleset, some, state)
        happened = [decode(event.data) for event in some]
        changed = terms.react(terms.standing(state), terms.standing(after), happened).tenures
        told = rows(ruleset.name, changed, some)
        assert len({each.player_id for each in told}) == len(told)
        head = (await log.game(game_id)).head
        ended_by = some[-1].rule if ruleset.status(after) == "finished" else None
        await log.append(game_id, head, some, row_of(ruleset, after, ended_by, None), tenures=told)
        state = after
    assert set(await log.tenures_at(game_id)) == set(tenures(ruleset, events))


def test_who_comes_back_plays_as_a_substitute_and_has_left_all_the_same() -> None:
    ann, bob = UUID(int=1), UUID(int=2)
    played = TenureRow(ann, "mcmulti", (bob,), _game("sold")[0].recorded_at)
    left = played.then(TenureRow(ann, "mcmulti", (bob,), result="left", resigned=1))
    back = left.then(TenureRow(ann, "mcmulti", (bob,), substitute=True))
    assert (back.result, back.substitute, back.resigned, back.began_at) == (None, True, 1, played.began_at)
