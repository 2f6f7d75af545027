// Words of ratings.

import { words } from "../lib/words.js";

export const t = words({
  en: {
    title: "Ratings",
    what: "How strong players are, based on their rated games. The list is sorted by score: the rating minus twice its uncertainty.",
    how: "How ratings work",
    who: "Of",
    kinds: { people: "people", bots: "bots" },
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
    practice: "practice",
    ratedHint: "The game counts for ratings. By sitting down, you agree to that.",
  },
  de: {
    title: "Wertung",
    what: "Wie stark Spieler sind, nach ihren gewerteten Partien. Die Liste ist nach Punkten sortiert: Wertung minus zweimal ihre Unsicherheit.",
    how: "Wie sie berechnet wird",
    who: "Von",
    kinds: { people: "Menschen", bots: "Bots" },
    rating: "Wertung",
    games: "Partien",
    provisional: "vorläufig",
    score: "Punkte",
    fewGames: "? vorläufig: zu unsicher, oder zu wenige Gegner",
    nobody: "Noch hat niemand eine gewertete Partie.",
    more: "Mehr zeigen",
    result: "Wertung",
    notRated: "Diese Partie wird nicht gewertet.",
    rated: "gewertet",
    practice: "Übung",
    ratedHint: "Die Partie zählt für die Wertung: Wer sich setzt, ist einverstanden.",
  },
});
