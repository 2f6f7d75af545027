"""A golden game of each rule set at one moment, and the responses of every operation there."""

from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import Any, Literal
from uuid import UUID

import msgspec
from msgspec import Raw, UnsetType
from msgspec.structs import asdict, replace

from mcmulti.api.admission.house import LEVELS
from mcmulti.api.admission.series import table_id
from mcmulti.api.chat.texts import quick_replies
from mcmulti.api.chat.wire import ChatView, MessageView
from mcmulti.api.http.failures import as_problem
from mcmulti.api.messages.data import PersonalData, SaidView
from mcmulti.api.messages.notifications import GameNotifications, NotificationSettings, QuietHours
from mcmulti.api.messages.webhooks import ROTATION
from mcmulti.api.messages.webhooks_wire import (
    EmailConfirmed,
    EmailUnsubscribed,
    WebhookList,
    WebhookSecret,
    WebhookView,
)
from mcmulti.api.operations.phrases import PhraseReading, reading
from mcmulti.api.operations.players import codes
from mcmulti.api.operations.series import SeriesView
from mcmulti.api.pending import WINDOW
from mcmulti.api.readings.boards import Boards, DrawnBoard
from mcmulti.api.readings.books import AccountBalance, Balances, Flows, Ledger, Statements, UnitSum
from mcmulti.api.readings.guides import GuideView, guide_of
from mcmulti.api.readings.proof import GameProof, keys_of, proof_of
from mcmulti.api.readings.ratings import GameRating, LadderPage, RatedPlayer, ReducedWeight, SeatRating
from mcmulti.api.readings.replay import Replay
from mcmulti.api.readings.reports import StatisticsOfGame
from mcmulti.api.reviews.hints import HintView
from mcmulti.api.reviews.puzzles import Puzzles, puzzles_in
from mcmulti.api.reviews.wire import ReviewView
from mcmulti.api.telling.decisions import besides, offered
from mcmulti.api.telling.games import parts_of
from mcmulti.api.telling.rated import RatingView, SeatedRating
from mcmulti.api.telling.records import PlayerRecord, record
from mcmulti.api.telling.refusals import refusal
from mcmulti.api.telling.tables import TableView
from mcmulti.api.telling.wire import (
    Events,
    Games,
    GameView,
    Health,
    Index,
    Invitations,
    KnownPlayer,
    Me,
    NewlyMade,
    NewlyOpened,
    Offers,
    PendingAction,
    Profile,
    Readiness,
    Registered,
    Result,
    Rulesets,
    RulesetSummary,
    RulesetView,
    Tokens,
    TokenView,
)
from mcmulti.domain.core.capabilities.length import longest_of
from mcmulti.domain.core.capabilities.positions import document_of
from mcmulti.domain.core.commands import StartGame
from mcmulti.domain.core.course.positions import Moment as CoreMoment
from mcmulti.domain.core.course.standing import GameResult
from mcmulti.domain.core.offers import Rejection
from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.domain.core.table import presented
from mcmulti.domain.core.wording.grammar import say
from mcmulti.domain.core.wording.introduction import introduction_of
from mcmulti.domain.core.wording.manual import components_of, labels_of, manual_of, readings_of
from mcmulti.events.log.codec import fold
from mcmulti.events.log.envelope import Head
from mcmulti.events.log.item import EventItem, open_data, recorded
from mcmulti.events.log.positions import Position
from mcmulti.events.log.signing import KeyStatement, SigningKey
from mcmulti.events.ports.chat import change_at
from mcmulti.events.ports.game_index import TenureRow
from mcmulti.notify.mail.links import CONFIRMATION
from mcmulti.projections.books.ledger import balanced, entries, lines
from mcmulti.projections.books.statements import flows, statements
from mcmulti.projections.charts.names import charts_of
from mcmulti.projections.pictures.film import Splice
from mcmulti.projections.pictures.seats import names
from mcmulti.projections.proof.draws import Drawn
from mcmulti.projections.reports.games import game_report
from mcmulti.projections.reports.replay import frames
from mcmulti.projections.reviews import Estimate, HintedMove, Review, ReviewedMove, ReviewedPlayer, TurningPoint
from mcmulti.projections.statistics.game import game_statistics
from mcmulti.projections.svg.board import Easel
from mcmulti.referee.ruling import Stale, Unconfirmed, UnknownMoment
from tests.api.guests import Json
from tests.games import CALLED
from tests.profiles import Scene, profile_of
from tests.projections.mutants import changed_file
from tests.scripted_chance import ScriptedChance
from tests.tabled import tabled

