"""Record the golden games: one for each number of players and each way a game can end, of every rule set.

Run as ``python -m tests.golden.record``. Existing files are kept: a recorded game is never recorded again, and every
later build must fold and prove it as it is. A game that has no ``golden.py`` next to its tests gets what
`games_of_any` lists.
"""

from itertools import islice
from pathlib import Path
from uuid import UUID

import msgspec

from mcmulti.domain.rulesets import CURRENT
from mcmulti.events.log.item import item
from tests.games import record
from tests.golden.sources import Games, games_of_any
from tests.profiles import own_module

FOLDER = Path(__file__).parent
MOST = 5000
"""Random games to look at until one is wanted."""


def golden_games(name: str) -> Games:
    """The golden games of a rule set, and where they come from."""
    own = own_module(name, "golden")
    return games_of_any(name) if own is None else own.GAMES


def main() -> None:
    """Record what is not recorded yet."""
    for ruleset in CURRENT:
        for name, (games, wanted) in golden_games(ruleset).items():
            file = FOLDER / f"{name}.jsonl"
            if file.exists():
                continue
            steps = next((steps for steps in islice(games(), MOST) if wanted(steps)), None)
            if steps is None:
                raise SystemExit(f"None of {MOST} games is fit for {file.name}.")
            events = record(UUID(steps[0].state.game_id), steps)
            file.write_bytes(b"".join(msgspec.json.encode(item(event)) + b"\n" for event in events))
            print(f"{file.name}: {len(events)} events")


if __name__ == "__main__":
    main()
