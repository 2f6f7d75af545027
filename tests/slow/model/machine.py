"""The machine: it generates actions of players and faults of servers, and compares everything visible after every step.

It draws small numbers, from which `random.Random` makes the rest, so that the same example does the same.
"""

from collections.abc import Callable, Collection
from contextlib import AbstractContextManager, ExitStack
from hashlib import sha256
from random import Random
from typing import Any, NamedTuple
from uuid import UUID

import msgspec
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule
from msgspec import Struct

from mcmulti.api.streams.items import NDJSON
from mcmulti.domain.core.capabilities.leaving import Resign
from mcmulti.domain.core.capabilities.rounds import orders_of
from mcmulti.domain.core.capabilities.undo import COMMANDS as TAKING_BACK
from mcmulti.domain.core.capabilities.votes import AnswerEnd, ProposeEnd
from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.domain.rulesets import CURRENT, DEFAULT, PLAYED_BY_ORDERS, SHIPPED
from mcmulti.events.log.codec import fold, opened_with
from mcmulti.events.log.envelope import Head
from mcmulti.events.log.positions import Position
from mcmulti.events.log.snapshot import SPACING
from mcmulti.events.ports.accounts import Player, Scope, Token, first_token
from mcmulti.events.ports.log import Log
from mcmulti.events.store.standing import retraced
from mcmulti.simulation import any_offer, fill_in
from tests.golden.games import FILES, files_of, load
from tests.profiles import profile_of
from tests.pure.postal.sheets import fill
from tests.pure.properties.random_games import seats_of
from tests.scripted_clock import HOUR, NOON
from tests.slow.model.asked import Answer, Caller, Json, Request, asks, plain
from tests.slow.model.model import UNKNOWN, Model, Sent, at_once, hash_of
from tests.slow.model.servers import NUMBER, Owned, Processes, Servers

CALLERS = 5
MOST = 5
"""Games that are played at a time."""
UNTIMED = [file for file in FILES if not file.stem.endswith("clock")]
"""Recorded games in which no clock ran out long ago, which would make a server move."""
UNHURRIED = [file for file in UNTIMED if not any(file in files_of(name) for name in PLAYED_BY_ORDERS)]
"""Those that no server moves in by itself, even by the machine's clock: no round of them is overdue."""
LEAVING = (Resign.__name__,)
ENDING = (ProposeEnd.__name__, AnswerEnd.__name__)
UNDOING = tuple(command.__name__ for command in TAKING_BACK)
LEAN = 20
"""How many times more often the rules of a leaning machine run: then they are about half of all steps."""
KEYS = 4
"""Idempotency keys of a player, few enough to be reused."""
SETUPS: tuple[tuple[str, Json], ...] = tuple(
    (name, dict(setup)) for name in SHIPPED for setup in profile_of(name).tables
)
"""Two of them cannot be opened."""
WITH_UNDO: tuple[tuple[str, Json], ...] = tuple(
    (name, {"seats": seats_of(name)[0], "undo": "own" if name == DEFAULT else "agreed"})
    for name in SHIPPED
    if "undo" in profile_of(name).options
)
SCOPES: tuple[tuple[Scope, ...], ...] = (("read",), ("play",), ("read", "play"), ("read", "play", "account"))

Start = Callable[[], AbstractContextManager[Servers]]
seeds = st.integers(0, 2**16)
which = st.integers(0, NUMBER - 1)
numbers = st.integers(0, 99)


class Named(NamedTuple):
    """An ``If-Match``: its text, None for no such header, and the positions it names, None for any."""

    text: str | None = None
    heads: tuple[Head, ...] | None = None

    @property
    def headers(self) -> tuple[tuple[str, str], ...]:
        """The header, if there is one."""
        return () if self.text is None else (("If-Match", self.text),)


class Differs(AssertionError):
    """A server and the model differ."""