GOLDEN = Path(__file__).parents[1] / "golden"
KEY = SigningKey(b"an example of a key, of 32 bytes")
ROUND = 1
"""The round of a game that is reported."""
TOKEN = "mcm_an-example-of-a-token-which-nobody-has-0123"
PUSH_KEY = "BPbq2iPqvuqMnvHiBTxjLgS8n4OreDO3nkqO9q33AQHZdAopxTAoQpzqMFmTDIIQNfPEnhZec7ChM0kguFdBFd4"
SIGNING_SECRET = "whsec_QW4gZXhhbXBsZSBvZiBhIHNlY3JldCwgb2YgMzIgYi4="
PASSCODE = "MAYSITDOWNATONCE"
TOKEN_ID = UUID("2b7e1516-28ae-42a6-abf7-158809cf4f3c")


def golden(name: str) -> list[EventItem]:
    """A golden game."""
    lines = (GOLDEN / f"{name}.jsonl").read_bytes().splitlines()
    return [msgspec.json.decode(line, type=EventItem) for line in lines]


def id_of(game: list[EventItem]) -> str:
    """The server's id of a game."""
    return str(msgspec.json.decode(open_data(game[0]))["game_id"])


def scene_of(ruleset: Ruleset[Any]) -> Scene:
    """The moment for the examples of a rule set: its own, or a move in the middle of a golden game."""
    if (own := profile_of(ruleset.name).scene) is not None:
        return own
    game, limits = changed_file(ruleset.name).stem, ruleset.texts.limits.values()
    own_moves = {kind.__name__ for kind in ruleset.flow.carriers} - {StartGame.__name__}
    sent = [item for item in golden(game) if not isinstance(item.command, UnsetType)]
    moved = [item for item in sent if msgspec.json.decode(item.command)["type"] in own_moves]  # type: ignore[arg-type]
    chosen = moved[len(moved) // 2]
    nth = sum(item.type == chosen.type and item.seq < chosen.seq for item in golden(game))
    codes_shown = [limit.code for limit in limits if limit.rule][:2]
    components, rules = tuple(components_of(ruleset, "en"))[:3], tuple(ruleset.texts.rules["en"])[:3]
    return Scene(game, chosen.type, nth, StartGame(), components, rules, tuple(codes_shown))


class Moment:
    """A game just before an event that a command begins with, and the command."""

    def __init__(self, ruleset: Ruleset[Any], scene: Scene) -> None:
        self.scene = scene
        self.ruleset = ruleset
        self.game = golden(scene.game)
        self.id = UUID(id_of(self.game))
        (done,) = islice((i for i, item in enumerate(self.game) if item.type == scene.event), scene.nth, scene.nth + 1)
        self.before, self.done = self.game[:done], [self.game[done]]
        self.seat = self.done[0].actor or 0
        self.state = self._fold(self.before)
        self.head = Head(self.before[-1].seq, bytes.fromhex(self.before[-1].hash))

    def operations(self) -> Json:
        """Bodies and responses by operation."""
        return {
            "getIndex": {"answer": Index("mcmulti", "0.1.0", "/openapi.json", "/v1/rulesets", "/v1/games", True)},
            "isAlive": {"answer": Health("ok")},
            "isReady": {"answer": Readiness("ok", (), ())},
            "registerPlayer": {
                "body": {"name": "Player 1"},
                "answer": Registered(self._player(), "Player 1", "human", TOKEN),
            },
            "getPlayer": {"answer": Profile(self._player(), "Player 1", "human", self._record(), (self._rating(),))},
            "renameMe": {
                "body": {"name": "Player 1"},
                "answer": self._me(),
            },
            "getMe": {"answer": self._me()},
            "listTokens": {"answer": Tokens((self._token(),))},
            "makeToken": {
                "body": {"name": "my bot", "scopes": ["read", "play"]},
                "answer": NewlyMade(TOKEN, self._token()),
            },
            "revokeToken": {"answer": self._token()},
            "revokeOtherTokens": {"answer": Tokens((self._token(),))},
            "listWebhooks": {"answer": WebhookList((self._webhook(),), PUSH_KEY, True)},
            "addWebhook": {
                "body": {"url": "https://example.org/mcmulti", "service": "standard"},
                "answer": WebhookSecret(SIGNING_SECRET, self._webhook()),
            },
            "removeWebhook": {"answer": self._webhook()},
            "rotateWebhookSecret": {
                "answer": WebhookSecret(
                    SIGNING_SECRET,
                    replace(self._webhook(), previous_secret_until=self.game[0].recorded_at + ROTATION),
                )
            },
            "testWebhook": {"answer": self._webhook()},
            "getMyData": {
                "answer": PersonalData(
                    self._player(),
                    "Player 1",
                    "human",
                    (self._webhook(),),
                    self._notifications(),
                    (SaidView(self.id, "players", self.game[0].recorded_at, "Good luck, everyone!", None),),
                    False,
                )
            },
            "getNotifications": {"answer": self._notifications()},
            "setNotifications": {
                "body": {
                    "topics": ["game.turn", "game.over"],
                    "time_zone": "Europe/Berlin",
                    "quiet": {"begin": "22:00", "end": "07:00"},
                },
                "answer": self._notifications(),
            },
            "setGameNotifications": {"body": {"topics": []}, "answer": self._notifications()},
            "resetGameNotifications": {"answer": replace(self._notifications(), games=())},
            "confirmEmail": {
                "body": {"token": "c" * CONFIRMATION},
                "answer": EmailConfirmed(self.game[0].recorded_at),
            },
            "unsubscribeEmail": {"answer": EmailUnsubscribed(self.game[0].recorded_at)},
            "replaceOwnerToken": {"answer": Tokens((self._token(),))},
            "announceAction": {"body": {"action": "erase"}, "answer": self._pending()},
            "listKeys": {"answer": keys_of([KeyStatement(KEY.public, datetime(2026, 1, 1, tzinfo=UTC))])},
            "getProof": {"answer": self._proof()},
            "listRulesets": {
                "answer": Rulesets(
                    (
                        RulesetSummary(
                            self.ruleset.name,
                            self.ruleset.version,
                            introduction_of(self.ruleset, "en").title,
                            self.ruleset.called("en"),
                            self.ruleset.amount("en"),
                            LEVELS[self.ruleset.name],
                        ),
                    )
                )
            },
            "getRuleset": {"answer": self._ruleset()},
            "getGuide": {"answer": self._guide()},
            "listPuzzles": {"answer": self._puzzles()},
            "openGame": {
                "body": {"ruleset": self.ruleset.name, "setup": msgspec.json.decode(open_data(self.game[0]))["setup"]},
                "answer": NewlyOpened(**asdict(self._view(self.game[:1], None)), passcode=None),
            },
            "openSeries": {
                "body": {
                    "ruleset": self.ruleset.name,
                    "tables": 2,
                    "setup": msgspec.json.decode(open_data(self.game[0]))["setup"],
                },
                "answer": self._series(),
            },
            "getSeries": {"answer": self._series()},
            "listGames": {
                "answer": Games(
                    (self._table(self.before),),
                    None,
                    incomplete=False,
                    ratings=(SeatedRating(self._player(), self._rating()),),
                )
            },
            "listRatings": {
                "answer": LadderPage(
                    self.ruleset.name, "people", (RatedPlayer(self._player(), "Player 1", self._rating()),), None
                )
            },
            "getRating": {
                "answer": GameRating(
                    self.id,
                    True,
                    "rated",
                    None,
                    None,
                    (
                        SeatRating(
                            0,
                            self._player(),
                            "Player 1",
                            1500.0,
                            1623.4,
                            123.4,
                            0.01,
                            (ReducedWeight("newcomer", "This player had fewer than ten rated games."),),
                            None,
                        ),
                    ),
                )
            },
            "getGame": {"answer": self._view(self.before, self.seat)},
            "listInvitations": {"answer": self._invitations()},
            "changeInvitations": {
                "body": {"invite": ["Player 1"], "passcode": "new"},
                "answer": replace(self._invitations(), passcode=PASSCODE),
            },
            "readChat": {
                "answer": ChatView(
                    self.id, ("players",), (self._message(),), self._message().changed, False, quick_replies("en")
                )
            },
            "say": {"body": {"room": "players", "text": "Good luck, everyone!"}, "answer": self._message()},
            "removeMessage": {
                "answer": replace(
                    self._message(), changed=self._message().id + 1, untrusted_text=None, removed_by="author"
                )
            },
            "flagMessage": {"body": {"reason": "This is an insult."}, "answer": self._message()},
            "openRematch": {"answer": self._view(self.game[:1], None)},
            "askForReview": {"body": {"seconds": 60}, "answer": self._review("waiting")},
            "getReview": {"answer": self._review("done")},
            "askForHint": {"body": {"seconds": 3}, "answer": self._hint()},
            "openBranch": {"body": {"at": self.head.seq}, "answer": self._branch()},
            "getPosition": {"answer": document_of(self.ruleset, self.state)},
            "takeSeat": {
                "body": {"seat": 0, "entropy": "my-own-luck"},
                "answer": self._result(self.game[:1], self.game[1:2], 0),
            },
            "listOffers": {"answer": self._offers()},
            "readPhrase": {"answer": self._phrase()},
            "sendCommands": {
                "body": {"commands": [self.done[0].command]},
                "answer": self._result(self.before, self.done, self.seat),
            },
            "listEvents": {"answer": self._events()},
            **self._books(),
            "replayGame": {"answer": self._replay()},
            "listBoards": {"answer": self._boards()},
            "getGameReport": {"answer": game_report([recorded(self.id, item) for item in self.before], called=CALLED)},
            "getStatistics": {"answer": self._statistics()},
        }

    def _review(self, state: Literal["waiting", "done"]) -> ReviewView:
        """A review, as if the game had ended here."""
        place, here = (self.id, self.head.seq, self.head.hash.hex()), self.ruleset
        if state == "waiting":
            return ReviewView(*place, state, 0.0, 60, None, None)
        chances = (Estimate(0.62, 0.04), Estimate(0.38, 0.04))
        players = (
            ReviewedPlayer("Player 1", 41, 0.012, 0.5, 0.07, -0.02, 0.45, 1.0, 0.55),
            ReviewedPlayer("Player 2", 39, 0.021, 0.5, 0.02, -0.07, -0.45, 0.0, 0.45),
        )
        cost, told = Estimate(0.05, 0.02), "Player 1 ends the turn."
        moved, better = (self.head.seq, self.head.seq - 1, 0, told), ({"type": "EndTurn"}, "Player 1 ends the turn.")
        played = ReviewedMove(*moved, chances, -0.03, cost, *better, None)
        turned = TurningPoint(self.head.seq, 0, "Player 1 ends the turn. Player 1's chance falls from 65% to 62%.")
        numbers = (80, 80, 3, 3)
        found = Review(
            str(self.id), here.name, here.version, "tycoon", True, 0, *numbers, players, (turned,), (played,)
        )
        return ReviewView(*place, state, 1.0, 60, None, found)

    def _hint(self) -> HintView:
        """What the player to move could do."""
        chance, loss = Estimate(0.62, 0.04), Estimate(0.0, 0.0)
        moves = (HintedMove("Player 1 ends the turn.", chance, loss),)
        return HintView(self.id, self.head.seq, self.head.hash.hex(), 0, moves)

    def _branch(self) -> GameView:
        """What opening a branch answers: an empty table that begins from this moment."""
        moment = CoreMoment(str(self.id), self.head.seq, self.head.hash.hex())
        return replace(self._view(self.game[:1], None), branch_of=moment)

    def parameters(self) -> Json:
        """Values of path parameters."""
        return {
            "chart": "cash",
            "game": self.id,
            "id": TOKEN_ID,
            "message": self._message().id,
            "token": "t" * 43,
            "player": self._player(),
            "round": ROUND,
            "ruleset": self.ruleset.name,
            "series": self.id,
        }

    def problems(self) -> Json:
        """Problems by code, as far as a game leads to them."""
        refused = self.ruleset.decide(self.state, self.seat, self.scene.refused, ScriptedChance())
        assert isinstance(refused, Rejection)
        errors = {
            "refused": refusal(self.ruleset, refused, "en", 0),
            "stale": Stale(self.head),
            "unconfirmed": Unconfirmed(self.head),
            "unknown_moment": UnknownMoment(self.head),
        }
        return {code: as_problem(error).problem for code, error in errors.items()}

    def _player(self) -> UUID:
        return UUID(self.ruleset.players(self.state)[0])

    def _invitations(self) -> Invitations:
        invited = KnownPlayer(self._player(), "Player 1", "human")
        return Invitations(self.id, closed=True, invited=(invited,), has_passcode=True, passcode=None)

    def _me(self) -> Me:
        return Me(
            self._player(), "Player 1", "human", self._token(), self._record(), (self._rating(),), self._pending()
        )

    def _proof(self) -> GameProof:
        drawn = Drawn()
        drawn.step([recorded(self.id, item) for item in self.before])
        return proof_of(Position(self.id, self.ruleset, self.state, self.head), drawn, KEY, after=0, limit=3)

    def _pending(self) -> PendingAction:
        due = self.game[0].recorded_at + timedelta(days=3)
        return PendingAction("erase", TOKEN_ID, due, due + WINDOW)

    def _rating(self) -> RatingView:
        return RatingView(self.ruleset.name, 1623.4, 210.7, 1202.0, 12, 5, False)

    def _record(self) -> PlayerRecord:
        results: tuple[GameResult | None, ...] = (None, "won", "lost")
        others = (UUID(int=1),)
        return record([TenureRow(self._player(), self.ruleset.name, others, result=result) for result in results], ())

    def _token(self) -> TokenView:
        return TokenView(TOKEN_ID, "my bot", ("read", "play"), self.game[0].recorded_at, None, None, UUID(int=2))

    def _webhook(self) -> WebhookView:
        url, made = "https://example.org/mcmulti", self.game[0].recorded_at
        return WebhookView(TOKEN_ID, url, "standard", ("game.turn", "game.over"), "en", made, None, None, None, None)

    def _notifications(self) -> NotificationSettings:
        muted = GameNotifications(self.id, (), None)
        return NotificationSettings(
            ("game.turn", "game.over"), None, "Europe/Berlin", QuietHours("22:00", "07:00"), None, (muted,)
        )

    def _message(self) -> MessageView:
        at, text = self.game[0].recorded_at, "Good luck, everyone!"
        number = change_at(at)
        return MessageView(number, number, "players", self._player(), "Player 1", at, text, None, None)

    def _fold(self, events: list[EventItem]) -> Any:
        return presented(fold(self.ruleset, [recorded(self.id, item) for item in events]), CALLED)

    def _view(self, events: list[EventItem], seat: int | None) -> GameView:
        view = msgspec.json.encode(self.ruleset.view(self._fold(events), seat))
        return GameView(self.id, events[-1].seq, events[-1].hash, self._table(events), Raw(view))

    def _table(self, events: list[EventItem]) -> TableView:
        opened_by = UUID(self.ruleset.players(self.state)[0])
        return tabled([recorded(self.id, item) for item in events], CALLED, opened_by, kind="human")

    def _offers(self) -> Offers:
        offers = offered(self.ruleset, self.state, self.seat, "en")
        at_any_time = besides(self.ruleset, self.state, self.seat, "en")
        to_move = self.ruleset.to_move(self.state)
        return Offers(self.id, self.head.seq, self.head.hash.hex(), self.seat, to_move, offers, at_any_time)

    def _phrase(self) -> PhraseReading:
        offers = self.ruleset.offers(self.state, self.seat)
        command = msgspec.json.decode(msgspec.json.encode(self.done[0].command))
        return reading(self.id, self.head, offers, say(command, msgspec.json.decode(msgspec.json.encode(offers))))

    def _result(self, before: list[EventItem], events: list[EventItem], seat: int) -> Result:
        return Result(self.id, events[-1].seq, events[-1].hash, seat, tuple(events), self._table(before + events), None)

    def _events(self) -> Events:
        page = tuple(self.before[-3:])
        return Events(self.id, self.done[0].seq, self.done[0].hash, page, page[-1].seq)

    def _replay(self) -> Replay:
        before, done = self._fold(self.before), [recorded(self.id, item) for item in self.done[:2]]
        told = tuple(frames(self.ruleset, before, done, seat=self.seat, called=CALLED))
        return Replay(self.id, self.done[-1].seq, self.done[-1].hash, told, told[-1].seq)

    def _boards(self) -> Boards:
        """Two boards, of which only the document and the title are shown: a whole one takes pages."""
        assert self.ruleset.picture is not None
        log = [*self.before, *self.done[:1]]
        pictures = [self.ruleset.picture(self._fold(log[: len(log) - 1 + more]), "en") for more in (0, 1)]
        (opening, first), (_, second) = [Easel().sections(picture)[0] for picture in pictures]
        boards = (
            DrawnBoard(log[-2].seq, (Splice(0, 0, (0, 1, 2)),)),
            DrawnBoard(log[-1].seq, (Splice(1, 1, (3,)),)),
        )
        pieces, head = (opening, first, "</svg>\n", second), self.done[-1]
        return Boards(self.id, head.seq, head.hash, pieces, boards, log[-1].seq)

    def _books(self) -> Json:
        """The first entries of all books."""
        where = self.id, self.head.seq, self.head.hash.hex()
        log = [recorded(self.id, item) for item in self.before]
        booked = list(entries(log))
        page = tuple(islice(lines(booked), 4))
        balance = balanced(booked)
        cash = tuple(
            AccountBalance(account, unit, units[unit])
            for account, units in balance.accounts.items()
            for unit in units
            if unit == self.ruleset.books.money
        )
        sums = tuple(UnitSum(unit, amount) for unit, amount in balance.units.items())
        called = names(self.ruleset, self.state)
        stated = tuple(each for each in statements(booked) if each.unit == self.ruleset.books.money)
        return {
            "getLedger": {"answer": Ledger(*where, page, page[-1].line)},
            "getBalances": {"answer": Balances(*where, cash, sums)},
            "getStatements": {"answer": Statements(*where, called, stated)},
            "getFlows": {"answer": Flows(*where, flows(booked)[:4])},
        }

    def _statistics(self) -> StatisticsOfGame:
        events = [recorded(self.id, item) for item in self.before]
        return StatisticsOfGame(self.id, self.head.seq, self.head.hash.hex(), game_statistics(events, CALLED))

    def _guide(self) -> GuideView:
        guide = guide_of(self.ruleset, "en")
        return replace(guide, example=guide.example[:1], lessons=guide.lessons[:1])

    def _series(self) -> SeriesView:
        """A series that was just opened. Its first table is this one."""
        opened = replace(self._table(self.game[:1]), listed=False)
        other = replace(opened, game=table_id(self.id, 2))
        first = msgspec.json.decode(open_data(self.game[0]))
        return SeriesView(
            self.id,
            self.ruleset.name,
            self.ruleset.version,
            "open",
            first["commitment"],
            None,
            opened.opened_by,
            (replace(opened, game=table_id(self.id, 1)), other),
            (),
        )

    def _puzzles(self) -> Puzzles:
        found = puzzles_in(self.ruleset.name, "en")
        return replace(found, puzzles=found.puzzles[:1])

    def _ruleset(self) -> RulesetView:
        manual = manual_of(self.ruleset, "en")
        return RulesetView(
            self.ruleset.name,
            self.ruleset.version,
            (self.ruleset.version,),
            longest_of(self.ruleset.flow),
            introduction_of(self.ruleset, "en").title,
            introduction_of(self.ruleset, "en").about,
            parts_of(self.ruleset),
            _few(components_of(self.ruleset, "en"), *self.scene.components),
            _few(self.ruleset.texts.rules["en"], *self.scene.rules),
            readings_of(self.ruleset, "en")[:2],
            manual.setup,
            manual.commands[-2:],
            manual.types[:2],
            labels_of(self.ruleset, "en"),
            _few(codes(self.ruleset, "en"), *self.scene.codes),
            {code: rule for code in self.scene.codes if (rule := self.ruleset.texts.limits[code].rule)},
            self.ruleset.books.money,
            _few(self.ruleset.texts.words["en"], self.ruleset.books.money, "start"),
            charts_of(self.ruleset),
        )


def _few(whole: Any, *keys: str) -> Json:
    return {key: whole[key] for key in keys}
