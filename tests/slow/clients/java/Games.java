import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;
import mcmulti.ApiClient;
import mcmulti.ApiException;
import mcmulti.ApiResponse;
import mcmulti.api.GamesApi;
import mcmulti.api.LogApi;
import mcmulti.api.PlayApi;
import mcmulti.api.PlayersApi;
import mcmulti.model.*;

/**
 * Whole games on a client that openapi-generator generated for Java of the contract of one rule set: every seat is
 * played from here.
 *
 * <p>It opens a game, plays every seat to the end, reads the log in all its forms, and prints who won. What is the rule
 * set's own is in the class {@code Rules} that it is compiled with, {@code mcmulti/Rules.java} for one:
 *
 * <pre>java -cp ... Games http://127.0.0.1:8000</pre>
 */
public class Games {
  /** So many commands are any of those offered. Then everybody passes, and a game that stands still ends. */
  static final int LIVELY = 60;

  /** How likely a command is chosen, if not 1: who never ends a turn does not save. */
  static final Map<String, Double> LIKELY = Map.of(
      "RollDice", 3.0, "EndTurn", 3.0,
      "SellAsset", 0.2, "EndProduction", 0.2, "HoldRound", 0.2, "WithdrawOrders", 0.2,
      "SetStanding", 0.1, "EndStanding", 0.2);

  static final Set<String> PASSING = Set.of("RollDice", "EndProduction", "EndPurchases", "EndTurn", "SubmitOrders");
  static final Random RANDOM = new Random(20121);

  final String server;
  final List<Player> players = new ArrayList<>();
  final Set<String> chosen = new TreeSet<>();
  UUID game;
  int sent = 0;

  Games(String server) {
    this.server = server;
  }

  public static void main(String[] given) throws Exception {
    Games games = new Games(given[0]);
    games.open();
    System.out.println("Plays game " + games.game);
    games.play();
    System.out.println("Chose among: " + String.join(" ", games.chosen));
    games.read(games.players.get(0));
    Rules.places(games.players.get(0).games.getGame(games.game, null, null).getView()).forEach(System.out::println);
  }

  /** A player with a token, and a client that sends the token. */
  class Player {
    final ApiClient client;
    final GamesApi games;
    final PlayApi play;
    final LogApi log;
    final Consumer<HttpRequest.Builder> authorized;

    Player(String name) throws ApiException {
      PlayersApi anonymous = new PlayersApi(connected());
      String token = anonymous.registerPlayer(new NewPlayer().name(name), UUID.randomUUID().toString()).getToken();
      authorized = request -> request.header("Authorization", "Bearer " + token);
      client = connected().setRequestInterceptor(authorized);
      games = new GamesApi(client);
      play = new PlayApi(client);
      log = new LogApi(client);
    }

    private ApiClient connected() {
      ApiClient client = new ApiClient();
      client.updateBaseUri(server);
      return client;
    }
  }

  /** Open a game, and sit everybody down. */
  void open() throws ApiException {
    String run = UUID.randomUUID().toString().substring(0, 6);
    for (String name : List.of("Ada", "Ben", "Cleo", "Dan").subList(0, Rules.SEATS)) {
      players.add(new Player(name + " " + run));
    }
    game = players.get(0).games.openGame(Rules.newGame(), null, UUID.randomUUID().toString()).getGame();
    for (Player player : players) {
      player.play.takeSeat(game, new Join().entropy(UUID.randomUUID().toString()), null, null, UUID.randomUUID().toString());
    }
  }

  /** Every seat moves when the game waits for it, until it waits for none. */
  void play() throws ApiException {
    List<Integer> toMove = players.get(0).play.listOffers(game, null, null).getToMove();
    while (!toMove.isEmpty()) {
      Player player = players.get(toMove.get(0));
      ApiResponse<Offers> now = player.play.listOffersWithHttpInfo(game, null, null);
      Map<String, Object> command = command(choose(now.getData().getOffers()));
      toMove = send(player, command, now.getHeaders().get("etag").get(0));
      sent++;
    }
  }

  Offer choose(List<Offer> offered) {
    List<Offer> offers = offered.stream().filter(offer -> !offer.getCommand().equals("LeaveSeat")).toList();
    if (sent >= LIVELY) {
      List<Offer> idle = offers.stream().filter(Games::passes).toList();
      offers = idle.isEmpty() ? offers : idle;
    }
    double rest = RANDOM.nextDouble() * offers.stream().mapToDouble(Games::weight).sum();
    for (Offer offer : offers) {
      rest -= weight(offer);
      if (rest < 0) {
        return offer;
      }
    }
    return offers.get(offers.size() - 1);
  }

