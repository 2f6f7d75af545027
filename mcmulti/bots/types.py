"""What strategies get and answer: views, offers and commands of all games, typed as the contract has them.

They are the dicts that JSON makes, so nothing has to be converted, and nothing is checked when a program runs: they are
for editors and type checkers. A key that is `NotRequired` has a default, and may be left out of commands; the server
tells it all the same. This file is generated from the OpenAPI documents by ``make docs``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, NotRequired, TypeAlias, TypedDict

# fmt: off

class EveryView(TypedDict):
    """What the views of all games have."""
    status: Literal["finished", "open", "running"]
    """Whether it is open, running, or finished."""
    commitment: str
    """The SHA-256 of the secret seed."""
    seed: str | None
    """The secret seed that all draws come from, null until the game is over."""

class EverySetup(TypedDict):
    """What all setups have."""
    if_left: NotRequired[Literal["bot", "passes", "sold", "substitute"]]
    """What happens to the seat of a player who leaves a running game (`table/resign`). `substitute`: anyone may take
    it. `bot`: a house bot plays until the player returns. `sold`: its assets are sold. `passes`: it passes until
    the end.
    """
    practice: NotRequired[bool]
    """Whether the game is for practice (`table/practice`): it counts for no rating and no record, and the opener may
    play several seats.
    """

class Offer(TypedDict):
    """Something a seat may do now: the command, the rule that allows it, a sentence, and each field's values.
    """
    command: str
    """The `type` of the command; expect unknown ones, because later versions can add some."""
    rule: str
    """Id of a rule in its rule set."""
    fields: NotRequired[dict[str, Field]]
    """Possible values of each field of the command."""
    price: NotRequired[int | None]
    """What one piece costs or earns, in money, if all pieces have the same price."""
    blocked_by: NotRequired[str | None]
    """A stable code for programs."""
    sentence: str
    """A sentence for display."""

class McMultiView(EveryView):
    """A game of McMulti as one reader sees it."""
    ruleset: Literal["mcmulti"]
    """Name of the rule set."""
    phase: Literal["assets", "dice", "market", "neighbours", "news", "over", "production", "purchase", "seating"]
    """The current part of the turn."""
    you: int | None
    """The reader's seat, null for spectators."""
    to_move: list[int]
    """The seats the game waits for, before the start those that have not agreed to it."""
    setup: Setup
    """What was agreed on when the table was opened."""
    seats: list[SeatView]
    """The players and their property."""
    quadrants: list[QuadrantView]
    """The four quadrants of the board, with their assets."""
    markets: list[MarketView]
    """Each good on each market."""
    consumer: ConsumerView
    """The consumer market."""
    economy: EconomyView
    """The economy card in force."""
    news: NewsView
    """The news cards."""
    turn: TurnView | None
    """The current turn, null before the first."""
    declared_by: int | None
    """The seat that declared victory, null if none did."""
    last_turns: list[int] | None
    """The quadrants that still have a turn after the declaration, null before it."""
    still: int
    """How many turns began since anybody's cash, barrels, or assets last changed; ten rounds of them, 40, end the
    game (`table/standstill`).
    """
    standings: list[Standing]
    """The final ranking, the best first; empty before the end."""
    winners: list[int]
    """The seats that won, empty until the game is over, and if it was called off."""

class PostalView(EveryView):
    """A game by post as one reader sees it."""
    ruleset: Literal["postal"]
    """Name of the rule set."""
    phase: Literal["orders", "over", "refereeing", "seating"]
    """The current part of the round."""
    you: int | None
    """The reader's seat, null for spectators."""
    to_move: list[int]
    """The seats the game waits for, before the start those that have not agreed to it."""
    setup: PostalSetup
    """What was agreed on when the table was opened."""
    seats: list[SeatView]
    """The players and their property."""
    quadrants: list[QuadrantView]
    """The four quadrants of the board, with their assets."""
    markets: list[MarketView]
    """Each good on each market."""
    climate: ClimateView
    """The economy."""
    round: int
    """Its number, from 1, 0 before the start."""
    order: list[int]
    """The seats in the order in which this round's turns are played."""
    orders: list[OrdersView]
    """Who sent a sheet for the round, and what they can sell and convert."""
    sheet: OrderSheet | None
    """The reader's own for this round, null if there is none."""
    later: list[LaterSheet]
    """The reader's own for later rounds, in their order."""
    standing: OrderSheet | None
    """The reader's own for all rounds without another, null if there is none."""
    still: int
    """How many turns began since anybody's cash, barrels, or assets last changed; ten rounds of them, 40, end the
    game (`table/standstill`).
    """
    standings: list[Standing]
    """The final ranking, the best first; empty before the end."""
    winners: list[int]
    """The seats that won, empty until the game is over, and if it was called off."""

class MillionenspielView(EveryView):
    """A game as one reader sees it."""
    ruleset: Literal["millionenspiel"]
    """Name of the rule set."""
    you: int | None
    """The reader's seat, null for spectators."""
    to_move: list[int]
    """The seats the game waits for, before the start those that have not agreed to it."""
    setup: MillionenspielSetup
    """What was agreed on when the table was opened."""
    phase: Literal["declining", "over", "seating", "staking", "starting"]
    """The current part of the round."""
    round: int
    """The number of the round, from 1; 0 before the first."""
    seats: list[PlayerView]
    """The players and their property."""
    roller: int | None
    """The seat that has the dice, null before the start."""
    track: list[Literal["beige", "black", "blue", "green", "red", "yellow"]]
    """The colors of the fields, from the arrow on."""
    field: int
    """The pawn's field, from 0, which has the arrow."""
    colour: Literal["beige", "black", "blue", "green", "red", "yellow"]
    """The color of that field."""
    throws: list[Throw]
    """The throws of this round that count, in order."""
    decider: int | None
    """The result of the die on black, null if none was thrown."""
    at_stake: list[int]
    """The seats that can still have a million in this round."""
    winners: list[int]
    """The seats that won, empty until the game is over, and if it was called off."""

class MarraCashView(EveryView):
    """A game of MarraCash as one reader sees it."""
    ruleset: Literal["marracash"]
    """Name of the rule set."""
    you: int | None
    """The reader's seat, null for spectators."""
    to_move: list[int]
    """The seats the game waits for, before the start those that have not agreed to it."""
    setup: MarraCashSetup
    """What was agreed on when the table was opened."""
    seats: list[DealerView]
    """The players and their property."""
    phase: Literal["actions", "bidding", "entrances", "over", "seating", "setting_up"]
    """The current part of the turn."""
    turn: int
    """The number of the turn, from 1; 0 before the first."""
    round: int
    """The number of the round, from 1; 0 before the first."""
    start_player: int | None
    """The seat that begins every round, null before the start."""
    seat: int | None
    """The seat whose turn it is, null for none."""
    actions: int
    """How many actions this turn has left."""
    shops: list[ShopView]
    """Every shop of the town."""
    fountains: list[FountainView]
    """Every fountain of the town."""
    queue: list[Literal["blue", "green", "purple", "red", "yellow"]]
    """The colors of those who wait outside, from the front on."""
    souvenirs: list[Souvenir]
    """The open cards (`souvenirs/open`)."""
    unseen_souvenirs: int
    """How many cards have not been open yet; 0 if the game is played without them."""
    auction: Auction | None
    """The shop that is up for auction, null for none."""
    ceilings: list[int]
    """The seats that have set a ceiling for this auction (`auction/ceiling`)."""
    your_ceiling: int | None
    """The reader's own, in dirham, null for none."""
    last_turns: int | None
    """How many turns come after this one, null before the last round."""
    quiet_rounds: int
    """How many rounds in a row nothing happened that keeps the game going (`table/standstill`)."""
    winners: list[int]
    """The seats that won, empty until the game is over, and if it was called off."""

