"""What bots are asked to play, and how: choices that ``demo`` and ``bot`` share."""

import click

STRATEGIES = {"mcmulti": ("random", "tycoon"), "postal": ("random", "postal-tycoon")}
"""By rule set; the last is the default."""
RULESET = click.Choice(list(STRATEGIES))
STRATEGY = click.Choice(sorted({name for names in STRATEGIES.values() for name in names}))
TARGET = click.Choice(["750", "1000"])


def strategies_for(ruleset: str, listed: str | None, players: int | None) -> tuple[str, ...]:
    """A strategy for each seat."""
    known = STRATEGIES[ruleset]
    names = tuple((listed or known[-1]).split(","))
    for name in names:
        if name not in known:
            raise click.BadParameter(f"{name!r} is not {' or '.join(known)}.", param_hint="--strategy")
    wanted = 4 if ruleset == "postal" else players
    if len(names) == 1:
        return names * (wanted or 4)
    if len(names) != (wanted or min(len(names), 4)):
        raise click.BadParameter(f"{len(names)} strategies for {wanted or 4} players.", param_hint="--strategy")
    return names


def check_setup(ruleset: str, players: int | None, target: str | None) -> None:
    """Refuse what the rule set leaves no choice of."""
    if ruleset == "postal" and players not in (None, 4):
        raise click.BadParameter("McMulti by post is always for four.", param_hint="--players")
    if ruleset == "postal" and target is not None:
        raise click.BadParameter("McMulti by post is always played to 1000.", param_hint="--target")


def setup_of(ruleset: str, players: int, target: str | None) -> dict[str, int]:
    """What a game is opened with."""
    return {} if ruleset == "postal" else {"seats": players, "target": int(target or 750)}
