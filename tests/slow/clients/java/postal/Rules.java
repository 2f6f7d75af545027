import java.util.List;
import mcmulti.model.*;

/** What is the game by post's own. */
final class Rules {
  static final int SEATS = 4;

  static NewPostalGame newGame() {
    return new NewPostalGame().ruleset(NewPostalGame.RulesetEnum.POSTAL);
  }

  /** Any value of the fields that not every rule set has. */
  static Object anyValue(Object field, boolean lively) {
    if (field instanceof Form) {
      return lively ? sheet() : new OrderSheet();
    }
    return Games.any(((FlagChoice) field).getOptions());
  }

  /** Build a station while there is money, and fill it. */
  static OrderSheet sheet() {
    Plot plot = new Plot().row(Games.RANDOM.nextInt(6) + 1).column(Games.RANDOM.nextInt(6) + 1);
    BuyAssetOrder station = new BuyAssetOrder()
        .type(BuyAssetOrder.TypeEnum.BUY_ASSET_ORDER).kind(BuyAssetOrder.KindEnum.STATION).plot(plot);
    CashIs rich = new CashIs().type(CashIs.TypeEnum.CASH_IS).atLeast(60);
    IfOrder building = new IfOrder()
        .type(IfOrder.TypeEnum.IF_ORDER).condition(new Condition(rich)).then(List.of(new AssetOrder(station)));
    BuyBarrelsOrder barrels = new BuyBarrelsOrder()
        .type(BuyBarrelsOrder.TypeEnum.BUY_BARRELS_ORDER)
        .market(BuyBarrelsOrder.MarketEnum.DOMESTIC)
        .good(BuyBarrelsOrder.GoodEnum.GASOLINE)
        .quantity(new BuyBarrelsOrderQuantity("max"))
        .notAbove(16);
    return new OrderSheet().orders(List.of(new AssetOrder(building))).trades(List.of(new TradeOrder(barrels)));
  }

  /** Who is where in the end. */
  static List<String> places(PostalView view) {
    return view.getStandings().stream()
        .map(place -> place.getRank() + ". " + view.getSeats().get(place.getSeat()).getName() + ": " + place.getCash())
        .toList();
  }
}