class LeaveSeat(TypedDict):
    """Leave the table before the game starts (`table/leave`)."""
    type: Literal["LeaveSeat"]

class AgreeToStart(TypedDict):
    """Agree to start the game with the players seated now (`table/start`)."""
    type: Literal["AgreeToStart"]

class StartGame(TypedDict):
    """Start the game (`table/start`)."""
    type: Literal["StartGame"]

class EndPurchases(TypedDict):
    """End this quadrant's turn in the special purchase round (`purchase/round`)."""
    type: Literal["EndPurchases"]

class BuyBarrels(TypedDict):
    """Buy barrels on a market (`market/buy`)."""
    type: Literal["BuyBarrels"]
    market: Literal["domestic", "foreign"]
    """The domestic or the foreign market."""
    good: Literal["crude", "gasoline"]
    """Crude or gasoline."""
    quantity: int
    """Barrels."""

class SellBarrels(TypedDict):
    """Sell barrels on a market (`market/sell`)."""
    type: Literal["SellBarrels"]
    market: Literal["domestic", "foreign"]
    """The domestic or the foreign market."""
    good: Literal["crude", "gasoline"]
    """Crude or gasoline."""
    quantity: int
    """Barrels."""

class RollDice(TypedDict):
    """End the market phase and roll the production dice (`dice/production-roll`)."""
    type: Literal["RollDice"]

class SellGasoline(TypedDict):
    """Sell barrels of gasoline to the consumers through productive stations (`production/station`)."""
    type: Literal["SellGasoline"]
    quantity: int
    """Barrels."""

class RefineCrude(TypedDict):
    """Turn barrels of crude into gasoline in productive refineries (`production/refinery`)."""
    type: Literal["RefineCrude"]
    quantity: int
    """Barrels."""

class PumpCrude(TypedDict):
    """Pump barrels of crude from productive wells, two or four a well (`production/well`)."""
    type: Literal["PumpCrude"]
    quantity: int
    """Barrels."""

class StrikeOil(TypedDict):
    """Turn the doubly productive rig into a well (`production/rig`)."""
    type: Literal["StrikeOil"]
    site: Site
    """Where it stands."""

class EndProduction(TypedDict):
    """Operate nothing else (`production/order`)."""
    type: Literal["EndProduction"]

class BuyAsset(TypedDict):
    """Buy an asset and place it at once (`purchase/round`, `assets/buy`)."""
    type: Literal["BuyAsset"]
    kind: Literal["refinery", "rig", "station"]
    """Kind."""
    site: Site
    """Where it stands."""

class SellAsset(TypedDict):
    """Sell an asset (`assets/sell`, `forced/sale`, `news/global-warming-threat`)."""
    type: Literal["SellAsset"]
    kind: Literal["refinery", "rig", "station", "well"]
    """Kind."""
    site: Site
    """Where it stands."""

class CleanUp(TypedDict):
    """Pay for the clean-up of an idle refinery (`news/global-warming-threat`)."""
    type: Literal["CleanUp"]
    site: Site
    """Where it stands."""

class EndCleanUp(TypedDict):
    """Leave the other refineries idle for now, or let them be sold (`news/global-warming-threat`)."""
    type: Literal["EndCleanUp"]

class EndTurn(TypedDict):
    """End the turn (`turn/phases`)."""
    type: Literal["EndTurn"]

class DeclareVictory(TypedDict):
    """Declare victory and end the turn (`end/declare`)."""
    type: Literal["DeclareVictory"]

class Resign(TypedDict):
    """Leave the running game for good (`table/resign`)."""
    type: Literal["Resign"]

class ProposeEnd(TypedDict):
    """Propose to all players to end the game now (`table/propose-end`)."""
    type: Literal["ProposeEnd"]
    how: Literal["call_off", "rank"]
    """How players end a game early: with the final sale and ranking now (`rank`), or without a winner (`call_off`).
    """

class AnswerEnd(TypedDict):
    """Agree to a proposal to end the game, or refuse it (`table/propose-end`)."""
    type: Literal["AnswerEnd"]
    how: Literal["call_off", "rank"]
    """How players end a game early: with the final sale and ranking now (`rank`), or without a winner (`call_off`).
    """
    accept: bool
    """Whether the seat agrees."""

class GrantTime(TypedDict):
    """Grant the asked seat the clock's time for a move once more (`table/grace`)."""
    type: Literal["GrantTime"]
    seat: int
    """Seat number, from 0."""

class TakeBack(TypedDict):
    """Take back your latest moves, if nobody else moved and nothing was drawn after them (`table/undo`)."""
    type: Literal["TakeBack"]
    moves: int
    """How many moves, latest first."""

class AskTakeBack(TypedDict):
    """Ask the others to take back moves, including moves of other players (`table/undo`)."""
    type: Literal["AskTakeBack"]
    moves: int
    """How many moves, latest first."""

class AnswerTakeBack(TypedDict):
    """Allow or refuse another player's request to take moves back (`table/undo`)."""
    type: Literal["AnswerTakeBack"]
    accept: bool
    """Whether to allow it."""

class Instruct(TypedDict):
    """Say what to operate when the game asks you as a neighbor (`table/instruct`)."""
    type: Literal["Instruct"]
    orders: NotRequired[OperatingOrders | None]
    """Your orders; null removes them."""

class SubmitOrders(TypedDict):
    """Send an order sheet for a round, replacing one sent for it before (`postal/orders`)."""
    type: Literal["SubmitOrders"]
    round: int
    """The one it is for: this one, or a later one once the sheet for this one is in (`postal/later`)."""
    sheet: OrderSheet
    """The orders."""

class WithdrawOrders(TypedDict):
    """Take back the sheet sent for a round, as if none had been sent for it (`postal/orders`)."""
    type: Literal["WithdrawOrders"]
    round: int
    """This one, or a later one. For a later one, a standing sheet then applies again, if there is one; for this one
    no sheet applies.
    """

class SetStanding(TypedDict):
    """Send a sheet that applies to a round and all after it, until another standing sheet is sent
    (`postal/standing`).
    """
    type: Literal["SetStanding"]
    round: int
    """The first it is for: this one, or a later one once the sheet for this one is in (`postal/later`)."""
    sheet: OrderSheet
    """The orders."""

class EndStanding(TypedDict):
    """End the standing orders; the sheet for this round stays as it is (`postal/standing`)."""
    type: Literal["EndStanding"]
    round: int
    """The one that waits for orders; any other is refused."""

class HoldRound(TypedDict):
    """Hold or release the round. While anybody holds it, it is refereed only at the deadline (`postal/orders`).
    """
    type: Literal["HoldRound"]
    round: int
    """Which one; any other is refused."""
    hold: bool
    """Whether to hold it."""

class WriteOrders(TypedDict):
    """Send an order sheet as text in the notation. It is stored as the `SubmitOrders` or `SetStanding` that it
    means.
    """
    type: Literal["WriteOrders"]
    round: int
    """The one it is for."""
    text: str
    """The orders. Can be refused with 422: `unread_orders` (the text of the orders could not be parsed)."""
    standing: NotRequired[bool]
    """Whether they also apply to all rounds after that."""

