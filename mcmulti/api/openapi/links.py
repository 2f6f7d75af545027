"""Links: which operation a response leads to, and with which parameters. They connect all operations of a game."""

from typing import Any

_GAME = {"game": "$response.body#/game"}
_THIS_GAME = {"game": "$request.path.game"}
_ON_THIS_HEAD = {"If-Match": "$response.header.ETag"}

_LINKS: dict[str, dict[str, tuple[str, dict[str, str], str]]] = {
    "listRulesets": {
        "ruleset": ("getRuleset", {"ruleset": "$response.body#/rulesets/0/name"}, "The rule set in full."),
    },
    "listGames": {
        "game": ("getGame", {"game": "$response.body#/games/0/game"}, "The newest game."),
        "events": ("listEvents", {"game": "$response.body#/games/0/game"}, "The log of the newest game."),
    },
    "openGame": {
        "join": ("takeSeat", _GAME, "Take a seat at the new table."),
        "game": ("getGame", _GAME, "Show the new game."),
        "events": ("listEvents", _GAME, "Read its log."),
        "rematch": ("openRematch", _GAME, "Play again when it is over."),
    },
    "openRematch": {
        "join": ("takeSeat", _GAME, "Take a seat at the table."),
    },
    "openBranch": {
        "join": ("takeSeat", _GAME, "Take a seat at the table."),
    },
    "getPosition": {
        "branch": ("openBranch", _THIS_GAME, "Play on from here."),
    },
    "takeSeat": {
        "offers": ("listOffers", _GAME, "List your legal commands at this table."),
        "commands": ("sendCommands", _GAME, "Start the game, for example."),
        "game": ("getGame", _GAME, "Show the game."),
    },
    "listOffers": {
        "commands": ("sendCommands", _GAME | _ON_THIS_HEAD, "Send a command that one of the offers admits."),
    },
    "sendCommands": {
        "offers": ("listOffers", _GAME, "List your legal commands."),
        "more": ("sendCommands", _GAME | _ON_THIS_HEAD, "Continue from here."),
        "events": ("listEvents", _GAME | {"after": "$response.body#/seq"}, "Wait for what happens next."),
        "game": ("getGame", _GAME, "Show the game now."),
    },
    "getGame": {
        "moment": (
            "getGame",
            _GAME | {"at": "$response.body#/seq"},
            "The same at an address that never changes.",
        ),
        "offers": ("listOffers", _GAME, "List your legal commands."),
        "events": ("listEvents", _GAME, "Read its log."),
    },
    "listEvents": {
        "events": ("listEvents", _THIS_GAME | {"after": "$response.body#/seq"}, "What happens after this."),
        "moment": ("getGame", _THIS_GAME | {"at": "$response.body#/seq"}, "The game after the last event."),
    },
}


def links(operation: str) -> dict[str, Any]:
    """The links of an operation's successful response."""
    return {
        name: {"operationId": target, "parameters": parameters, "description": text}
        for name, (target, parameters, text) in _LINKS.get(operation, {}).items()
    }
