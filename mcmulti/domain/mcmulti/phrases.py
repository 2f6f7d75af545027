"""The box game's additional phrases in sentences: the ghost, owners, lists of sites and pieces."""

from collections.abc import Iterable
from itertools import groupby

from mcmulti.domain.core.wording.telling import Language
from mcmulti.domain.mcmulti.components import COMPONENTS, NEWS, NewsName
from mcmulti.domain.mcmulti.state import Due, State
from mcmulti.domain.oil import phrases as common
from mcmulti.domain.oil.names import Quadrants, Site


class Phrases(common.Phrases, room=__package__):
    """Phrases in one language, at one moment of the game: players have the names they have then."""

    __slots__ = ("_owners", "_target", "_unpaid", "forced")

    QUADRANTS = COMPONENTS["board"]["quadrants"]
    SAID = (*common.Phrases.SAID, (Quadrants, "owned"), (tuple[Site, ...], "sites"))

    def __init__(self, state: State | None, language: Language) -> None:
        super().__init__(state, language)
        self.forced = state is not None and state.phase == "news"
        """Whether assets are sold because news demands money."""
        self._unpaid = "idle" if state is None else state.setup.unpaid_clean_up
        self._target = 0 if state is None else state.setup.target
        self._owners = () if state is None else state.owners

    def who(self, seat: int | None) -> str:
        """A player's name, or the ghost inside a sentence. Raises `LookupError` for a seat that does not exist."""
        return self.phrase("ghost") if seat is None else super().who(seat)

    def target(self) -> str:
        """The amount with which victory can be declared."""
        return self.money(self._target)

    def unpaid(self) -> str:
        """What happens if no more clean-ups are paid."""
        return self.phrase(f"unpaid_{self._unpaid}")

    def closes(self, card: NewsName) -> str:
        """The market that news closes."""
        return self.word(NEWS[card].closes or "")

    def seated(self, seat: int | None, quadrant: int) -> str:
        """A player and a quadrant."""
        return self.phrase("seated", who=self.who(seat), quadrant=self.quadrant(quadrant))

    def owned(self, quadrants: Iterable[int]) -> str:
        """Quadrants in order, each with its owner."""
        return self.listing([self.seated(self._owners[quadrant], quadrant) for quadrant in quadrants])

    def sites(self, sites: Iterable[Site]) -> str:
        """Several sites, grouped by quadrant."""
        groups = []
        for quadrant, members in groupby(sites, key=lambda site: site.quadrant):
            lines = self.listing([self.line(site) for site in members], "; ")
            groups.append(self.phrase("sites", lines=lines, quadrant=self.quadrant(quadrant)))
        return "; ".join(groups)

    def owed(self, dues: Iterable[Due]) -> str:
        """How much each player owes."""
        return ", ".join([self.told(due.seat, self.money(due.amount)) for due in dues])