class BuyPension(TypedDict):
    """Buy the next pension card, for exactly these pieces (`pension/buy`)."""
    type: Literal["BuyPension"]
    ones: NotRequired[int]
    """Pieces of a kind that are paid."""
    tens: NotRequired[int]
    """Pieces of a kind that are paid."""
    hundreds: NotRequired[int]
    """Pieces of a kind that are paid."""
    thousands: NotRequired[int]
    """Pieces of a kind that are paid."""
    ten_thousands: NotRequired[int]
    """Pieces of a kind that are paid."""

class Stake(TypedDict):
    """Stake these pieces, or pass with none (`stake/pieces`)."""
    type: Literal["Stake"]
    ones: NotRequired[int]
    """Pieces of a kind that are staked."""
    tens: NotRequired[int]
    """Pieces of a kind that are staked."""
    hundreds: NotRequired[int]
    """Pieces of a kind that are staked."""
    thousands: NotRequired[int]
    """Pieces of a kind that are staked."""
    ten_thousands: NotRequired[int]
    """Pieces of a kind that are staked."""
    hundred_thousands: NotRequired[int]
    """Pieces of a kind that are staked."""

class AcceptThrow(TypedDict):
    """Let the first throw stand (`roll/decline`)."""
    type: Literal["AcceptThrow"]

class DeclineThrow(TypedDict):
    """Throw once more to replace the first throw (`roll/decline`)."""
    type: Literal["DeclineThrow"]

class PutUp(TypedDict):
    """Put a shop up for auction, with a first bid in dirham (`auction/offer`)."""
    type: Literal["PutUp"]
    shop: Literal[
        "B1", "B2", "B3", "B4", "B5", "G1", "G2", "G3", "G4", "G5", "P1", "P2", "P3", "P4", "P5", "R1", "R2", "R3",
        "R4", "R5", "Y1", "Y2", "Y3", "Y4", "Y5"
    ]
    """Name of a shop: the letter of its color, and a number."""
    bid: int
    """Dirham."""

class Bid(TypedDict):
    """Bid more, in dirham, for the shop that is put up (`auction/bids`)."""
    type: Literal["Bid"]
    bid: int
    """Dirham."""

class PassBid(TypedDict):
    """Bid no more for the shop that is put up (`auction/bids`)."""
    type: Literal["PassBid"]

class BidUpTo(TypedDict):
    """Set a ceiling for this auction, in dirham, replacing an earlier one (`auction/ceiling`)."""
    type: Literal["BidUpTo"]
    most: int
    """The most to bid. Only the player who sets it can read it until the game is over."""

class WithdrawCeiling(TypedDict):
    """Withdraw the ceiling: from now on only bids made by hand count (`auction/ceiling`)."""
    type: Literal["WithdrawCeiling"]

class MoveGroup(TypedDict):
    """Lead all visitors of a fountain along a street to the next (`move/group`)."""
    type: Literal["MoveGroup"]
    fountain: int
    """Number of a fountain."""
    to: int
    """Number of a fountain."""

class LetIn(TypedDict):
    """Let visitors in from an end of the queue, to an empty entrance (`entrance/refill`)."""
    type: Literal["LetIn"]
    entrance: int
    """Number of a fountain."""
    end: Literal["back", "front"]
    """The end of the queue they come from."""
    visitors: int
    """Visitors, in a row."""

class Setup(EverySetup):
    """The setup of a game of McMulti."""
    seats: NotRequired[int]
    """How many sit at the table (`setup/seats`)."""
    target: NotRequired[Literal[750, 1000]]
    """The cash, in millions of dollars, that allows a declaration of victory (`setup/target`). If omitted, it is
    750.
    """
    first_seat: NotRequired[int | None]
    """Who starts; decided by dice if omitted (`setup/first-player`)."""
    consumer_track: NotRequired[ConsumerTrack | None]
    """The consumer market of your own board (`consumer/red-fields`), null for ours."""
    refinery_sales: NotRequired[Literal["box", "postal"]]
    """What refineries are sold for in rapid growth, prosperity, and downturn (`economy/cards`): as in the `box`
    game, or as in the `postal` rules.
    """
    unpaid_clean_up: NotRequired[Literal["idle", "sold"]]
    """What becomes of refineries whose clean-up is not paid (`news/global-warming-threat`): they stand `idle`, or
    are `sold` at once.
    """
    last_turns: NotRequired[Literal["both", "one"]]
    """With two players, how many turns the opponent has after a declaration (`end/last-round`): one with each of
    `both` quadrants, or `one`.
    """
    instructions: NotRequired[int | None]
    """Seconds after which seats answer that are asked during other players' turns. The delay hides whether standing
    instructions answered. Null turns standing instructions off (`table/instruct`).
    """
    clock: NotRequired[Clock | None]
    """Time limits for moves; null for none (`table/clock`)."""
    undo: NotRequired[Literal["agreed", "no", "own"]]
    """Whether moves can be taken back (`table/undo`). `own`: your own moves, until another player moves or something
    is drawn. `agreed`: also earlier moves up to the last draw, if all other players agree.
    """

class SeatView(TypedDict):
    """A seat: its player and property."""
    seat: int
    """Its number."""
    player: str | None
    """The id of its player, null for an empty seat."""
    name: str | None
    """The player's name, null also if no name is known."""
    cash: int
    """In millions of dollars."""
    crude: int
    """Barrels of crude."""
    gasoline: int
    """Barrels of gasoline."""
    quadrants: list[int]
    """The numbers of the quadrants that it owns."""

class QuadrantView(TypedDict):
    """A quadrant of the board."""
    quadrant: int
    """Its number, clockwise from 0."""
    owner: int | None
    """The seat that owns it, null for the ghost."""
    assets: list[AssetView]
    """The assets there."""

class MarketView(TypedDict):
    """One good on one market."""
    market: Literal["domestic", "foreign"]
    """Which market."""
    good: Literal["crude", "gasoline"]
    """Which good."""
    barrels: int
    """How many are there."""
    buy: int | None
    """The price of the next barrel, in millions of dollars, null if the market is empty."""
    sell: int | None
    """What the next barrel brings, in millions of dollars, null if it is full."""

class ConsumerView(TypedDict):
    """The consumer market."""
    price: int
    """The price of its cheapest barrel, in millions of dollars."""
    barrels: int
    """How many are there."""
    next_sale: int | None
    """What the next barrel of gasoline brings at a pump, in millions of dollars, null if none can be sold.
    """

class EconomyView(TypedDict):
    """The economy card in force."""
    card: Literal["depression", "downturn", "expansion", "prosperity", "rapid_growth", "recession", "recovery"]
    """Its name."""
    buy: dict[str, int]
    """The price of each kind of asset, in millions of dollars."""
    sell: dict[str, int]
    """What each kind brings, in millions of dollars."""
    demand: int
    """By how many red fields the consumer price moves when this card comes."""
    difference: int
    """The value of the difference track; at 8 the economy changes."""

