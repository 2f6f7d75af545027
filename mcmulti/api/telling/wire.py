"""Requests and responses, other than the rule sets' own views, offers, commands, and events."""

from typing import Annotated, Any, Literal
from uuid import UUID

import msgspec
from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from mcmulti.api.admission.house import OPPONENTS, Level
from mcmulti.api.http.problems import refused_as
from mcmulti.api.telling.rated import RatingView, SeatedRating
from mcmulti.api.telling.records import PlayerRecord
from mcmulti.api.telling.tables import ChatRooms, Cursor, Name, Now, TableView
from mcmulti.domain.core import offers
from mcmulti.domain.core.course.positions import Moment, PositionFields
from mcmulti.domain.core.course.posting import Unit
from mcmulti.domain.core.event import SeriesTable
from mcmulti.domain.core.figures import (
    MOST_SEATS,
    Code,
    Count,
    Entropy,
    RuleId,
    RulesetName,
    Seat,
    Sentence,
)
from mcmulti.domain.core.wording.introduction import LevelText
from mcmulti.domain.core.wording.manual import FieldText, GameLabels, RuleReading, TypeText
from mcmulti.domain.rulesets import CURRENT
from mcmulti.events.log.item import AtMoment, EventItem, Seq, Timestamp
from mcmulti.events.ports.accounts import Action, Kind, Scope
from mcmulti.projections.charts.names import ChartName

Secret = Annotated[str, Meta(pattern="^mcm_[0-9A-Za-z_-]+$", description="A bearer token.")]
Scopes = Annotated[
    tuple[Scope, ...],
    Meta(min_length=1, max_length=3, description="`read`, `play`, or `account`, which can create and revoke tokens."),
]
Text = Annotated[str, Meta(pattern=r"\S")]
Path = Annotated[str, Meta(pattern="^/")]
Version = Annotated[str, Meta(pattern=r"^[0-9]+(\.[0-9A-Za-z_]+)*$")]


NameWanted = Annotated[Name, refused_as("mixed_scripts", "reserved_name", "unprintable_name")]
TokenName = Annotated[Name, refused_as("unprintable_name")]


class NewPlayer(Struct, frozen=True, forbid_unknown_fields=True):
    """Register a player. `kind`: whether a program plays; people want to know, and bots have quotas of their own."""

    name: NameWanted
    kind: Kind = "human"


class Registered(Struct, frozen=True):
    """A new player. The token is shown only once; send it as ``Authorization: Bearer <token>``."""

    player: UUID
    name: Name
    kind: Kind
    token: Secret


class NewName(Struct, frozen=True, forbid_unknown_fields=True):
    """Your new name."""

    name: NameWanted


class NewToken(Struct, frozen=True, forbid_unknown_fields=True):
    """Another token for you. It is valid until `expires`, or until it is revoked. It cannot allow more than the token
    that creates it, nor last longer.
    """

    name: TokenName
    scopes: Scopes
    expires: Annotated[Timestamp | None, refused_as("past_expiry")] = None


class TokenView(Struct, frozen=True):
    """A token, without its secret. Use its `id` to revoke it. It was created at `created` and is valid until `expires`,
    or forever if that is null. `used` is when it was last used, accurate to the hour. `made_by` is the token that
    created it, and with which it is revoked; null if no token created it.
    """

    id: UUID
    name: Name
    scopes: Scopes
    created: Timestamp
    expires: Timestamp | None
    used: Timestamp | None
    made_by: UUID | None


class NewlyMade(Struct, frozen=True):
    """A new token. It is shown only once. `about`: the rest of the token."""

    token: Secret
    about: TokenView


class Tokens(Struct, frozen=True):
    """Your `tokens` that were not revoked, the oldest first."""

    tokens: tuple[TokenView, ...]


Announced = Annotated[Action, Meta(description="An action that takes two steps.")]


class NewPending(Struct, frozen=True, forbid_unknown_fields=True):
    """The action in two steps that you announce: to `erase` yourself, or to `replace_owner_token`."""

    action: Announced


class PendingAction(Struct, frozen=True):
    """An action announced with a `token`. From `due` to `until` it can be done, with this token only."""

    action: Announced
    token: UUID
    due: Timestamp
    until: Timestamp