class ServerMachine(RuleBasedStateMachine):
    """Players of several games at two servers."""

    def __init__(self, start: Start) -> None:
        super().__init__()
        self._all = ExitStack()
        self.servers = self._all.enter_context(start())
        self.owned = Owned(self.servers.database)
        self._all.callback(self.owned.close)
        self.model = Model(self.owned, self.servers.clock)
        self.callers: dict[UUID, Caller] = {}
        self.erased: list[Caller] = []
        self.tokens: dict[UUID, Caller] = {}
        self.games: list[UUID] = []
        self.sent: list[tuple[Request, Sent]] = []
        self._turn = 0
        self._differs = False

    def teardown(self) -> None:
        """Check once more that everything is the same, also after a restart."""
        try:
            if not self._differs:
                self.servers.restart(0, killed=False)
                for game in self.games:
                    self._look(game, whole=True)
        finally:
            self._all.close()

    # Players

    @initialize(chosen=st.sampled_from(SETUPS), number=numbers, seed=seeds)
    def players_register_and_sit_down(self, chosen: tuple[str, Json], number: int, seed: int) -> None:
        """Three games that have begun, one of them by post and one with undo, and one that goes on."""
        for player in range(CALLERS):
            self._registers(f"Player {player}")
        self._same("a name", self._registered("player  0 "), Answer(409, {"code": "name_taken"}))
        for setup in (chosen, ("postal", {"round_hours": 1}), WITH_UNDO[number % len(WITH_UNDO)]):
            self.opens(chosen=setup, who=number, keyed=False, key=0, server=0)
        for game in range(len(self.games)):
            self.all_sit_down_and_start(number=game, server=0)
        self.a_recorded_game_goes_on(number=number, seed=seed)

    def _registers(self, name: str) -> None:
        """A player registers under a new name."""
        answer = self._registered(name)
        assert answer.status == 201, answer
        caller = Caller(Player(UUID(answer.said["player"]), answer.said["name"]), answer.said["token"])
        about = self.servers.ask(Request("GET", "/v1/players/me", caller), self._some_server()).said["token"]
        first = first_token(NOON)._replace(token_id=UUID(about["id"]))
        at_once(self.model.log.add_player(caller.player, first, hash_of(caller)))
        self._comes(caller, first)

    def _comes(self, caller: Caller, token: Token) -> None:
        self.callers[caller.player.player_id] = self.tokens[token.token_id] = caller

    def _registered(self, name: str) -> Answer:
        return self.servers.ask(Request("POST", "/v1/players", body=_json({"name": name})), self._some_server())

    # Games

    @precondition(lambda self: len(self.games) < MOST)
    @rule(chosen=st.sampled_from(SETUPS), who=numbers, keyed=st.booleans(), key=st.integers(0, 1), server=which)
    def opens(self, chosen: tuple[str, Json], who: int, keyed: bool, key: int, server: int) -> None:
        """The same key may come again, with the same setup or with another one."""
        (name, setup), caller = chosen, self._caller(who)
        ruleset, under = CURRENT[name], f"open-{key}" if keyed else None
        body = _json({"ruleset": name, "setup": setup})
        headers = () if under is None else (("Idempotency-Key", under),)
        request = Request("POST", "/v1/games", caller, body, headers=headers)
        answer = self.servers.ask(request, server)
        opened = UUID(answer.said["game"]) if answer.status == 201 else None
        self._same(
            request, answer, self.model.open(caller, ruleset, msgspec.convert(setup, ruleset.setup), under, opened)
        )
        if opened is not None and opened not in self.games:
            self.games.append(opened)
            self._look(opened)

    @precondition(lambda self: len(self.games) < MOST)
    @rule(number=numbers, seed=seeds)
    def a_recorded_game_goes_on(self, number: int, seed: int) -> None:
        """A golden game, cut off before its end, often so that a snapshot is due or the end is near."""
        random, recorded = Random(seed), UNTIMED if self.servers.clock else UNHURRIED
        events = load(recorded[number % len(recorded)])
        game, ruleset = events[0].game_id, opened_with(events[0])
        if game in self.games:
            return
        secret = bytes.fromhex(msgspec.json.decode(events[-1].data)["seed"])
        wanted = random.choice((random.randrange(len(events)), SPACING - 2, len(events) - random.randrange(2, 20)))
        begun = [each.seq - 1 for each in events if each.command is not None and 1 < each.seq <= max(wanted, 20)]
        events = events[: begun[-1]]
        state = fold(ruleset, events)
        known = {*self.callers, *(caller.player.player_id for caller in self.erased)}
        # Players who left count: nobody is in a game before registering.
        new = [player for player in map(UUID, state.everybody) if player not in known]
        coming = [
            (Caller(Player(player, f"Recorded {player.int % 1000}"), f"mcm_{player.hex}"), first_token(NOON))
            for player in new
        ]
        for caller, first in coming:
            self._comes(caller, first)

        async def put(log: Log) -> None:
            for caller, first in coming:
                await log.add_player(caller.player, first, hash_of(caller))
            await log.create(game, ruleset.name, ruleset.version, retraced(ruleset, events), secret, events)

        self.owned.carry_out(put)
        at_once(put(self.model.log))
        self.games.append(game)
        self._look(game)

    @rule(number=numbers, who=numbers, seat=st.none() | st.integers(0, 4), seed=seeds, server=which)
    def sits_down(self, number: int, who: int, seat: int | None, seed: int, server: int) -> None:
        game, random = self._game(number), Random(seed)
        body = {"seat": seat, "entropy": random.choice(("", f"luck-{seed}"))}
        self._send(
            game, self._caller(who), "seats", body, self._some_match(game, random), self._some_key(random), server
        )

    @rule(number=numbers, server=which)
    def all_sit_down_and_start(self, number: int, server: int) -> None:
        game = self._game(number)
        now = self.model.position(game)
        if now.ruleset.status(now.state) != "open":
            return
        free = [caller for id_, caller in self.callers.items() if now.seat_of(id_) is None]
        for caller in free[: now.ruleset.players(now.state).count(None)]:
            self._send(game, caller, "seats", {}, server=server)
        now = self.model.position(game)
        first = self.callers[UUID(next(player for player in now.ruleset.players(now.state) if player))]
        starting = {"type": "StartGame"}
        self._send(game, first, "commands", {"commands": [starting]}, server=server)

    @rule(number=numbers, seed=seeds, server=which)
    def moves(self, number: int, seed: int, server: int) -> None:
        """A player does what is offered: one thing, or several at once, of which a later one may be illegal."""
        game, random = self._game(number), Random(seed)
        found = self._some_moves(game, random, random.choice((1, 1, 1, 2, 3)))
        if found is not None:
            caller, commands = found
            match, key = self._some_match(game, random), self._some_key(random)
            self._send(game, caller, "commands", {"commands": commands}, match, key, server, random.random() < 0.1)

    @rule(number=numbers, seed=seeds, steps=st.integers(2, 12))
    def plays_on(self, number: int, seed: int, steps: int) -> None:
        """Several moves, at one server or the other, before anybody looks."""
        game, random = self._game(number), Random(seed)
        for _ in range(steps):
            found = self._some_moves(game, random, 1)
            if found is None:
                break
            self._send(game, found[0], "commands", {"commands": found[1]}, look=False)
        self._look(game)

    @rule(number=numbers, who=numbers, seed=seeds, server=which)
    def resigns(self, number: int, who: int, seed: int, server: int) -> None:
        """A player leaves a running game, and then a player tries to take the seat."""
        game, random = self._game(number), Random(seed)
        found = self._besides(game, random, LEAVING)
        if found is None:
            return
        match, key = self._some_match(game, random), self._some_key(random)
        self._send(game, found[0], "commands", {"commands": found[1]}, match, key, server, random.random() < 0.1)
        if random.random() < 0.7:
            self._send(game, self._caller(who), "seats", {}, key=self._some_key(random))

    @rule(number=numbers, seed=seeds, steps=st.integers(1, 4))
    def votes_on_an_end(self, number: int, seed: int, steps: int) -> None:
        """A player proposes to end the game, and others answer. Nobody learns who said what."""
        game, random = self._game(number), Random(seed)
        for _ in range(steps):
            found = self._besides(game, random, ENDING)
            if found is None:
                return
            self._send(game, found[0], "commands", {"commands": found[1]}, self._some_match(game, random))
        if (now := self.model.position(game)).ruleset.status(now.state) == "running":
            self._sees_no_votes(game, max(0, now.head.seq - 20))

    @rule(number=numbers, seed=seeds, steps=st.integers(1, 4))
    def takes_back(self, number: int, seed: int, steps: int) -> None:
        """Moves are taken back, or requested back, and others make moves that they may not know of.

        Then everything is repeated.
        """
        random = Random(seed)
        agreed = [game for game in self.games if getattr(self.model.position(game).state.setup, "undo", "no") != "no"]
        if not agreed:
            return
        game = agreed[number % len(agreed)]
        for step in range(steps):
            for undoing in (False, True):
                found = self._besides(game, random, UNDOING) if undoing else self._some_moves(game, random, 1)
                if found is not None:
                    match, key = self._some_match(game, random), f"{undoing}-{seed}-{step}"
                    self._send(game, found[0], "commands", {"commands": found[1]}, match, key)
        for request, sent in self.sent[-2 * steps :]:
            self._compare(request, sent, self._some_server(), look=False)

    def _sees_no_votes(self, game: UUID, after: int) -> None:
        for caller in (None, *self.callers.values()):
            request = asks(game, "/events", caller, after=after)
            for event in self.servers.ask(request, self._some_server()).said["events"]:
                if event["type"] == "VoteCast" and ("data" in event or "command" in event):
                    self._fail(f"{request} is told how somebody voted: {event}")

    @precondition(lambda self: len(self.tokens) < 20)
    @rule(who=numbers, number=numbers, scopes=st.sampled_from(SCOPES), server=which)
    def makes_a_token(self, who: int, number: int, scopes: tuple[Scope, ...], server: int) -> None:
        """Any token that can create tokens creates some, and none that allows more than itself."""
        owner, name = self._caller(who), f"token {len(self.tokens)}"
        makers = [token for token in self.model.tokens(owner) if "account" in token.scopes]
        maker = makers[number % len(makers)]
        caller = self.tokens[maker.token_id]
        body = _json({"name": name, "scopes": scopes})
        request = Request("POST", "/v1/players/me/tokens", caller, body)
        answer = self.servers.ask(request, server)
        if not set(scopes) <= set(maker.scopes):
            self._same(request, answer, Answer(403, {"code": "exceeds_token"}))
            return
        about = answer.said["about"]
        made = Token(UUID(about["id"]), name, scopes, NOON, parent_id=maker.token_id)
        self._same(request, answer._replace(said=_told(about)), Answer(201, _told(_plain_token(made))))
        self.tokens[made.token_id] = Caller(caller.player, answer.said["token"])
        self.model.make_token(self.tokens[made.token_id], made)
        self._lists_tokens(caller)

    @rule(who=numbers, number=numbers, server=which)
    def revokes_a_token(self, who: int, number: int, server: int) -> None:
        """From then on it is invalid on all servers, and so are those it created.

        The last one that creates tokens stays.
        """
        owner = self._caller(who)
        tokens = self.model.tokens(owner)
        makers = [token for token in tokens if "account" in token.scopes]
        token, caller = tokens[number % len(tokens)], self.tokens[makers[number % len(makers)].token_id]
        request = Request("DELETE", f"/v1/players/me/tokens/{token.token_id}", caller)
        answer, expected = self.servers.ask(request, server), self.model.revoke(caller, token)
        self._same(request, answer._replace(said=_told(answer.said)) if answer.status == 200 else answer, expected)
        for gone in {one.token_id for one in tokens} - {one.token_id for one in self.model.tokens(owner)}:
            revoked = self.tokens[gone]
            self.servers.hear_that_nobody_holds(revoked)
            for each in range(NUMBER):
                asked = Request("GET", "/v1/players/me", revoked)
                self._same(asked, self.servers.ask(asked, each), UNKNOWN)
        self._lists_tokens(owner)

    @rule(number=numbers, game=numbers, seed=seeds, server=which)
    def uses_a_token(self, number: int, game: int, seed: int, server: int) -> None:
        """Any token that ever existed, to read and to play."""
        random, wanted = Random(seed), self._game(game)
        caller = [*self.tokens.values()][number % len(self.tokens)]
        kept_out = self.model.kept_out(caller, "read")
        self._seen(asks(wanted, "/offers", caller), kept_out or self.model.offers(wanted, caller), server)
        found = self._some_moves(wanted, random, 1)
        if found is not None:
            player = found[0].player.player_id
            own = [held for held in self.tokens.values() if held.player.player_id == player]
            body = {"commands": found[1]}
            self._send(wanted, random.choice(own), "commands", body, key=self._some_key(random), server=server)

    def _lists_tokens(self, caller: Caller) -> None:
        request = Request("GET", "/v1/players/me/tokens", caller)
        answer = self.servers.ask(request, self._some_server())
        listed = answer._replace(said=sorted(map(_told, answer.said["tokens"])))
        self._same(request, listed, Answer(200, sorted(map(_told, map(_plain_token, self.model.tokens(caller))))))

    @precondition(lambda self: len(self.erased) < CALLERS)
    @rule(who=numbers, server=which)
    def is_erased(self, who: int, server: int) -> None:
        """It leaves its games, its token is invalid on all servers, and its name is free."""
        caller = self._caller(who)
        announcing = Request("POST", "/v1/players/me/pending", caller, _json({"action": "erase"}))
        self._same(announcing, self.servers.ask(announcing, server)._replace(said=None), Answer(200, None))
        request = Request("DELETE", "/v1/players/me", caller)
        answer = self.servers.ask(request, server)
        left = self.model.erase(caller)
        self._same(request, answer, Answer(204, None))
        self.erased.append(self.callers.pop(caller.player.player_id))
        self.servers.hear_that_nobody_holds(caller)
        for again in range(NUMBER):
            self._same(request, self.servers.ask(request, again), UNKNOWN)
        self._registers(caller.player.name)
        for game in {*left, *self.games[-2:]}:
            self._look(game)

    @rule(number=numbers, other=numbers, who=numbers, seed=seeds, server=which)
    def sends_what_is_not_offered(self, number: int, other: int, who: int, seed: int, server: int) -> None:
        """What was offered to another player, in another game, or at another time."""
        game, elsewhere, random = self._game(number), self._game(other), Random(seed)
        found = self._some_moves(elsewhere, random, 1)
        if found is not None:
            body = {"commands": found[1]}
            self._send(game, self._caller(who), "commands", body, Named(), self._some_key(random), server)

    @precondition(lambda self: self.sent)
    @rule(number=numbers, seed=seeds, server=which)
    def sends_again(self, number: int, seed: int, server: int) -> None:
        """The same request, as after a lost response, or another one under its key."""
        (request, sent), random = self.sent[-1 - number % min(len(self.sent), 8)], Random(seed)
        if random.random() < 0.2 and sent.key is not None:
            body = _json({"commands": [{"type": "StartGame"}]})
            request, sent = request._replace(body=body), sent._replace(body=body)
        elif random.random() < 0.3:
            match = self._some_match(sent.game, random)
            headers = tuple(header for header in request.headers if header[0] != "If-Match") + match.headers
            request, sent = request._replace(headers=headers), sent._replace(if_match=match.heads)
        self._compare(request, sent, server)

    @rule(number=numbers, seed=seeds, copies=st.integers(2, 4))
    def sends_at_once_under_a_key(self, number: int, seed: int, copies: int) -> None:
        """An impatient client: the same request several times, at both servers."""
        game, random = self._game(number), Random(seed)
        found = self._some_moves(game, random, 1)
        if found is None:
            return
        request, sent = self._request(game, found[0], "commands", {"commands": found[1]}, Named(), self._key(random))
        answers = self.servers.ask_at_once([(request, copy % NUMBER) for copy in range(copies)])
        outcome = self.model.outcome(sent)
        for answer in answers:
            self._same(request, answer._replace(replayed=False), outcome.answer._replace(replayed=False))
        if outcome.ruling is not None and sum(not answer.replayed for answer in answers) != 1:
            self._fail(f"{request} was carried out several times")
        self.model.keep(sent, outcome)
        self.sent.append((request, sent))
        self._look(game)

    @rule(number=numbers, who=numbers, seed=seeds)
    def two_send_at_once(self, number: int, who: int, seed: int) -> None:
        """The second one learns that the game has moved on, unless the first was refused."""
        game, random = self._game(number), Random(seed)
        found, other = self._some_moves(game, random, 1), self._some_moves(game, random, 1)
        if found is None or other is None:
            return
        now = Named(_tag(self.model.position(game).head), (self.model.position(game).head,))
        both = [
            self._request(game, found[0], "commands", {"commands": found[1]}, now, None),
            self._request(game, self._caller(who), "commands", {"commands": other[1]}, now, None),
        ]
        answers = self.servers.ask_at_once([(request, server) for server, (request, _) in enumerate(both)])
        pairs = [(sent, answer) for (_, sent), answer in zip(both, answers, strict=True)]
        outcomes = {sent: self.model.outcome(sent) for sent, _ in pairs}
        for sent, answer in sorted(pairs, key=lambda pair: pair[1].status):
            if outcomes[sent].ruling is None and outcomes[sent].answer == answer:
                continue  # refused before the other came
            outcome = self.model.outcome(sent)
            self._same(sent, answer, outcome.answer)
            self.model.keep(sent, outcome)
        self._look(game)

    # Servers

    @rule(server=which, killed=st.booleans())
    def restarts(self, server: int, killed: bool) -> None:
        self.servers.restart(server, killed=killed)
        keyed = [(request, sent) for request, sent in self.sent[-8:] if sent.key is not None]
        for request, sent in keyed[-2:]:
            self._compare(request, sent, server, look=False)
        for game in self.games[-2:]:
            self._look(game)

    @precondition(lambda self: self.servers.clock is not None)
    @rule(minutes=st.sampled_from((1, 30, 60, 61, 90, 180)), server=which, kept=st.booleans())
    def time_passes(self, minutes: int, server: int, kept: bool) -> None:
        """The clock moves on. No server checks it, or one does."""
        clock = self.servers.clock
        assert clock is not None
        clock.now += minutes * (HOUR / 60)
        if kept:
            self.servers.keep_deadlines(server)
            for game in self.model.time_out(clock.now):
                self._look(game)

    @precondition(lambda self: self.servers.clock is not None)
    @rule(seed=seeds, server=which)
    def a_sheet_comes_late(self, seed: int, server: int) -> None:
        """The deadline of its round has passed, although nobody has closed the round."""
        random, clock = Random(seed), self.servers.clock
        assert clock is not None
        waiting = [(at_once(self.model.log.game(game)).deadline, game) for game in self.games]
        until, game = random.choice([(until, game) for until, game in waiting if until] or [(None, None)])
        if until is not None and game is not None:
            clock.now = max(clock.now, until)
            found = self._some_moves(game, random, 1)
            if found is not None:
                self._send(game, found[0], "commands", {"commands": found[1]}, server=server)

    # Reads

    @rule(number=numbers, who=numbers, seed=seeds, server=which)
    def looks_back(self, number: int, who: int, seed: int, server: int) -> None:
        """At a moment of the past, or at one that never was."""
        game, caller, random = self._game(number), self._reader(who), Random(seed)
        at = random.randint(0, self.model.position(game).head.seq + 1)
        self._seen(asks(game, "", caller, at=at), self.model.view(game, caller, at), server)

    @rule(number=numbers, who=numbers, seed=seeds, server=which)
    def reads_the_log(self, number: int, who: int, seed: int, server: int) -> None:
        """A page, and a stream of what exists."""
        game, caller, random = self._game(number), self._reader(who), Random(seed)
        last = self.model.position(game).head.seq
        after, limit = random.randint(0, last + 1), random.randint(1, 120)
        page = asks(game, "/events", caller, after=after, limit=limit)
        self._seen(page, self.model.events(game, caller, after, limit), server)
        begin = random.randrange(last)
        until = random.randint(begin + 1, last)
        query = (("until", str(until)),) if random.random() < 0.5 else (("limit", str(until - begin)),)
        resumed = random.random() < 0.5 and begin > 0
        hash_ = self.model.events_of(game)[begin - 1].hash.hex()
        where = (("Last-Event-ID", f"{begin}-{hash_}"),) if resumed else ()
        behind = () if resumed else (("after", str(begin)),)
        stream = Request(
            "GET", f"/v1/games/{game}/events", caller, None, (*query, *behind), (("Accept", NDJSON), *where)
        )
        self._seen(stream, self.model.stream(game, caller, begin, until), server)

    @rule(who=numbers, seed=seeds, server=which)
    def lists_games(self, who: int, seed: int, server: int) -> None:
        """All, page by page, by age or by last move, or those of a status, a rule set, or a player."""
        caller, random = self._caller(who), Random(seed)
        asked: Json = {}
        if random.random() < 0.4:
            asked["status"] = random.choice(("open", "running", "finished"))
        if random.random() < 0.4:
            asked["ruleset"] = random.choice([*CURRENT])
        if random.random() < 0.4:
            asked["mine"] = True
        if random.random() < 0.4:
            asked["order"] = "moved"
        if random.random() < 0.4 and self.games:
            asked["before"] = self.model.behind(random.choice(self.games), asked.get("order", "opened"))
        limit = random.randint(1, 4)
        query = tuple((name, str(value).lower()) for name, value in asked.items())
        listed = Request("GET", "/v1/games", caller, query=(*query, ("limit", str(limit))))
        self._seen(listed, self.model.games(caller, limit, **asked), server)

    @rule(number=numbers, who=numbers, seed=seeds, server=which)
    def asks_whether_it_changed(self, number: int, who: int, seed: int, server: int) -> None:
        """304 if and only if the tag names the current position and the current names."""
        game, caller, random = self._game(number), self._reader(who), Random(seed)
        now = self.model.position(game)
        head = self._some_head(game, random)
        seat = now.seat_of(caller.player.player_id) if caller else None
        parts = [] if seat is None else [f"seat-{seat}"]
        if called := self.model.called(game):
            parts.append(f"names-{sha256(msgspec.json.encode(called)).hexdigest()[:16]}")
        tag = _tag(head, *parts)
        known = random.choice((tag, f"W/{tag}", f'"other", {tag}'))
        request = asks(game, "", caller)._replace(headers=(("If-None-Match", known),))
        expected = self.model.view(game, caller)
        self._seen(request, Answer(304, None, now.head) if head == now.head else expected, server)

    @rule(number=numbers, who=numbers, server=which)
    def reads_the_books(self, number: int, who: int, server: int) -> None:
        game = self._game(number)
        request = asks(game, "/balances", self._reader(who))
        answer = self.servers.ask(request, server)
        rows = [(row["account"], row["unit"], row["balance"]) for row in answer.said["balances"]]
        self._same(request, answer._replace(said=rows), self.model.balances(game))

    # Comparison

    def _look(self, game: UUID, *, whole: bool = False) -> None:
        """What a spectator sees of a game and of the list, and in turn one of the others, or all of them."""
        now = self.model.position(game)
        players = [UUID(player) for player in now.ruleset.players(now.state) if player]
        seated = [self.callers[player] for player in players if player in self.callers]
        stranger = next(caller for id_, caller in self.callers.items() if caller not in seated)
        others = [*seated, stranger]
        after = max(0, now.head.seq - 10)
        for caller in (None, *(others if whole else others[self._turn % len(others) :][:1])):
            self._seen(asks(game, "", caller), self.model.view(game, caller))
            self._seen(asks(game, "/events", caller, after=after), self.model.events(game, caller, after))
            if caller is not None:
                self._seen(asks(game, "/offers", caller), self.model.offers(game, caller))
        self._seen(Request("GET", "/v1/games"), self.model.games(None, 20))

    def _seen(self, request: Request, expected: Answer, server: int | None = None) -> None:
        at = self._some_server() if server is None else server
        self._same(request, self.servers.ask(request, at), expected)

    def _same(self, asked: object, answer: Answer, expected: Answer) -> None:
        if answer != expected:
            self._fail(f"{asked}\n\nis answered\n\n{answer}\n\nand not\n\n{expected}")

    def _fail(self, what: str) -> None:
        self._differs = True
        raise Differs(what)

    def _send(
        self,
        game: UUID,
        caller: Caller,
        where: str,
        body: Json,
        match: Named = Named(),  # noqa: B008  # a tuple
        key: str | None = None,
        server: int | None = None,
        dry_run: bool = False,
        *,
        look: bool = True,
    ) -> None:
        request, sent = self._request(game, caller, where, body, match, key, dry_run=dry_run)
        self.sent.append((request, sent))
        self._compare(request, sent, self._some_server() if server is None else server, look=look)

    def _compare(self, request: Request, sent: Sent, server: int, *, look: bool = True) -> None:
        answer = self.servers.ask(request, server)
        outcome = self.model.outcome(sent)
        self._same(request, answer, outcome.answer)
        self.model.keep(sent, outcome)
        if look:
            self._look(sent.game)

    def _request(
        self,
        game: UUID,
        caller: Caller,
        where: str,
        body: Json,
        match: Named,
        key: str | None,
        *,
        dry_run: bool = False,
    ) -> tuple[Request, Sent]:
        path, sent = f"/v1/games/{game}/{where}", _json(body)
        headers = (*match.headers, *(() if key is None else (("Idempotency-Key", key),)))
        query = (("dry_run", "true"),) if dry_run else ()
        request = Request("POST", path, caller, sent, query, headers)
        return request, Sent(game, caller, path, sent, match.heads, key, dry_run)

    # Generated values

    def _some_server(self) -> int:
        self._turn += 1
        return self._turn % NUMBER

    def _game(self, number: int) -> UUID:
        return self.games[number % len(self.games)]

    def _caller(self, number: int) -> Caller:
        return [*self.callers.values()][number % len(self.callers)]

    def _reader(self, number: int) -> Caller | None:
        return [None, *self.callers.values()][number % (1 + len(self.callers))]

    def _some_moves(self, game: UUID, random: Random, number: int) -> tuple[Caller, list[Json]] | None:
        """An offer to a player for whom a game waits. None if it waits for nobody."""
        now = self.model.position(game)
        moving = now.ruleset.to_move(now.state)
        if not moving or now.ruleset.status(now.state) == "open":
            return None
        seat = random.choice(moving)
        commands = [_some_move(now.ruleset, now.state, seat, random) for _ in range(number)]
        caller = self._at(now, seat)
        return caller and (caller, [plain(command) for command in commands])

    def _besides(self, game: UUID, random: Random, kinds: Collection[str]) -> tuple[Caller, list[Json]] | None:
        """One of these commands that is offered to a player at any time. None if it is offered to nobody."""
        now = self.model.position(game)
        moves = {move.__name__: move for move in now.ruleset.commands.moves}
        open_ = [
            (caller, offer)
            for seat in range(len(now.ruleset.players(now.state)))
            if (caller := self._at(now, seat)) is not None
            for offer in now.ruleset.besides(now.state, seat)
            if offer.command in kinds
        ]
        if not open_:
            return None
        caller, offer = random.choice(open_)
        return caller, [plain(fill_in(random, offer, moves[offer.command]))]

    def _at(self, now: Position, seat: int) -> Caller | None:
        """The player on that seat. None if there is none, or an erased one."""
        player = now.ruleset.players(now.state)[seat]
        return None if player is None else self.callers.get(UUID(player))

    def _key(self, random: Random) -> str:
        return f"key-{random.randrange(KEYS)}"

    def _some_key(self, random: Random) -> str | None:
        return self._key(random) if random.random() < 0.5 else None

    def _some_head(self, game: UUID, random: Random) -> Head:
        events = self.model.events_of(game)
        event = random.choice((events[-1], events[-1], events[-1 - random.randrange(min(len(events), 5))]))
        return Head(event.seq, event.hash)

    def _some_match(self, game: UUID, random: Random) -> Named:
        """Usually no ``If-Match`` at all. Otherwise any form of it."""
        if random.random() < 0.5:
            return Named()
        now, head = self.model.position(game).head, self._some_head(game, random)
        tag, elsewhere = _tag(head), self.model.position(random.choice(self.games)).head
        return random.choice(
            (
                Named("*"),
                Named(tag, (head,)),
                Named(f"W/{tag}", (head,)),
                Named(_tag(head, "seat-1", "gzip"), (head,)),
                Named(f"{_tag(elsewhere)}, W/{tag}", (elsewhere, head)),
                Named(_tag(elsewhere), (elsewhere,)),
                Named(_tag(Head(now.seq, bytes(32))), (Head(now.seq, bytes(32)),)),
                Named(_tag(Head(now.seq + 1, now.hash)), (Head(now.seq + 1, now.hash),)),
                Named('"of-something-else"', ()),
            )
        )


