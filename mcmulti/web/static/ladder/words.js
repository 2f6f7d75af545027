// Words of ratings.

export const en = {
  title: "Ratings",
  what: "How strong players are, based on their rated games. The list is sorted by score: the rating minus twice its uncertainty.",
  how: "How ratings work",
  game: "Game",
  who: "Of",
  kinds: { people: "people", bots: "bots" },
  player: "Player",
  rating: "Rating",
  games: "Games",
  provisional: "provisional",
  score: "Score",
  fewGames: "? provisional: too uncertain or too few opponents",
  nobody: "Nobody has a rated game yet.",
  more: "Show more",
  result: "Rating",
  notRated: "This game is not rated.",
  rated: "rated",
  ratedHint: "The game counts for ratings. By sitting down, you agree to that.",
};

/** @type {typeof en} */
export const de = {
  title: "Wertung",
  what: "Wie stark Spieler sind, nach ihren gewerteten Partien: denen an Tischen, die als gewertete eröffnet wurden. Die Liste ordnet nach dem, was sicher ist: die Wertung weniger zweimal ihre Unsicherheit.",
  how: "Wie sie berechnet wird",
  game: "Spiel",
  who: "Von",
  kinds: { people: "Menschen", bots: "Bots" },
  player: "Spieler",
  rating: "Wertung",
  games: "Partien",
  provisional: "vorläufig",
  score: "Sicher",
  fewGames: "? vorläufig: zu unsicher, oder zu wenige Gegner",
  nobody: "Noch hat niemand eine gewertete Partie.",
  more: "Mehr zeigen",
  result: "Wertung",
  notRated: "Diese Partie wird nicht gewertet.",
  rated: "gewertet",
  ratedHint: "Die Partie zählt für die Wertung: Wer sich setzt, ist einverstanden.",
};