class Me(Struct, frozen=True):
    """Who calls. `token`: the one that the request was sent with. `record`: the results of games. `ratings`: by rule
    set, from rated games. `pending`: what was announced and not done yet.
    """

    player: UUID
    name: Name
    kind: Kind
    token: TokenView
    record: PlayerRecord
    ratings: tuple[RatingView, ...]
    pending: PendingAction | None


class KnownPlayer(Struct, frozen=True):
    """A player, as everybody may see it. `name` is null for an erased player."""

    player: UUID
    name: Name | None
    kind: Kind


class Profile(KnownPlayer, frozen=True):
    """A player, as everybody may see it. `record`: the results of games. `ratings`: by rule set, from rated games. For
    an erased player, `name` and `record` are null, and `ratings` empty.
    """

    record: PlayerRecord | None
    ratings: tuple[RatingView, ...]


Levels = Annotated[
    tuple[Level, ...],
    Meta(max_length=20, description="The levels of its server bots, weakest first."),
]


class RulesetSummary(Struct, frozen=True, omit_defaults=True):
    """A rule set that games can be opened with. `title`: the game and its edition. `called`: its displayed name.
    `amount`: how an amount of its money is written, with `{}` for the number. `house_bots`: the levels at which bots of
    this server play it; empty if it runs none. `levels`: the name of each level, and how it plays.
    """

    name: RulesetName
    version: Count
    title: Text
    called: Text
    amount: Text
    house_bots: Levels
    levels: dict[Level, LevelText] = {}


class Rulesets(Struct, frozen=True):
    """All rule sets."""

    rulesets: tuple[RulesetSummary, ...]


PagePart = Literal["orders", "reports"]


class RulesetView(Struct, frozen=True):
    """A complete rule set, enough to play without reading anything else. Its components with their sources, the text of
    each rule, the options of a table (`setup`), what players send (`commands`), the `types` that are parts of both,
    their short names for people (`labels`), how gaps in the rulebook are interpreted (`readings`), and each code of
    refusal.

    `about`: the theme of the game, how many play, and how long. `parts`: the additional parts of its pages: the
    `orders` that a seat writes for a round, the `reports` of rounds. `versions`: all that games can have, the newest
    last. `longest`: how many events a game may have before the server ends it (`table/length`), null for no limit.
    `code_rules`: the rule for each code; codes without a rule are missing. `money`: the unit of the books that is
    money. `charts`: the charts that its games have. `words`: the words for names in components, events, views, and
    books, in the requested language. A name without a word is used itself.
    """

    name: RulesetName
    version: Count
    versions: tuple[Count, ...]
    longest: Count | None
    title: Text
    about: Sentence
    parts: tuple[PagePart, ...]
    components: dict[str, Any]
    rules: dict[RuleId, Sentence]
    readings: tuple[RuleReading, ...]
    setup: tuple[FieldText, ...]
    commands: tuple[TypeText, ...]
    types: tuple[TypeText, ...]
    labels: GameLabels
    codes: dict[Code, Sentence]
    code_rules: dict[Code, RuleId]
    money: Unit
    words: dict[str, str]
    charts: tuple[ChartName, ...]


MOST_INVITED = 100
"""The most players that can be invited to a table."""
Passcode = Annotated[
    str, Meta(min_length=16, max_length=16, pattern="^[A-Z2-7]{16}$", description="The passcode of a table.")
]
InvitedNames = Annotated[
    tuple[Name, ...], Meta(max_length=MOST_INVITED, description="Names of players."), refused_as("unknown_name")
]
PasscodeWanted = Annotated[
    bool, Meta(description="Whether to create a passcode with which other players may sit down.")
]
BotsAsked = Annotated[
    int, Meta(ge=0, le=MOST_SEATS, description="For how many of its last seats the table wants bots.")
]
HouseBotsAsked = Annotated[
    tuple[Level, ...],
    Meta(max_length=OPPONENTS, description="The levels of the server bots at the table, by seat."),
    refused_as("unknown_level", "too_many_house_bots"),
]
IsListed = Annotated[bool, Meta(description="Whether the table is in everyone's lists.")]
RatingWanted = Annotated[
    bool,
    Meta(description="Whether the game counts for ratings."),
    refused_as("unlisted", "rated_without_clock", "rated_too_slow", "rated_practice"),
]

