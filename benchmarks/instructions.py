"""How often people must answer in the box game, with and without standing instructions.

The bots' best strategy plays the same seeds twice: first answering every question, then with one instruction for every
seat. The counts follow from the seeds alone.
"""

from collections import Counter
from random import Random
from typing import Any

import msgspec

from mcmulti.bots.strategies.tycoon import tycoon
from mcmulti.domain.core.chance import SeededChance
from mcmulti.domain.mcmulti import RULESET
from mcmulti.domain.mcmulti.commands import Instruct, OperatingOrders
from mcmulti.domain.mcmulti.instructions import INSTRUCTIONS
from mcmulti.domain.mcmulti.setup import Setup
from mcmulti.events.log.codec import command_decoder
from mcmulti.library.steps import set_up, take

DECODED = command_decoder(RULESET.name, RULESET.version)
ORDERS = OperatingOrders(sell_from=15, refine=True, pump=True)


def counted(seats: int, seed: int, orders: OperatingOrders | None) -> Counter[str]:
    """A whole game: requests with commands in one's turns and in others', and the turns played."""
    game_id = f"00000000-0000-4000-8000-{seed:012x}"
    chance = SeededChance(Random(seed).randbytes(32), game_id)
    *_, latest = set_up(RULESET, Setup(seats=seats, instructions=5), game_id, chance)
    state, found = latest.state, Counter[str]()
    if orders is not None:
        for seat in range(seats):
            state = take(RULESET, state, seat, Instruct(orders), chance).state
            found["own"] += 1
    while asked := RULESET.to_move(state):
        seat = asked[0]
        answer = INSTRUCTIONS.answer(RULESET.flow, state)
        commands: list[Any] = [answer]
        if answer is None:
            view, offers = (msgspec.to_builtins(each(state, seat)) for each in (RULESET.view, RULESET.offers))
            commands = [DECODED(msgspec.json.encode(said)) for said in tycoon(view, offers)]
            if INSTRUCTIONS.question(state) is None:
                found["own"] += 1
            else:  # one command per request
                found["others"] += len(commands)
        for command in commands:
            state = take(RULESET, state, seat, command, chance).state
    found["turns"] = RULESET.turn(state)
    return found
