import java.util.List;
import mcmulti.model.*;

/** What is MarraCash's own. */
final class Rules {
  static final int SEATS = 3;

  static NewMarraCashGame newGame() {
    return new NewMarraCashGame()
        .ruleset(NewMarraCashGame.RulesetEnum.MARRACASH)
        .setup(new MarraCashSetup().seats(SEATS));
  }

  /** Any value of the fields that not every rule set has. */
  static Object anyValue(Object field, boolean lively) {
    return Games.any(((StreetChoice) field).getOptions());
  }

  /** Who won. */
  static List<String> places(MarraCashView view) {
    return view.getWinners().stream()
        .map(seat -> "1. " + view.getSeats().get(seat).getName() + ": " + view.getSeats().get(seat).getCash())
        .toList();
  }
}
