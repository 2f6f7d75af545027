import java.util.List;
import mcmulti.model.*;

/** What is the Millionenspiel's own. */
final class Rules {
  static final int SEATS = 3;

  static NewMillionenspielGame newGame() {
    return new NewMillionenspielGame()
        .ruleset(NewMillionenspielGame.RulesetEnum.MILLIONENSPIEL)
        .setup(new MillionenspielSetup().seats(SEATS));
  }

  /** Every field is one that other rule sets have, too. */
  static Object anyValue(Object field, boolean lively) {
    throw new IllegalArgumentException("Not a field of this rule set: " + field);
  }

  /** Who won. */
  static List<String> places(MillionenspielView view) {
    return view.getWinners().stream()
        .map(seat -> "1. " + view.getSeats().get(seat).getName() + ": " + view.getSeats().get(seat).getMoney())
        .toList();
  }
}