class NewsView(TypedDict):
    """The news cards."""
    likelier: (
        Literal["debt_reduction_tax", "domestic_price_freeze", "foreign_embargo", "global_warming_threat",
        "long_cold_winter", "snap_inspection", "state_sales_tax", "world_market_uncertainty"] | None
    )
    """The open card that a double 1 or 3 brings, null for none."""
    less_likely: (
        Literal["debt_reduction_tax", "domestic_price_freeze", "foreign_embargo", "global_warming_threat",
        "long_cold_winter", "snap_inspection", "state_sales_tax", "world_market_uncertainty"] | None
    )
    """The open card that a double 6 brings, null for none."""
    active: list[
        Literal["debt_reduction_tax", "domestic_price_freeze", "foreign_embargo", "global_warming_threat",
        "long_cold_winter", "snap_inspection", "state_sales_tax", "world_market_uncertainty"]
    ]
    """The cards in force."""
    pile: int
    """How many cards the pile has."""

class TurnView(TypedDict):
    """The current turn."""
    number: int
    """Its number, from 1."""
    quadrant: int
    """The quadrant whose turn it is."""
    seat: int | None
    """Who plays it, null for the ghost."""
    market: Literal["domestic", "foreign"] | None
    """The market that this turn trades on, null as long as none is chosen."""
    red: int
    """The red die, 0 before the roll."""
    black: int
    """The black die, 0 before the roll."""
    operating: int | None
    """The quadrant that produces now, null if none does."""
    news: (
        Literal["debt_reduction_tax", "domestic_price_freeze", "foreign_embargo", "global_warming_threat",
        "long_cold_winter", "snap_inspection", "state_sales_tax", "world_market_uncertainty"] | None
    )
    """The card that happens now, null for none."""
    dues: list[Due]
    """What each seat owes for it, in the order of paying."""

class Standing(TypedDict):
    """A player's place at the end."""
    seat: int
    """Its number."""
    rank: int
    """Its place, from 1; seats with equal cash and barrels share one."""
    cash: int
    """In millions of dollars, after the final sale."""
    barrels: int
    """How many of both goods."""

class PostalSetup(EverySetup):
    """The setup of a game of McMulti by post."""
    seats: NotRequired[Literal[4]]
    """Always four. If omitted, it is 4."""
    round_hours: NotRequired[int]
    """How long players have for their order sheets each round, in hours."""
    grace_hours: NotRequired[int]
    """How many hours longer the referee waits for late players."""
    third_double: NotRequired[Literal["again", "stands"]]
    """What happens to a double that would change the climate a third time in a round (`postal/two-changes`): it is
    rolled `again`, or it `stands` and changes nothing.
    """

class ClimateView(TypedDict):
    """The economy."""
    climate: Literal["depression", "downturn", "expansion", "prosperity", "rapid_growth", "recession", "recovery"]
    """The economic climate."""
    buy: dict[str, int]
    """The price of each kind of asset, in millions of dollars."""
    sell: dict[str, int]
    """What each kind brings, in millions of dollars."""
    demand: int
    """By how many key steps the consumer price rises when this climate comes."""
    changes: int
    """How often the climate changed in this round."""
    strike_cost: int
    """The price of the next conversion of a rig, in millions of dollars."""
    consumer_price: int | None
    """What the next barrel of gasoline brings at a pump, in millions of dollars, null if none can be sold.
    """

class OrdersView(TypedDict):
    """A seat in this round."""
    seat: int
    """Its number."""
    submitted: bool
    """Whether its sheet is in."""
    holds: bool
    """Whether it holds the round."""
    hits: list[AssetView]
    """Its assets that it can sell."""
    strike: Site | None
    """The rig that it can convert, null for none."""

class OrderSheet(TypedDict):
    """What a player wants done in its turn of a round."""
    orders: NotRequired[list[AssetOrder]]
    """Phase 1, in the order written."""
    trades: NotRequired[list[TradeOrder]]
    """Phase 2, on one of the two markets."""
    pumps: NotRequired[PumpOrder]
    """Phase 3; if omitted, pumps sell what they can. At most 200 lines, 8 deep, 1000 lines and conditions in all.
    """

class LaterSheet(TypedDict):
    """A sheet that waits for its round."""
    round: int
    """Which one."""
    sheet: OrderSheet
    """Orders for a round."""
    standing: bool
    """Whether it also applies to all rounds after that."""

class MillionenspielSetup(EverySetup):
    """The setup of a game."""
    seats: NotRequired[int]
    """How many play (`setup/players`)."""
    clock: NotRequired[Clock | None]
    """Time limits for moves; null for none (`table/clock`)."""
    undo: NotRequired[Literal["agreed", "no", "own"]]
    """Whether moves can be taken back (`table/undo`). `own`: your own moves, until another player moves or something
    is drawn. `agreed`: also earlier moves up to the last draw, if all other players agree.
    """

class PlayerView(TypedDict):
    """A seat: its player and property."""
    seat: int
    """Its number."""
    player: str | None
    """The id of its player, null for an empty seat."""
    name: str | None
    """The player's name, null also if no name is known."""
    money: int
    """All of it, in hand and at stake."""
    purse: Pieces
    """The pieces in hand."""
    stake: Pieces
    """The pieces at stake."""
    pension: Literal[5, 50, 500] | None
    """The pension card, by the amount it pays, null before the start."""

class Throw(TypedDict):
    """Two dice."""
    first: Draw
    """The first die."""
    second: Draw
    """The second die."""

class MarraCashSetup(EverySetup):
    """The setup of a game of MarraCash."""
    seats: NotRequired[int]
    """How many play (`setup/seats`)."""
    commission: NotRequired[Literal["customer", "move"]]
    """What decides the commission for a customer (`customer/commission`): what the shop takes in the move (`move`),
    or what the customer pays (`customer`).
    """
    souvenirs: NotRequired[Literal["none", "open"]]
    """Whether customers buy souvenirs from two `open` cards (`souvenirs/open`), or `none`."""
    clock: NotRequired[Clock | None]
    """Time limits for moves; null for none (`table/clock`)."""
    undo: NotRequired[Literal["agreed", "no", "own"]]
    """Whether moves can be taken back (`table/undo`). `own`: your own moves, until another player moves or something
    is drawn. `agreed`: also earlier moves up to the last draw, if all other players agree.
    """

class DealerView(TypedDict):
    """A seat: its player and property."""
    seat: int
    """Its number."""
    player: str | None
    """The id of its player, null for an empty seat."""
    name: str | None
    """The player's name, null also if no name is known."""
    cash: int
    """In dirham."""
    signs: int
    """How many shops it can still have."""

class ShopView(TypedDict):
    """A shop."""
    shop: Literal[
        "B1", "B2", "B3", "B4", "B5", "G1", "G2", "G3", "G4", "G5", "P1", "P2", "P3", "P4", "P5", "R1", "R2", "R3",
        "R4", "R5", "Y1", "Y2", "Y3", "Y4", "Y5"
    ]
    """The letter of its color, and a number."""
    colour: Literal["blue", "green", "purple", "red", "yellow"]
    """Its color, which is that of the visitors who enter it."""
    owner: int | None
    """The seat whose sign is on it, null if it is not sold."""
    customers: int
    """How many are in it."""

class FountainView(TypedDict):
    """A fountain."""
    fountain: int
    """Its number."""
    entrance: bool
    """Whether new visitors come in there."""
    streets_to: list[int]
    """The fountains to which a street leads."""
    visitors: Crowd
    """The visitors there, by color."""

class Souvenir(TypedDict):
    """A card: the `colour` of the shops that can sell it, and what it brings them, in `dirham`. No two are alike.
    """
    colour: Literal["blue", "green", "purple", "red", "yellow"]
    """The color of a shop, and of the visitors who enter it. A card: the `colour` of the shops that can sell it, and
    what it brings them, in `dirham`.
    """
    dirham: int
    """Dirham. A card: the `colour` of the shops that can sell it, and what it brings them, in `dirham`."""

