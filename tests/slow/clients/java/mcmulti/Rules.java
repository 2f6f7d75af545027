import java.util.List;
import mcmulti.model.*;

/** What is the box game's own. */
final class Rules {
  static final int SEATS = 2;

  static NewMcMultiGame newGame() {
    return new NewMcMultiGame().ruleset(NewMcMultiGame.RulesetEnum.MCMULTI).setup(new Setup().seats(SEATS));
  }

  /** Any value of the fields that not every rule set has. */
  static Object anyValue(Object field, boolean lively) {
    return Games.any(((SiteChoice) field).getOptions());
  }

  /** Who is where in the end. */
  static List<String> places(McMultiView view) {
    return view.getStandings().stream()
        .map(place -> place.getRank() + ". " + view.getSeats().get(place.getSeat()).getName() + ": " + place.getCash())
        .toList();
  }
}