_FOR_WHOM = """
`listed`: if false, only you, seated players, and invited players find the table in lists. `invited`: if present, even
empty, or if `passcode` is true, only these players and players with the passcode may sit down. `bots`: for how many of
its last seats the table wants bots, run by anyone; people may sit there too. `house_bots`: the levels of server bots
that sit down at once on the last seats; the seats for `bots` come before them. `rated`: if true, the game
counts for ratings. The table must be listed, and by sitting down, players agree to be rated. `chat`: the rooms of its
chat, `players`, `spectators`, or both; none by default. `position`: what stands on the table when the game starts. The
game is then practice, and counts for no rating and no record. `seat`: one that server bots leave free, so that you can
take it.
""".strip()

NEW_GAMES: tuple[type[Struct], ...] = tuple(
    msgspec.defstruct(
        f"New{ruleset.view_type.__name__.removesuffix('View')}Game",
        [
            ("setup", ruleset.setup, ruleset.setup()),
            ("listed", IsListed, True),
            ("invited", InvitedNames | None, None),
            ("passcode", PasscodeWanted, False),
            ("bots", BotsAsked, 0),
            ("rated", RatingWanted, False),
            ("house_bots", HouseBotsAsked, ()),
            ("position", Annotated[PositionFields | None, refused_as("bad_position")], None),
            ("chat", ChatRooms, ()),
            ("seat", Seat | None, None),
        ],
        frozen=True,
        forbid_unknown_fields=True,
        tag=ruleset.name,
        tag_field="ruleset",
        namespace={"__doc__": f"Open a game of {ruleset.title}.\n\n{_FOR_WHOM}"},
    )
    for ruleset in CURRENT.values()
)
"""The bodies that open games, one type per rule set, tagged by `ruleset`."""


class Games(Struct, frozen=True):
    """A page of games. `next` continues the list as ``before``; null at its end.

    `incomplete`: games are missing, because a part of the database is down; ask again later. `ratings`: the players'
    ratings in the rule set of their table, for those who have one.
    """

    games: Annotated[tuple[TableView, ...], Meta(max_length=100)]
    next: Cursor | None
    incomplete: bool
    ratings: tuple[SeatedRating, ...]


class Join(Struct, frozen=True, forbid_unknown_fields=True):
    """Take a seat: the given one, or the first that is free. `passcode`: that of the table, if you are not invited by
    name. `name`: of a companion, who needs one.
    """

    seat: Seat | None = None
    entropy: Entropy = ""
    passcode: Passcode | None = None
    name: NameWanted | None = None


class Invite(Struct, frozen=True, forbid_unknown_fields=True):
    """Whom to `invite`, and whom to `uninvite`; a player in both is uninvited. `passcode`: `new` creates one, which
    replaces the old, `none` removes it, and `keep` changes nothing.
    """

    invite: InvitedNames = ()
    uninvite: InvitedNames = ()
    passcode: Literal["keep", "new", "none"] = "keep"


class Invitations(Struct, frozen=True):
    """Who may sit down at a table in addition to its opener.

    `closed`: only these may; otherwise anybody. `invited`: those invited by name. `has_passcode`: whether there is a
    passcode. `passcode`: a newly created one, shown only once.
    """

    game: UUID
    closed: bool
    invited: tuple[KnownPlayer, ...]
    has_passcode: bool
    passcode: Passcode | None


class Commands(Struct, frozen=True, forbid_unknown_fields=True):
    """One or several commands, carried out in order, all or nothing."""

    commands: Annotated[
        list[Annotated[Raw, Meta(extra_json_schema={"$ref": "#/components/schemas/Command"})]],
        Meta(min_length=1, max_length=64),
    ]


class GameView(AtMoment, frozen=True):
    """A game after event `seq`.

    `table`: the common part of all games, the same for everybody.
    `view`: this game's own part, as the caller may see it.
    `branch_of`: the moment of another game that this one goes on from; only branches have it. `series`: its place in a
    series; only tables of a series have it.
    """

    table: TableView
    view: Annotated[Raw, Meta(extra_json_schema={"$ref": "#/components/schemas/View"})]
    branch_of: Annotated[Moment, Meta(description="Where in another game a branch goes on from.")] | UnsetType = UNSET
    series: Annotated[SeriesTable, Meta(description="The place of a table in a series.")] | UnsetType = UNSET