class Auction(TypedDict):
    """A shop that is up for auction."""
    shop: Literal[
        "B1", "B2", "B3", "B4", "B5", "G1", "G2", "G3", "G4", "G5", "P1", "P2", "P3", "P4", "P5", "R1", "R2", "R3",
        "R4", "R5", "Y1", "Y2", "Y3", "Y4", "Y5"
    ]
    """Its name."""
    auctioneer: int
    """The seat that put it up."""
    bid: int
    """The highest so far, in dirham."""
    bidder: int
    """The seat that made it."""
    asked: int | None
    """The seat that is asked now, null for none."""
    passed: NotRequired[list[int]]
    """The seats that are out of this auction."""

class TextChoice(TypedDict):
    """A field that takes one of the listed texts. `limited_by` is the limit that keeps other values out."""
    type: Literal["TextChoice"]
    options: list[str]
    """Possible values."""
    limited_by: NotRequired[str | None]
    """A stable code for programs. `limited_by` is the limit that keeps other values out."""

class NumberChoice(TypedDict):
    """A field that takes one of the listed numbers, or can be omitted if `optional`. `limited_by` is the limit that
    keeps other numbers out.
    """
    type: Literal["NumberChoice"]
    options: list[int]
    """Possible values."""
    limited_by: NotRequired[str | None]
    """A stable code for programs. `limited_by` is the limit that keeps other numbers out."""
    optional: NotRequired[bool]
    """A field that takes one of the listed numbers, or can be omitted if `optional`."""

class FlagChoice(TypedDict):
    """A field that is true or false, as listed. `limited_by` is the limit that keeps the other value out."""
    type: Literal["FlagChoice"]
    options: list[bool]
    """Possible values."""
    limited_by: NotRequired[str | None]
    """A stable code for programs. `limited_by` is the limit that keeps the other value out."""

class Range(TypedDict):
    """A field that takes an integer from `min` to `max` in steps of `step`; `limited_by` names what sets `max`. If
    money changes hands, `prices` has the price of each piece in order, in money: n pieces cost the sum of the
    first n.
    """
    type: Literal["Range"]
    min: int
    """Minimum. A field that takes an integer from `min` to `max` in steps of `step`; `limited_by` names what sets
    `max`.
    """
    max: int
    """Maximum. A field that takes an integer from `min` to `max` in steps of `step`; `limited_by` names what sets
    `max`.
    """
    limited_by: str
    """A stable code for programs. A field that takes an integer from `min` to `max` in steps of `step`; `limited_by`
    names what sets `max`.
    """
    step: NotRequired[int]
    """Step between values. A field that takes an integer from `min` to `max` in steps of `step`; `limited_by` names
    what sets `max`.
    """
    prices: NotRequired[list[int]]
    """If money changes hands, `prices` has the price of each piece in order, in money: n pieces cost the sum of the
    first n.
    """

class Form(TypedDict):
    """A field that takes any value of the `schema` of this name, or null if `optional`."""
    type: Literal["Form"]
    schema: str
    """Name of a schema. A field that takes any value of the `schema` of this name, or null if `optional`."""
    limits: NotRequired[dict[str, int]]
    """How large it may be, by code of refusal."""
    optional: NotRequired[bool]
    """A field that takes any value of the `schema` of this name, or null if `optional`."""

class SiteChoice(TypedDict):
    """A field that takes one of the listed sites. `limited_by` is the limit that keeps other sites out."""
    type: Literal["SiteChoice"]
    options: list[Site]
    """Possible values."""
    limited_by: NotRequired[str | None]
    """A stable code for programs. `limited_by` is the limit that keeps other sites out."""

class StreetChoice(TypedDict):
    """A field that takes a fountain to which a street leads, with what each street would bring. `limited_by` is the
    limit that keeps other fountains out.
    """
    type: Literal["StreetChoice"]
    options: list[int]
    """Possible values."""
    limited_by: NotRequired[str | None]
    """A stable code for programs. `limited_by` is the limit that keeps other fountains out."""
    prospects: NotRequired[list[Prospect]]
    """What each of the streets would bring."""

class Site(TypedDict):
    """A site on the board: quadrant 0 to 3, row and column 1 to 6. A refinery is named by its top-left site.
    """
    quadrant: int
    """Number of a quadrant, clockwise from 0."""
    row: int
    """Row, from 1."""
    column: int
    """Column, from 1."""

class OperatingOrders(TypedDict):
    """What a seat wants operated when it is asked as a neighbor; nothing by default."""
    sell_from: NotRequired[int | None]
    """Sell gasoline as long as a barrel brings at least this much, in millions of dollars; null: sell none.
    """
    keep_gasoline: NotRequired[int]
    """Barrels of it to keep."""
    refine: NotRequired[bool]
    """Whether to refine what can be."""
    keep_crude: NotRequired[int]
    """Barrels of crude to keep then."""
    pump: NotRequired[bool]
    """Whether to pump what can be."""
    away_operates: NotRequired[bool]
    """Its own assets operate as a neighbor's do."""
    away_cleans_up: NotRequired[bool]
    """Pay for each clean-up that the cash covers."""
    away_sells: NotRequired[Literal["refinery", "rig", "station", "well"] | None]
    """The kind of asset to sell first for a tax that the cash does not cover."""
    cash_below: NotRequired[int | None]
    """Millions of dollars. When the seat is asked, the instruction switches off if its cash is below `cash_below`,
    if the next barrel of gasoline brings less than `price_below` or more than `price_above`, or if the current
    turn is after number `after_turn`.
    """
    price_below: NotRequired[int | None]
    """Millions of dollars. When the seat is asked, the instruction switches off if its cash is below `cash_below`,
    if the next barrel of gasoline brings less than `price_below` or more than `price_above`, or if the current
    turn is after number `after_turn`.
    """
    price_above: NotRequired[int | None]
    """Millions of dollars. When the seat is asked, the instruction switches off if its cash is below `cash_below`,
    if the next barrel of gasoline brings less than `price_below` or more than `price_above`, or if the current
    turn is after number `after_turn`.
    """
    after_turn: NotRequired[int | None]
    """When the seat is asked, the instruction switches off if its cash is below `cash_below`, if the next barrel of
    gasoline brings less than `price_below` or more than `price_above`, or if the current turn is after number
    `after_turn`.
    """

class ConsumerTrack(TypedDict):
    """A custom price track of the consumer market (`consumer/red-fields`), in millions of dollars."""
    red_fields: list[int]
    """The prices of its red fields, from the lowest."""
    prices: NotRequired[list[int] | None]
    """The prices of all its fields, from the lowest; null for 1 to 80 by 1."""

class Clock(TypedDict):
    """How long a seat may take to answer."""
    move_seconds: int
    """Seconds for each move."""
    bank_seconds: NotRequired[int]
    """Extra seconds of a seat, once for the whole game."""
    misses: NotRequired[int]
    """A seat is vacated after missing this many moves, if they were not cleared before (`table/clock`)."""

class AssetView(TypedDict):
    """An asset on the board."""
    kind: Literal["refinery", "rig", "station", "well"]
    """What it is."""
    site: Site
    """Where it is; for a refinery, its top-left site."""
    idle: bool
    """Whether it is a refinery that waits for its clean-up and cannot refine."""

