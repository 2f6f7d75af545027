// Words of the page of a game.

export const en = {
  game: "Game",
  board: "Board",
  story: "Story",
  noGame: "There is no such game.",
  lost: "The connection is lost. It is tried again; what is shown may be old.",
  back: "Connected again.",
  toMove: (/** @type {string} */ names) => `${names} to move`,
  yourMove: "Your move",
  waiting: "Waiting for players",
  over: "The game is over",
  won: (/** @type {string} */ names) => `${names} won`,
  nobodyWon: "Nobody won",
  seat: (/** @type {number} */ seat) => `Seat ${seat}`,
  and: " and ",
  turn: (/** @type {number} */ turn) => `Turn ${turn}`,
  before: "Before the first turn",
};

/** @type {typeof en} */
export const de = {
  game: "Partie",
  board: "Brett",
  story: "Verlauf",
  noGame: "Diese Partie gibt es nicht.",
  lost: "Die Verbindung ist unterbrochen. Es wird wieder versucht; was hier steht, kann veraltet sein.",
  back: "Wieder verbunden.",
  toMove: (names) => `${names} am Zug`,
  yourMove: "Du bist am Zug",
  waiting: "Es fehlen noch Mitspieler",
  over: "Die Partie ist zu Ende",
  won: (names) => `${names} hat gewonnen`,
  nobodyWon: "Niemand hat gewonnen",
  seat: (seat) => `Platz ${seat}`,
  and: " und ",
  turn: (turn) => `Zug ${turn}`,
  before: "Vor dem ersten Zug",
};
