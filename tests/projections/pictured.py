"""Golden games as pictures."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mcmulti.domain.core.shown.picture import Picture
from mcmulti.domain.core.wording.telling import LANGUAGES
from mcmulti.events.log.codec import event_decoder, opened_with
from tests.golden.games import load


def glances(file: Path, every: int) -> Iterator[tuple[Picture, Any]]:
    """The picture and the state after every `every` events and at the end, in alternating languages."""
    events = load(file)
    ruleset = opened_with(events[0])
    assert ruleset.picture is not None
    decode = event_decoder(ruleset.name, ruleset.version)
    state = None
    for event in events:
        state = ruleset.evolve(state, decode(event.data))
        if event.seq % every == 1 or event.seq == len(events):
            yield ruleset.picture(state, LANGUAGES[event.seq % 2]), state
