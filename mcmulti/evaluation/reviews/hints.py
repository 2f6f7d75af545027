"""Hints in a process of its own: ``python -m mcmulti.evaluation.reviews.hints``, started by a server.

The first line of standard input is its task, and its only line of output is the result as JSON. The task has a position
without anything that is sealed, and no seed: what the seat cannot know is drawn again.
"""

import os
import sys

import msgspec

from mcmulti.evaluation.evaluate import compare
from mcmulti.evaluation.reviews.moments import line_of
from mcmulti.evaluation.reviews.worker import bounded
from mcmulti.library.positions import open_position
from mcmulti.projections.reviews import HintedMove, HintTask, placeholder

COMPARED = 8
"""How many moves are compared."""
TOLD = 3
"""How many of them are returned."""
STARTING = 30
"""Seconds of processor time that the kernel lets it use, in addition to twice those of the job."""


def main() -> None:
    """Compute a hint."""
    task = msgspec.json.decode(sys.stdin.buffer.readline(), type=HintTask)
    bounded(STARTING + 2 * task.seconds)
    sys.stdout.buffer.write(msgspec.json.encode(hints(task)) + b"\n")
    sys.stdout.buffer.flush()
    os._exit(0)  # the thread holds standard input, which an orderly end would wait for


def hints(task: HintTask) -> tuple[HintedMove, ...]:
    """The best moves of a seat, the best first. Empty for a position that cannot be played on from."""
    names = [placeholder(seat) for seat in range(task.position["setup"]["seats"])]
    try:
        state = open_position(task.position, names=names)
        found = compare(state, task.player, most=COMPARED, rollouts=None, seconds=task.seconds)
    except ValueError:
        return ()
    return tuple(
        HintedMove(line_of(state, each.action, task.player, task.language), each.chance, each.loss)
        for each in found[:TOLD]
    )


if __name__ == "__main__":
    main()
