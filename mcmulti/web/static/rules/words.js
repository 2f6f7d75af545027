// Words of the pages of rules.

export const en = {
  title: "Rules",
  sets: "Rule sets",
  contents: "On this page",
  version: (/** @type {number} */ n) => `Version ${n}. A game keeps the version that it was opened with.`,
  search: "Search rules and figures",
  found: (/** @type {number} */ n) => (n === 1 ? "1 rule matches." : `${n} rules match.`),
  readings: "Where the rulebook is silent",
  options: "Options of a table",
  commands: "Commands",
  option: "A table can choose another reading:",
  oneOf: "One of",
  figures: "Cards and figures",
  sources: "Sources of the figures",
  refusals: "Reasons for refusals",
  code: "Code",
  meaning: "Meaning",
  rule: "Rule",
  ofVersion: (/** @type {number} */ n) => `Version ${n}`,
  link: (/** @type {string} */ rule) => `Link to ${rule}`,
  yes: "yes",
  no: "no",
};

/** @type {typeof en} */
export const de = {
  title: "Regeln",
  sets: "Spiele",
  contents: "Auf dieser Seite",
  version: (n) => `Fassung ${n}. Eine Partie behält die Fassung, mit der sie eröffnet wurde.`,
  search: "In Regeln und Werten suchen",
  found: (n) => (n === 1 ? "Eine Regel passt." : `${n} Regeln passen.`),
  readings: "Wo die Spielregel schweigt",
  options: "Optionen eines Tisches",
  commands: "Befehle",
  option: "Ein Tisch kann eine andere Lesart vereinbaren:",
  oneOf: "Eines von",
  figures: "Karten und Werte",
  sources: "Quellen der Werte",
  refusals: "Gründe für Ablehnungen",
  code: "Code",
  meaning: "Bedeutung",
  rule: "Regel",
  ofVersion: (n) => `Fassung ${n}`,
  link: (rule) => `Link zu ${rule}`,
  yes: "ja",
  no: "nein",
};

/** Labels for groups of rules and keys of components, if the rule set has no word for them. */
export const named = {
  /** @type {Record<string, string>} */
  en: {
    game: "In short", table: "At the table", chance: "Chance", end: "End of the game", final: "Final accounts", forced: "Forced sales", site: "Sites", settle: "Settlement",
    shops: "Shops", market: "Market", dice: "Dice", assets: "Assets", neighbour: "Neighbors", auction: "Auctions", move: "Leading groups",
    entrance: "Entrances", start: "Start", customer: "Customers", roll: "Throwing", consumer: "Consumers",
  },
  /** @type {Record<string, string>} */
  de: {
    game: "Kurz gesagt", table: "Am Tisch", dice: "Würfel", assets: "Anlagen", entrance: "Eingänge", board: "Plan", consumer: "Verbraucher", chance: "Zufall", end: "Ende der Partie", final: "Schlussabrechnung",
    forced: "Notverkäufe", site: "Bauplätze", neighbour: "Nachbarn", setup: "Aufbau", settle: "Abrechnung", roll: "Würfeln",
    auction: "Versteigerungen", move: "Gruppen führen", customer: "Kunden", turn: "Zug", market: "Markt", production: "Produktion",
    quadrants: "Quadranten", rows: "Reihen", columns: "Spalten", capital: "Startkapital", target: "Ziel", long_target: "Ziel der langen Partie",
    fields: "Felder", step: "Schritt", free: "frei", start_price: "Anfangspreis", highest_price: "höchster Preis", red_fields: "rote Felder",
    strike: "Fündig werden", standstill: "Stillstand", rounds: "Runden", start: "Beginn", change_at: "Wechsel bei", cards: "Karten", buy: "Kaufpreis",
    sell: "Verkaufspreis", next: "danach", tax: "Abgabe", lasting: "bleibt liegen", closes: "schließt", players: "Spieler", key_steps: "Stufen",
    third_double: "dritter Pasch", climates: "Wirtschaftslagen", least_players: "Spieler mindestens", most_players: "Spieler höchstens",
    sectors: "Sektoren", sector: "Felder eines Sektors", kinds: "Sorten", least_note: "kleinster Schein", most: "höchstens", settlement: "Abrechnung",
    gains: "Gewinn je Einsatz", faces: "Seiten", won: "Gewinn", each: "je", grid: "Plan", of_a_colour: "je Farbe", signs: "Schilder je Spieler",
    at_an_entrance: "an einem Eingang", in_a_row: "in einer Reihe", let_in: "werden eingelassen", least: "mindestens", up_to: "bis", low: "bis dahin",
    high: "darüber", money: "Geld", colour: "Farbe", "rolled again until it is none": "wird wiederholt, bis es keiner ist", prices: "Preise", income: "Einnahmen",
  },
};
