"""A picture of the ring, its stakes, purses, and pension cards."""

from functools import cache, partial

from msgspec.structs import replace

from mcmulti.domain.core.shown import picture as core
from mcmulti.domain.core.shown.board import Kind, Piece, Ring, Space
from mcmulti.domain.core.shown.picture import Card, Picture, Pile, Said, Unit
from mcmulti.domain.core.wording.telling import Language, grouped, word
from mcmulti.domain.millionenspiel.components import CARDS, COMPONENTS, FACES, MILLION, TRACK
from mcmulti.domain.millionenspiel.pieces import LEAST_NOTE, VALUES, Pieces
from mcmulti.domain.millionenspiel.state import Millionenspiel, Player
from mcmulti.domain.millionenspiel.texts import Phrases

_OF_EACH_CARD: int = COMPONENTS["pension"]["each"]


def picture(state: Millionenspiel, language: Language) -> Picture:
    """The board at one moment."""
    said: Said = partial(word, Phrases.WORDS, language)
    pawn = Kind(said("pawn"), "P", "pawn")
    return Picture(
        language=language,
        title=_title(state, said),
        subtitle=_subtitle(state, said),
        units=_units(language),
        seats=_seats(state, said, language),
        board=Ring(
            said("track"), _spaces(state, said, pawn, language), Space(said("stakes"), pieces=_stakes(state, language))
        ),
        kinds=(pawn, *(_kind(value, language) for value in VALUES)),
        dice=_dice(state, said),
        cards=_cards(state, said, language),
        piles=(_pension_cards(state, said),),
        goal=MILLION,
        result=core.result(state, said, state.winners),
    )


def _title(state: Millionenspiel, said: Said) -> str:
    if state.phase == "over":
        return said("game_over")
    phase = said(state.phase)
    title = f"{said('round')} {state.round} · {phase}" if state.round else phase
    return title[:1].upper() + title[1:]


def _subtitle(state: Millionenspiel, said: Said) -> str:
    if not state.round or state.phase == "over":
        return ""
    roller = f"{core.called(state, said, state.roller)} {said('has_the_dice')}"
    field = f"{said('pawn')}: {state.pawn or '→'}, {said(state.colour)}"
    return " · ".join((roller, *([said("about_the_million")] if state.in_reach else []), field))


@cache
def _units(language: Language) -> tuple[Unit, ...]:
    said: Said = partial(word, Phrases.WORDS, language)
    pieces = (Unit(each, f"{{}} × {each}") for each in (grouped(value, language) for value in VALUES))
    return (Unit(said("money"), "{}"), *pieces, Unit(said("pension"), f"{said('pension')} {{}}"))


def _seats(state: Millionenspiel, said: Said, language: Language) -> tuple[core.Seat, ...]:
    waited_for = state.to_move
    totals = [player.money for player in state.players]
    return tuple(
        core.Seat(
            seat,
            name,
            _amounts(state.players[seat]) if state.players else (0,) * (len(VALUES) + 2),
            waited_for=seat in waited_for,
            notes=_notes(state, said, language, seat),
            rank=_rank(state, totals, seat),
        )
        for seat, name in enumerate(core.seated(state, said))
    )


def _notes(state: Millionenspiel, said: Said, language: Language, seat: int) -> tuple[str, ...]:
    """The seat's stake, if it had its turn to stake."""
    if not state.players or seat in state.waiting or state.phase not in ("staking", "declining"):
        return ()
    return (f"{said('staked')} {grouped(state.players[seat].stake.worth, language)}",)


def _rank(state: Millionenspiel, totals: list[int], seat: int) -> int | None:
    """The rank: the winner first, the others by their money."""
    if not state.winners:
        return None
    if seat in state.winners:
        return 1
    before = [other for other in range(len(totals)) if other in state.winners or totals[other] > totals[seat]]
    return 1 + len(before)


def _amounts(player: Player) -> tuple[int, ...]:
    """All its money, then the pieces of each kind in hand, and the pension card."""
    return (player.money, *player.purse.counts, player.pension)


def _kind(value: int, language: Language) -> Kind:
    """A piece of money, named by its value."""
    note = value >= LEAST_NOTE
    return Kind(grouped(value, language), "$" if note else "o", "note" if note else "coin")


def _spaces(state: Millionenspiel, said: Said, pawn: Kind, language: Language) -> tuple[Space, ...]:
    """The fields, and the pawn on one of them."""
    fields = _fields(language)
    here = replace(fields[state.pawn], pieces=(Piece(pawn),), marked=said("pawn"))
    return (*fields[: state.pawn], here, *fields[state.pawn + 1 :])


@cache
def _fields(language: Language) -> tuple[Space, ...]:
    said: Said = partial(word, Phrases.WORDS, language)
    return tuple(
        Space(str(number) if number else "→", Kind(said(colour), said(colour)[:1]), colour)
        for number, colour in enumerate(TRACK)
    )


def _stakes(state: Millionenspiel, language: Language) -> tuple[Piece, ...]:
    """The stakes in the middle of the board, each in front of its owner."""
    stakes = (_lying(seat, player.stake, language) for seat, player in enumerate(state.players))
    return tuple(piece for pieces in stakes for piece in pieces)


def _lying(seat: int, pieces: Pieces, language: Language) -> tuple[Piece, ...]:
    kinds = zip(VALUES, pieces.counts, strict=True)
    return tuple(Piece(_kind(value, language), seat, count=number) for value, number in kinds if number)


def _dice(state: Millionenspiel, said: Said) -> tuple[core.Die, ...]:
    """The last throw that counts, and the decider."""
    last = state.throws[-1:]
    dice = tuple(
        die
        for throw in last
        for die in (
            core.Die(said("first"), "red", throw.first.value),
            core.Die(said("second"), "beige", throw.second.value),
        )
    )
    return dice if state.decider is None else (*dice, core.Die(said("decider"), "black", state.decider))


def _cards(state: Millionenspiel, said: Said, language: Language) -> tuple[Card, ...]:
    """The effect of the decider, and a note if a million is at stake."""
    decided = () if state.decider is None else (Card(said("decider"), said(FACES[state.decider - 1])),)
    return (*decided, Card(said("million"), grouped(MILLION, language), in_force=True)) if state.in_reach else decided


def _pension_cards(state: Millionenspiel, said: Said) -> Pile:
    """The pension cards that nobody has."""
    card = Kind(said("pension_card"), "C", "card")
    held = [player.pension for player in state.players]
    pieces = (Piece(card, name=str(each), count=_OF_EACH_CARD - held.count(each)) for each in CARDS)
    return Pile(said("pension_cards"), tuple(piece for piece in pieces if piece.count))