class Due(TypedDict):
    """A seat the news waits for."""
    seat: int
    """Its number."""
    amount: int
    """What it owes, in millions of dollars; 0 for a clean-up, which is optional."""

class Pieces(TypedDict):
    """Numbers of pieces of each kind: chips of 1, 10, and 100, notes of 1000, 10000, and 100000."""
    ones: NotRequired[int]
    """Chips of 1."""
    tens: NotRequired[int]
    """Chips of 10."""
    hundreds: NotRequired[int]
    """Chips of 100."""
    thousands: NotRequired[int]
    """Notes of 1000."""
    ten_thousands: NotRequired[int]
    """Notes of 10000."""
    hundred_thousands: NotRequired[int]
    """Notes of 100000."""

class Draw(TypedDict):
    """One draw: its number in the game (from 1), how many sides the die has, and the value, 1 to sides."""
    number: int
    """Its number, from 1."""
    sides: int
    """Number of sides of the die."""
    value: int
    """What it showed, from 1."""

class Crowd(TypedDict):
    """Visitors who stand together, by color."""
    red: NotRequired[int]
    """Visitors, or customers."""
    blue: NotRequired[int]
    """Visitors, or customers."""
    green: NotRequired[int]
    """Visitors, or customers."""
    yellow: NotRequired[int]
    """Visitors, or customers."""
    purple: NotRequired[int]
    """Visitors, or customers."""

class Prospect(TypedDict):
    """What a street to a fountain would bring: the shops on the way, in order, and who enters them."""
    to: int
    """Number of a fountain."""
    passes: list[
        Literal["B1", "B2", "B3", "B4", "B5", "G1", "G2", "G3", "G4", "G5", "P1", "P2", "P3", "P4", "P5", "R1", "R2",
        "R3", "R4", "R5", "Y1", "Y2", "Y3", "Y4", "Y5"]
    ]
    """Shops that are passed, in order."""
    entering: list[Entering]
    """Who would enter which shop, in the order of the shops."""

class SellAssetOrder(TypedDict):
    """Sell an asset that the player's own last roll hit."""
    type: Literal["SellAssetOrder"]
    kind: Literal["refinery", "rig", "station", "well"]
    """Kind."""
    plot: Plot
    """Where it is; for a refinery, any of its sites."""

class ConvertRigOrder(TypedDict):
    """Convert the rig that had a double hit into a well."""
    type: Literal["ConvertRigOrder"]
    plot: NotRequired[Plot | None]
    """Where it is; wherever it is if omitted."""
    keep: NotRequired[int]
    """The cash that must be left, in millions of dollars."""

class BuyAssetOrder(TypedDict):
    """Buy an asset and place it."""
    type: Literal["BuyAssetOrder"]
    kind: Literal["refinery", "rig", "station"]
    """Kind."""
    plot: Plot
    """Where."""
    keep: NotRequired[int]
    """The cash that must be left, in millions of dollars."""

IfOrder = TypedDict("IfOrder", {
    "type": 'Literal["IfOrder"]',
    "condition": 'Condition',
    "then": 'NotRequired[list[AssetOrder]]',
    "else": 'NotRequired[list[AssetOrder]]',
})
"""A choice in phase 1. `condition`: what decides. `then`: if it holds. `else`: if it does not."""

class BuyBarrelsOrder(TypedDict):
    """Buy barrels, one by one as far as possible."""
    type: Literal["BuyBarrelsOrder"]
    market: Literal["domestic", "foreign"]
    """The domestic or the foreign market."""
    good: Literal["crude", "gasoline"]
    """Crude or gasoline."""
    quantity: int | Literal["max"]
    """How many, or max."""
    not_above: NotRequired[int | None]
    """The highest price to pay for a barrel, in millions of dollars; any if omitted."""
    keep: NotRequired[int]
    """The cash that must be left, in millions of dollars."""

class SellBarrelsOrder(TypedDict):
    """Sell barrels, one by one as far as possible."""
    type: Literal["SellBarrelsOrder"]
    market: Literal["domestic", "foreign"]
    """The domestic or the foreign market."""
    good: Literal["crude", "gasoline"]
    """Crude or gasoline."""
    quantity: int | Literal["max"]
    """How many, or max."""
    not_below: NotRequired[int | None]
    """The lowest price to take for a barrel, in millions of dollars; any if omitted."""
    keep: NotRequired[int]
    """The barrels of the good that must be left; with a `quantity` of max, all but these are sold."""

IfTrade = TypedDict("IfTrade", {
    "type": 'Literal["IfTrade"]',
    "condition": 'Condition',
    "then": 'NotRequired[list[TradeOrder]]',
    "else": 'NotRequired[list[TradeOrder]]',
})
"""A choice in phase 2. `condition`: what decides. `then`: if it holds. `else`: if it does not."""

class SellAtPumps(TypedDict):
    """Let pumps sell what they can, within limits."""
    type: Literal["SellAtPumps"]
    not_below: NotRequired[int]
    """The lowest price of a sale, in millions of dollars."""
    each: NotRequired[int]
    """The most barrels that a pump sells when it is hit; a double hit allows 2."""
    at: NotRequired[list[PumpAt]]
    """Pumps with another limit."""
    at_most: NotRequired[int | None]
    """The most barrels that all pumps sell in the whole round; any number if omitted."""
    keep: NotRequired[int]
    """The barrels of gasoline that must be left."""

class HoldPumps(TypedDict):
    """Let pumps sell nothing."""
    type: Literal["HoldPumps"]

IfPumps = TypedDict("IfPumps", {
    "type": 'Literal["IfPumps"]',
    "condition": 'Condition',
    "then": 'NotRequired[PumpOrder]',
    "else": 'NotRequired[PumpOrder]',
})
"""A choice whenever pumps are hit. `condition`: what decides. `then`: if it holds. `else`: if not."""

class Entering(TypedDict):
    """Customers who enter a shop of"""
    shop: Literal[
        "B1", "B2", "B3", "B4", "B5", "G1", "G2", "G3", "G4", "G5", "P1", "P2", "P3", "P4", "P5", "R1", "R2", "R3",
        "R4", "R5", "Y1", "Y2", "Y3", "Y4", "Y5"
    ]
    """Name of a shop: the letter of its color, and a number."""
    owner: int
    """Seat number, from 0. Customers who enter a shop of `owner`: what they pay, and the commission of the player
    who brings them.
    """
    customers: int
    """Visitors, or customers."""
    income: int
    """Dirham."""
    commission: int
    """Dirham."""
    souvenirs: NotRequired[list[Souvenir]]
    """The cards they also buy there."""

class Plot(TypedDict):
    """A site of a quadrant: row and column 1 to 6. A standing refinery is named by any of its four sites. To buy a
    refinery, name its top-left site.
    """
    row: int
    """Row, from 1."""
    column: int
    """Column, from 1."""

class PumpAt(TypedDict):
    """A pump with its own limit."""
    plot: Plot
    """Where it is."""
    each: int
    """The most barrels it sells when it is hit."""

class ClimateIs(TypedDict):
    """The climate is one of `climates`."""
    type: Literal["ClimateIs"]
    climates: list[
        Literal["depression", "downturn", "expansion", "prosperity", "rapid_growth", "recession", "recovery"]
    ]
    """The climate is one of `climates`."""