def leaning(rules: Collection[str]) -> type[ServerMachine]:
    """The same machine, in which these rules run more often."""
    again = {f"{name}_{number}": getattr(ServerMachine, name) for name in rules for number in range(LEAN)}
    return type("LeaningMachine", (ServerMachine,), again)


class KilledServerMachine(ServerMachine):
    """The same with processes, which are also killed while they respond."""

    servers: Processes

    @rule(number=numbers, seed=seeds, server=which, milliseconds=st.integers(0, 12))
    def is_killed_while_it_answers(self, number: int, seed: int, server: int, milliseconds: int) -> None:
        """A client that repeats the request gets its response, and it is carried out once."""
        game, random = self._game(number), Random(seed)
        found = self._some_moves(game, random, 1)
        if found is None:
            return
        request, sent = self._request(game, found[0], "commands", {"commands": found[1]}, Named(), f"killed-{seed}")
        self.servers.ask_and_kill(request, server, milliseconds / 1000)
        answer, outcome = self.servers.ask(request, self._some_server()), self.model.outcome(sent)
        self._same(request, answer._replace(replayed=False), outcome.answer._replace(replayed=False))
        self.model.keep(sent, outcome)
        self._look(game)


def _some_move(ruleset: Ruleset[Any], state: Any, seat: int, random: Random) -> Struct:
    moves = {move.__name__: move for move in ruleset.commands.moves}
    offers = tuple(offer for offer in ruleset.offers(state, seat) if offer.command in moves)
    offer = any_offer(random, offers, ruleset.commands.weights)
    return (fill if orders_of(ruleset) else fill_in)(random, offer, moves[offer.command])


def _plain_token(token: Token) -> Json:
    return {"id": str(token.token_id), "name": token.name, "scopes": [*token.scopes]}


def _told(token: Json) -> tuple[str, str, list[str]]:
    """The compared parts of a token: its last use is only exact to the hour."""
    return token["id"], token["name"], token["scopes"]


def _tag(head: Head, *parts: str) -> str:
    return f'"{";".join((f"{head.seq}-{head.hash.hex()}", *parts))}"'


def _json(body: Json) -> bytes:
    return msgspec.json.encode(body)
