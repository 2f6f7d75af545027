"""The news cards: which are open, in force, or done."""

from typing import Literal

from msgspec.structs import replace

from mcmulti.domain.core.chance import Draw
from mcmulti.domain.core.event import Event
from mcmulti.domain.mcmulti.components import NEWS, NewsName
from mcmulti.domain.mcmulti.phrases import Phrases
from mcmulti.domain.mcmulti.state import Play, State


class NewsTurnedOver(Event, frozen=True):
    """A news card was turned over. `draw` chose it from the pile; None if it came from under the pile."""

    card: NewsName
    place: Literal["likelier", "less_likely"]
    draw: Draw | None

    def evolve(self, state: State) -> State:
        news = state.news
        if self.draw is None:
            news = replace(news, under=news.under[1:])
        else:
            news = replace(news, pile=tuple(card for card in news.pile if card != self.card))
        news = replace(news, **{self.place: self.card})
        draws = state.draws if self.draw is None else self.draw.number
        if state.phase == "news":
            return replace(state, news=news, draws=draws, phase="dice", turn=replace(state.now, card=None))
        return replace(state, news=news, draws=draws)

    def form(self, say: Phrases) -> Literal["pile", "under"]:
        return "under" if self.draw is None else "pile"


class NewsMovedUp(Event, frozen=True):
    """The less likely news became the more likely one."""

    card: NewsName

    def evolve(self, state: State) -> State:
        return replace(state, news=replace(state.news, likelier=self.card, less_likely=None))


class NewsTriggered(Event, frozen=True):
    """News happened."""

    card: NewsName

    def evolve(self, state: State) -> State:
        news = state.news
        news = replace(
            news,
            likelier=None if news.likelier == self.card else news.likelier,
            less_likely=None if news.less_likely == self.card else news.less_likely,
            active=(*news.active, self.card),
        )
        return replace(state, news=news, phase="news", turn=replace(state.now, card=self.card))

    def form(self, say: Phrases) -> Literal["plain", "closing"]:
        return "closing" if NEWS[self.card].closes else "plain"


class NewsDiscarded(Event, frozen=True):
    """A news card was done and went under the pile."""

    card: NewsName

    def evolve(self, state: State) -> State:
        news = state.news
        active = tuple(card for card in news.active if card != self.card)
        return replace(state, news=replace(news, active=active, under=(*news.under, self.card)))

    def form(self, say: Phrases) -> Literal["plain", "reopening"]:
        return "reopening" if NEWS[self.card].closes else "plain"


def turn_over(play: Play, place: Literal["likelier", "less_likely"], rule: str) -> None:
    """Turn over the top card. Chance decides among the cards whose order nobody knows (`setup/news`)."""
    news = play.state.news
    if news.pile:
        draw = play.draw(len(news.pile))
        play.record(NewsTurnedOver(news.pile[draw.value - 1], place, draw), rule)
    else:
        play.record(NewsTurnedOver(news.under[0], place, None), rule)