class PriceIs(TypedDict):
    """The price of the next barrel on a market, in millions of dollars. It holds from `at_least` to `at_most`; omit
    either for no bound. It never holds if there is no such price, because the market is empty or full.
    """
    type: Literal["PriceIs"]
    at_least: NotRequired[int | None]
    """It holds from `at_least` to `at_most`; omit either for no bound."""
    at_most: NotRequired[int | None]
    """It holds from `at_least` to `at_most`; omit either for no bound."""
    deal: Literal["buy", "sell"]
    """Whether the barrel would be bought or sold."""
    market: Literal["domestic", "foreign"]
    """The domestic or the foreign market."""
    good: Literal["crude", "gasoline"]
    """Crude or gasoline."""

class ConsumerPriceIs(TypedDict):
    """What the next sale of a pump brings, in millions of dollars: from `at_least` to `at_most`. It never holds
    while consumers buy nothing.
    """
    type: Literal["ConsumerPriceIs"]
    at_least: NotRequired[int | None]
    """What the next sale of a pump brings, in millions of dollars: from `at_least` to `at_most`."""
    at_most: NotRequired[int | None]
    """What the next sale of a pump brings, in millions of dollars: from `at_least` to `at_most`."""

class CashIs(TypedDict):
    """A player's cash, in millions of dollars: from `at_least` to `at_most`."""
    type: Literal["CashIs"]
    at_least: NotRequired[int | None]
    """A player's cash, in millions of dollars: from `at_least` to `at_most`."""
    at_most: NotRequired[int | None]
    """A player's cash, in millions of dollars: from `at_least` to `at_most`."""
    seat: NotRequired[int | None]
    """Whose; your own if omitted."""

class BarrelsAre(TypedDict):
    """A player's barrels of a good: from `at_least` to `at_most`."""
    type: Literal["BarrelsAre"]
    at_least: NotRequired[int | None]
    """A player's barrels of a good: from `at_least` to `at_most`."""
    at_most: NotRequired[int | None]
    """A player's barrels of a good: from `at_least` to `at_most`."""
    good: Literal["crude", "gasoline"]
    """Crude or gasoline."""
    seat: NotRequired[int | None]
    """Whose; your own if omitted."""

class AssetsAre(TypedDict):
    """A player's assets on the board: from `at_least` to `at_most` pieces."""
    type: Literal["AssetsAre"]
    at_least: NotRequired[int | None]
    """A player's assets on the board: from `at_least` to `at_most` pieces."""
    at_most: NotRequired[int | None]
    """A player's assets on the board: from `at_least` to `at_most` pieces."""
    kind: NotRequired[Literal["refinery", "rig", "station", "well"] | None]
    """Of which kind; of all if omitted."""
    seat: NotRequired[int | None]
    """Whose; your own if omitted."""

class AssetAt(TypedDict):
    """An asset is on a site."""
    type: Literal["AssetAt"]
    plot: Plot
    """Where; for a refinery, any of its four sites."""
    kind: NotRequired[Literal["refinery", "rig", "station", "well"] | None]
    """Of which kind; of any if omitted."""
    seat: NotRequired[int | None]
    """In whose quadrant; in your own if omitted."""
    hit: NotRequired[bool]
    """Whether its owner's own last roll must have hit it, so that it can be sold."""

class ConversionsAre(TypedDict):
    """Rigs converted by all players in the whole game: from `at_least` to `at_most`."""
    type: Literal["ConversionsAre"]
    at_least: NotRequired[int | None]
    """Rigs converted by all players in the whole game: from `at_least` to `at_most`."""
    at_most: NotRequired[int | None]
    """Rigs converted by all players in the whole game: from `at_least` to `at_most`."""

class ClimateChangesAre(TypedDict):
    """Changes of the climate so far this round: from `at_least` to `at_most`."""
    type: Literal["ClimateChangesAre"]
    at_least: NotRequired[int | None]
    """Changes of the climate so far this round: from `at_least` to `at_most`."""
    at_most: NotRequired[int | None]
    """Changes of the climate so far this round: from `at_least` to `at_most`."""

class RoundIs(TypedDict):
    """The number of the current round: from `at_least` to `at_most`."""
    type: Literal["RoundIs"]
    at_least: NotRequired[int | None]
    """The number of the current round: from `at_least` to `at_most`."""
    at_most: NotRequired[int | None]
    """The number of the current round: from `at_least` to `at_most`."""

class AssetDealsAre(TypedDict):
    """Assets bought, sold, or converted so far in this round: from `at_least` to `at_most`, one or more if omitted.
    """
    type: Literal["AssetDealsAre"]
    at_least: NotRequired[int | None]
    """Assets bought, sold, or converted so far in this round: from `at_least` to `at_most`, one or more if omitted.
    """
    at_most: NotRequired[int | None]
    """Assets bought, sold, or converted so far in this round: from `at_least` to `at_most`, one or more if omitted.
    """
    deed: Literal["bought", "converted", "sold"]
    """What was done."""
    kind: NotRequired[Literal["refinery", "rig", "station", "well"] | None]
    """With which kind; with any if omitted."""
    plot: NotRequired[Plot | None]
    """Where; anywhere if omitted."""
    seat: NotRequired[int | None]
    """By whom; by all together if omitted."""

class BarrelDealsAre(TypedDict):
    """Barrels bought or sold so far in this round: from `at_least` to `at_most`, one or more if omitted."""
    type: Literal["BarrelDealsAre"]
    at_least: NotRequired[int | None]
    """Barrels bought or sold so far in this round: from `at_least` to `at_most`, one or more if omitted."""
    at_most: NotRequired[int | None]
    """Barrels bought or sold so far in this round: from `at_least` to `at_most`, one or more if omitted."""
    deed: NotRequired[Literal["bought", "sold"] | None]
    """What was done; both together if omitted."""
    good: NotRequired[Literal["crude", "gasoline"] | None]
    """Of which good; of both if omitted."""
    market: NotRequired[Literal["consumers", "domestic", "foreign"] | None]
    """Where, including consumers at pumps; anywhere if omitted."""
    seat: NotRequired[int | None]
    """By whom; by all together if omitted."""

class RollsAre(TypedDict):
    """Rolls so far in this round: from `at_least` to `at_most`, one or more if omitted; not those rolled again.
    """
    type: Literal["RollsAre"]
    at_least: NotRequired[int | None]
    """Rolls so far in this round: from `at_least` to `at_most`, one or more if omitted; not those rolled again.
    """
    at_most: NotRequired[int | None]
    """Rolls so far in this round: from `at_least` to `at_most`, one or more if omitted; not those rolled again.
    """
    row: NotRequired[int | None]
    """The number on the red die; any if omitted."""
    column: NotRequired[int | None]
    """The number on the black die; any if omitted."""
    double: NotRequired[bool | None]
    """Whether both are the same; either if omitted."""
    seat: NotRequired[int | None]
    """For whose turn; for all together if omitted."""

class LineWas(TypedDict):
    """The outcome of an earlier line of phases 1 and 2 of this sheet. It never holds for a line that was not
    reached.
    """
    type: Literal["LineWas"]
    line: int
    """Its number."""
    outcome: NotRequired[Literal["in_full", "in_part", "skipped"] | None]
    """Carried out in full, in part, or skipped; in full or in part if omitted. An `if` is carried out in full when
    its condition holds, and skipped when it does not.
    """

class Compares(TypedDict):
    """Two quantities compared: one is more than the other, or at least as much, and so on. It never holds if there
    is no such price.
    """
    type: Literal["Compares"]
    quantity: Quantity
    """The one that must be more."""
    other: Quantity
    """The one it is compared with."""
    relation: NotRequired[Literal["at_least", "at_most", "equal", "less", "more"]]
    """How they must relate."""
    plus: NotRequired[int]
    """Added to the other first; can be negative."""

