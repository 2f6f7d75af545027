// Words of ratings.

export const en = {
  title: "Ratings",
  what: "How strong players are, by their rated games: those at tables that were opened as rated.",
  how: "How it is computed",
  game: "Game",
  who: "Of",
  kinds: { people: "people", bots: "bots" },
  player: "Player",
  rating: "Rating",
  games: "Games",
  provisional: "provisional",
  fewGames: "? provisional: fewer than ten games",
  nobody: "Nobody has a rated game yet.",
  more: "Show more",
  result: "Rating",
  notRated: "This game is not rated.",
  rated: "rated",
  ratedHint: "The game counts for ratings: whoever sits down agrees to that.",
};

/** @type {typeof en} */
export const de = {
  title: "Wertung",
  what: "Wie stark Spieler sind, nach ihren gewerteten Partien: denen an Tischen, die als gewertete eröffnet wurden.",
  how: "Wie sie berechnet wird",
  game: "Spiel",
  who: "Von",
  kinds: { people: "Menschen", bots: "Bots" },
  player: "Spieler",
  rating: "Wertung",
  games: "Partien",
  provisional: "vorläufig",
  fewGames: "? vorläufig: weniger als zehn Partien",
  nobody: "Noch hat niemand eine gewertete Partie.",
  more: "Mehr zeigen",
  result: "Wertung",
  notRated: "Diese Partie wird nicht gewertet.",
  rated: "gewertet",
  ratedHint: "Die Partie zählt für die Wertung: Wer sich setzt, ist einverstanden.",
};
