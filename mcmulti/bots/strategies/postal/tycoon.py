"""A sheet that plays to win: it buys what is worth more than its price, and allows for what others do first."""

from mcmulti.bots.strategies.postal.assets import orders, plan
from mcmulti.bots.strategies.postal.barrels import pumps, trades
from mcmulti.bots.strategies.postal.lines import sheet
from mcmulti.bots.strategies.postal.outlook import PostalOutlook, with_holdings
from mcmulti.bots.strategy import View
from mcmulti.client.json_object import Json


def tycoon_sheet(view: View, seat: int) -> Json:
    """A seat's sheet for the round of the view. It depends on nothing else, and has no side effects."""
    return sheet_by(PostalOutlook(view | {"you": seat}))


def sheet_by(outlook: PostalOutlook) -> Json:
    """The sheet of a player with this outlook."""
    left = plan(outlook)
    after = type(outlook)(with_holdings(outlook.view, left.cash, left.assets))
    return sheet(orders(outlook), trades(after), pumps(after))