class AllOf(TypedDict):
    """All of the `conditions` hold."""
    type: Literal["AllOf"]
    conditions: list[Condition]
    """All of the `conditions` hold."""

class AnyOf(TypedDict):
    """At least one of the `conditions` holds."""
    type: Literal["AnyOf"]
    conditions: list[Condition]
    """At least one of the `conditions` holds."""

class Not(TypedDict):
    """The `condition` does not hold."""
    type: Literal["Not"]
    condition: Condition
    """The `condition` does not hold."""

class CashOf(TypedDict):
    """A player's cash, in millions of dollars."""
    type: Literal["CashOf"]
    seat: NotRequired[int | None]
    """Whose; your own if omitted."""

class BarrelsOf(TypedDict):
    """A player's barrels of a good."""
    type: Literal["BarrelsOf"]
    good: Literal["crude", "gasoline"]
    """Crude or gasoline."""
    seat: NotRequired[int | None]
    """Whose; your own if omitted."""

class AssetsOf(TypedDict):
    """A player's assets on the board."""
    type: Literal["AssetsOf"]
    kind: NotRequired[Literal["refinery", "rig", "station", "well"] | None]
    """Of which kind; of all if omitted."""
    seat: NotRequired[int | None]
    """Whose; your own if omitted."""

class PriceOf(TypedDict):
    """The price of the next barrel on a market, in millions of dollars; none if the market is empty or full.
    """
    type: Literal["PriceOf"]
    deal: Literal["buy", "sell"]
    """Whether the barrel would be bought or sold."""
    market: Literal["domestic", "foreign"]
    """The domestic or the foreign market."""
    good: Literal["crude", "gasoline"]
    """Crude or gasoline."""

class ConsumerPriceNow(TypedDict):
    """What the next sale of a pump brings, in millions of dollars; none while consumers buy nothing."""
    type: Literal["ConsumerPriceNow"]

class AssetDealsOf(TypedDict):
    """Assets that were bought, sold, or converted so far in this round."""
    type: Literal["AssetDealsOf"]
    deed: Literal["bought", "converted", "sold"]
    """What was done."""
    kind: NotRequired[Literal["refinery", "rig", "station", "well"] | None]
    """With which kind; with any if omitted."""
    plot: NotRequired[Plot | None]
    """Where; anywhere if omitted."""
    seat: NotRequired[int | None]
    """By whom; by all together if omitted."""

class BarrelDealsOf(TypedDict):
    """Barrels that were bought or sold so far in this round, including pumps."""
    type: Literal["BarrelDealsOf"]
    deed: NotRequired[Literal["bought", "sold"] | None]
    """What was done; both together if omitted."""
    good: NotRequired[Literal["crude", "gasoline"] | None]
    """Of which good; of both if omitted."""
    market: NotRequired[Literal["consumers", "domestic", "foreign"] | None]
    """Where; anywhere if omitted."""
    seat: NotRequired[int | None]
    """By whom; by all together if omitted."""

View: TypeAlias = McMultiView | PostalView | MillionenspielView | MarraCashView
"""A game as one reader sees it, by rule set."""

Command: TypeAlias = (
    LeaveSeat | AgreeToStart | StartGame | EndPurchases | BuyBarrels | SellBarrels | RollDice | SellGasoline |
    RefineCrude | PumpCrude | StrikeOil | EndProduction | BuyAsset | SellAsset | CleanUp | EndCleanUp | EndTurn |
    DeclareVictory | Resign | ProposeEnd | AnswerEnd | GrantTime | TakeBack | AskTakeBack | AnswerTakeBack |
    Instruct | SubmitOrders | WithdrawOrders | SetStanding | EndStanding | HoldRound | WriteOrders | BuyPension |
    Stake | AcceptThrow | DeclineThrow | PutUp | Bid | PassBid | BidUpTo | WithdrawCeiling | MoveGroup | LetIn
)
"""What a seat can send."""

Field: TypeAlias = TextChoice | NumberChoice | FlagChoice | Range | Form | SiteChoice | StreetChoice
"""The values that a field of a command may have."""

AssetOrder: TypeAlias = SellAssetOrder | ConvertRigOrder | BuyAssetOrder | IfOrder
"""A line of an order sheet for phase 1."""

TradeOrder: TypeAlias = BuyBarrelsOrder | SellBarrelsOrder | IfTrade
"""A line of an order sheet for phase 2."""

PumpOrder: TypeAlias = SellAtPumps | HoldPumps | IfPumps
"""What pumps do in phase 3."""

Condition: TypeAlias = (
    ClimateIs | PriceIs | ConsumerPriceIs | CashIs | BarrelsAre | AssetsAre | AssetAt | ConversionsAre |
    ClimateChangesAre | RoundIs | AssetDealsAre | BarrelDealsAre | RollsAre | LineWas | Compares | AllOf | AnyOf |
    Not
)
"""What may be asked of the game in an order sheet."""

Quantity: TypeAlias = CashOf | BarrelsOf | AssetsOf | PriceOf | ConsumerPriceNow | AssetDealsOf | BarrelDealsOf
"""What a condition can compare."""

McMultiCommand: TypeAlias = (
    LeaveSeat | AgreeToStart | StartGame | EndPurchases | BuyBarrels | SellBarrels | RollDice | SellGasoline |
    RefineCrude | PumpCrude | StrikeOil | EndProduction | BuyAsset | SellAsset | CleanUp | EndCleanUp | EndTurn |
    DeclareVictory | Resign | ProposeEnd | AnswerEnd | GrantTime | TakeBack | AskTakeBack | AnswerTakeBack |
    Instruct
)
"""What a seat can send."""

PostalCommand: TypeAlias = (
    LeaveSeat | AgreeToStart | StartGame | Resign | ProposeEnd | AnswerEnd | SubmitOrders | WithdrawOrders |
    SetStanding | EndStanding | HoldRound | WriteOrders
)
"""What a seat can send."""

MillionenspielCommand: TypeAlias = (
    LeaveSeat | AgreeToStart | StartGame | Resign | ProposeEnd | AnswerEnd | GrantTime | TakeBack | AskTakeBack |
    AnswerTakeBack | BuyPension | Stake | AcceptThrow | DeclineThrow
)
"""What a seat can send."""

MarraCashCommand: TypeAlias = (
    LeaveSeat | AgreeToStart | StartGame | Resign | ProposeEnd | AnswerEnd | GrantTime | TakeBack | AskTakeBack |
    AnswerTakeBack | PutUp | Bid | PassBid | BidUpTo | WithdrawCeiling | MoveGroup | LetIn
)
"""What a seat can send."""

McMultiStrategy: TypeAlias = Callable[[McMultiView, list[Offer]], Sequence[McMultiCommand]]
"""What plays mcmulti."""

PostalStrategy: TypeAlias = Callable[[PostalView, list[Offer]], Sequence[PostalCommand]]
"""What plays postal."""

MillionenspielStrategy: TypeAlias = Callable[[MillionenspielView, list[Offer]], Sequence[MillionenspielCommand]]
"""What plays millionenspiel."""

MarraCashStrategy: TypeAlias = Callable[[MarraCashView, list[Offer]], Sequence[MarraCashCommand]]
"""What plays marracash."""