class NewlyOpened(GameView, frozen=True, kw_only=True):
    """A new game. `table`: the common part of all games. `view`: this game's own part. `passcode`: that of its table,
    if one was requested; it is shown only once.
    """

    passcode: Passcode | None


class Offer(offers.Offer, frozen=True, kw_only=True):
    """Something a seat may do now: the command, the rule that allows it, a sentence, and each field's values.

    `command`: the `type` of the command; expect unknown ones, because later versions can add some. `price`: what one
    piece costs or earns, in money, if all pieces have the same price.
    """

    sentence: Sentence


class StandingInstruction(Struct, frozen=True):
    """What the caller wants done when its seat is asked in others' turns.

    `command`: as it was sent. `off`: the guard that switched it off, by the name of its field; null while it is on.
    """

    command: Annotated[Raw, Meta(extra_json_schema={"$ref": "#/components/schemas/Command"})]
    off: Code | None


class Offers(AtMoment, frozen=True):
    """What the caller's seat may do now. `to_move` lists whom the game waits for.

    `offers`: what the game asks of the seat; empty if others are to move. `besides`: what it may do at any time of a
    running game, whoever is to move: resign, propose an end, answer such a proposal. A player that picks any offer at
    random picks from `offers`. `instruction`: what it wants done in others' turns, null for nothing.
    """

    seat: Seat
    to_move: Now
    offers: tuple[Offer, ...]
    besides: tuple[Offer, ...]
    instruction: StandingInstruction | None = None


ViewForm = Literal["whole", "patch"]
"""The form of views in a stream: each complete, or after the first one only the changes."""
AnyView = Annotated[Raw, Meta(extra_json_schema={"$ref": "#/components/schemas/View"})]
HeadTag = Annotated[str, Meta(pattern='^"[0-9]+-[0-9a-f]{64}"$')]


class NextMove(Struct, frozen=True):
    """What the caller's seat decides on: its `view` of the game, and its `offers`.

    `etag`: send it as `If-Match` with what you choose, so that it is refused if the game has moved on.
    """

    view: AnyView
    offers: Offers
    etag: HeadTag


class Events(AtMoment, frozen=True):
    """A page of the log. `seq` and `hash` are the head; `next` continues the page as ``after``, null at the end."""

    events: Annotated[tuple[EventItem, ...], Meta(max_length=1000)]
    next: Seq | None


class Result(AtMoment, frozen=True):
    """The results of the commands: the events, the new head, and the `table` as it is then.

    In a trial nothing was appended, and `undecided` is the number, from 0, of the last command if that one needs chance
    or reveals sealed events: it is legal, but its results cannot be shown. Null otherwise.

    `undone`: the request was answered before, and some of its moves were taken back since. `told`: for a trial, the
    events in sentences; otherwise use the replay. `next`: with `offers=true`, what the caller sees and may do now.
    """

    seat: Seat | None
    events: tuple[EventItem, ...]
    table: TableView
    undecided: Annotated[int, Meta(ge=0, le=63)] | None
    undone: bool = False
    told: tuple[Sentence, ...] = ()
    next: NextMove | UnsetType = UNSET


class Health(Struct, frozen=True):
    """The server responds."""

    status: Literal["ok"]


class Readiness(Struct, frozen=True):
    """The server can play. `away`: nodes of its database that do not answer; their games must wait. `failing`:
    background tasks that had an unexpected error, and restart in a few seconds.
    """

    status: Literal["ok"]
    away: Annotated[tuple[Annotated[str, Meta(max_length=40)], ...], Meta(max_length=1000)]
    failing: Annotated[tuple[Code, ...], Meta(max_length=100)]


class Index(Struct, frozen=True):
    """Addresses to start from. `chat`: whether tables here can have a chat."""

    name: Text
    version: Version
    openapi: Path
    rulesets: Path
    games: Path
    chat: bool