  static double weight(Offer offer) {
    return LIKELY.getOrDefault(offer.getCommand(), 1.0);
  }

  /** Whether the command leaves everything as it is: holding a round no more does. */
  static boolean passes(Offer offer) {
    Field holding = offer.getFields().get("hold");
    return PASSING.contains(offer.getCommand())
        || holding != null && holding.getFlagChoice().getOptions().equals(List.of(false));
  }

  /** The offered command, with any values that the offer admits. */
  Map<String, Object> command(Offer offer) {
    Map<String, Object> command = new HashMap<>(Map.of("type", offer.getCommand()));
    offer.getFields().forEach((name, field) -> {
      chosen.add(field.getActualInstance().getClass().getSimpleName());
      command.put(name, anyValue(field.getActualInstance()));
    });
    return command;
  }

  Object anyValue(Object field) {
    if (field instanceof Range range) {
      return range.getMin() + range.getStep() * RANDOM.nextInt((range.getMax() - range.getMin()) / range.getStep() + 1);
    }
    if (field instanceof TextChoice choice) {
      return any(choice.getOptions());
    }
    if (field instanceof NumberChoice choice) {
      return any(choice.getOptions());
    }
    return Rules.anyValue(field, sent < LIVELY);
  }

  static <T> T any(List<T> options) {
    return options.get(RANDOM.nextInt(options.size()));
  }

  /** Send what was decided on the game as `etag` names it; tells whom the game waits for then. */
  List<Integer> send(Player player, Map<String, Object> command, String etag) throws ApiException {
    Command typed = player.client.getObjectMapper().convertValue(command, Command.class);
    Commands commands = new Commands().commands(List.of(typed));
    try {
      return player.play.sendCommands(game, commands, null, null, null, etag, UUID.randomUUID().toString()).getTable().getToMove();
    } catch (ApiException refused) {
      if (refused.getCode() != 412) {
        throw refused;
      }
      return player.play.listOffers(game, null, null).getToMove(); // the game went on: look again
    }
  }

  /** Read the log in pages and as streams, the replay and the books, and say what is there. */
  void read(Player player) throws Exception {
    int events = 0;
    for (Integer after = 0; after != null; ) {
      Events page = player.log.listEvents(game, after, 100, null, null, null, null, null, null, null, null);
      events += page.getEvents().size();
      after = page.getNext();
    }
    System.out.println("Events: " + events);
    for (String mediaType : List.of("application/x-ndjson", "text/event-stream")) {
      try (Stream<EventItem> items = follow(player, mediaType)) {
        System.out.println(mediaType + ": " + items.count());
      }
    }
    Replay replay = player.log.replayGame(game, null, null, 1000, "turn", null, null);
    System.out.println("Frames: " + replay.getFrames().size());
    Ledger ledger = player.log.getLedger(game, null, null, 1000, null, null, null, null);
    System.out.println("Lines of the ledger: " + ledger.getLines().size());
    Set<Integer> sums = new TreeSet<>();
    player.log.getBalances(game, null, null).getTrialBalance().forEach(unit -> sums.add(unit.getSum()));
    System.out.println("Trial balance: " + String.join(" ", sums.stream().map(String::valueOf).toList()));
  }

  /** The events of a game as they happen, until it is over. */
  Stream<EventItem> follow(Player player, String mediaType) throws IOException, InterruptedException {
    URI address = URI.create(server + "/v1/games/" + game + "/events");
    HttpRequest.Builder request = HttpRequest.newBuilder(address).header("Accept", mediaType);
    player.authorized.accept(request);
    HttpResponse<Stream<String>> answer = player.client.getHttpClient().send(request.build(), BodyHandlers.ofLines());
    if (answer.statusCode() != 200) {
      throw new IOException(String.join("\n", answer.body().toList()));
    }
    return answer.body() // line by line, as the server sends them
        .map(line -> line.startsWith("data: ") ? line.substring("data: ".length()) : line)
        .filter(text -> text.startsWith("{")) // not the other fields of SSE
        .map(text -> item(player.client.getObjectMapper(), text))
        .filter(item -> item.getRule() != null);
  }

  static EventItem item(ObjectMapper mapper, String text) {
    try {
      return mapper.readValue(text, EventItem.class);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
