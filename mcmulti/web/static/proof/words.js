// The words of the proof: what was found, what is wrong, and what nobody checked.

/** @typedef {import("./prover.js").Fault} Fault */

/**
 * @param {number} count
 * @param {string} one
 * @param {string} many
 */
const some = (count, one, many) => `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
/**
 * @param {number} count
 * @param {string} one
 * @param {string} many
 */
const einige = (count, one, many) => `${count.toLocaleString("de")} ${count === 1 ? one : many}`;

export const en = {
  title: "Check it yourself",
  lead:
    "Your browser computes again what the log of a game rests on: every hash, every die and card, every salt, and who signed it. " +
    "It takes no server’s word for anything, and works without one.",
  game: (/** @type {string} */ ruleset) => `Game of ${ruleset}`,
  fetching: "Fetching the game file …",
  proving: "Proving …",
  again: "Prove this game again",
  choose: "Prove a game file",
  chooseHint: "Drop a file here, or choose one. It is not sent anywhere.",
  save: "Save the game file",
  compare: "Compare with what you noted",
  key: "Key",
  keyHint: "The server’s public key, or its short name of 16 digits, noted earlier or from somebody you trust.",
  keyWrong: "A key is 64 hexadecimal digits, its short name 16.",
  head: "Moment",
  headHint: "The ETag of an answer that you noted while the game was played: 57-9c35… with 64 digits.",
  headWrong: "A noted moment is a number, a hyphen and 64 hexadecimal digits.",
  check: "Prove",
  unread: "This file cannot be read.",
  found: {
    proven: "Proven, as far as it can be without the rules.",
    soFar: "Sound so far. The dice are proven when the game is over and its seed revealed.",
    asked: "The log is sound, but it is not what was asked for.",
    wrong: "This game is not what it says it is.",
  },
  upTo: (/** @type {number} */ events) =>
    events === 0 ? "Nothing of it is proven." : `Proven up to event ${events.toLocaleString("en")}, and no further.`,
  events: (/** @type {number} */ n) => `${some(n, "event", "events")}, each hashed over the one before it`,
  commands: (/** @type {number} */ n) => `${some(n, "command", "commands")}, whose events have their seat, id and time`,
  seed: "The seed is the one that event 1 committed to",
  noSeed: "The seed is still secret: it is revealed when the game is over",
  draws: (/** @type {number} */ n) => `${some(n, "die or card", "dice and cards")}, drawn again from the revealed seed`,
  drawsRecorded: (/** @type {number} */ n) => `${some(n, "die or card", "dice and cards")}, taken as recorded`,
  salts: (/** @type {number} */ n) => `${some(n, "salt", "salts")}, computed again from the revealed seed`,
  sealed: (/** @type {number} */ n) =>
    `${some(n, "event is", "events are")} sealed until the game is over: chained by digest alone`,
  headIs: (/** @type {string} */ head) => `Head ${head}`,
  signed: (/** @type {string} */ key) => `Signed by key ${key}`,
  signedToo: (/** @type {string} */ key, /** @type {string} */ other) =>
    `Signed by key ${key}; it and key ${other} are of one server, as both say`,
  unsigned: "Nobody signed the head",
  unsupported: "This browser does not know Ed25519, so nobody checked the signature. Current browsers do.",
  insecure:
    "Nobody checked the signature: this page came by http, where browsers check none, and where page and game may be changed on the way. " +
    "Open it by https, or save the game file and check it with mcmulti verify.",
  unsignedBy: (/** @type {string} */ key) => `The signature does not count (key ${key}): `,
  doubts: {
    forged: () => "it is not that of its key for this head.",
    other_key: () => "it is not by the key that was asked for, nor by one that followed on it.",
    unconnected: () => "nobody says that its key followed on the one asked for.",
    unfollowed: () => "that one key followed on another is not signed by both.",
    vouched_revoked: () => "a key was revoked before another followed on it.",
    revoked: (/** @type {string} */ since) => `its key is revoked since ${since}.`,
    superseded: (/** @type {string} */ since) => `another key followed on its key on ${since}, before what it signed.`,
  },
  witnessed: "The log holds the moment that was noted",
  notWitnessed: "The log does not hold the moment that was noted",
  faults: {
    no_file: () => "This is no game file: its first line is not that of one.",
    no_events: () => "This game file has no events.",
    unreadable: (/** @type {Fault} */ f) => `Event ${f.seq} is not written as game files are (${f.expected}).`,
    missing: (/** @type {Fault} */ f) => `Event ${f.seq} is missing: event ${f.found} stands in its place.`,
    unlinked: (/** @type {Fault} */ f) => `Event ${f.seq} does not name the hash of the event before it.`,
    changed: (/** @type {Fault} */ f) => `Event ${f.seq} was changed: its hash is not the hash of what it says.`,
    head: (/** @type {Fault} */ f) => `The file ends with ${f.found}, and not with the head it names, ${f.expected}.`,
    mislabelled: (/** @type {Fault} */ f) => `Event ${f.seq} says that it is of another type than it is: ${f.found}.`,
    opening: () => "Event 1 does not open this game: it is of another one, or commits to no seed.",
    apart: (/** @type {Fault} */ f) => `Event ${f.seq} does not say whose command led to it as the others of its command do.`,
    sealed: (/** @type {Fault} */ f) => `Event ${f.seq} is sealed, though everybody may know what it says.`,
    after_end: (/** @type {Fault} */ f) => `Event ${f.seq} follows on the end of the game, on which nothing may follow.`,
    seed: (/** @type {Fault} */ f) => `Event ${f.seq} reveals a seed that is not the one event 1 committed to.`,
    entropy: (/** @type {Fault} */ f) =>
      `Event ${f.seq} starts the game with “${f.found}” as what the players gave to the dice. They gave “${f.expected}”.`,
    draw_number: (/** @type {Fault} */ f) => `Event ${f.seq} holds ${f.found}, where draw ${f.number} should be.`,
    draw: (/** @type {Fault} */ f) =>
      `Event ${f.seq} holds a wrong die: draw ${f.number} of ${f.sides} sides is ${f.expected}, not ${f.found}.`,
    salt: (/** @type {Fault} */ f) => `Event ${f.seq} holds a wrong salt: salt ${f.number} is ${f.expected}.`,
  },
  show: (/** @type {number} */ seq) => `Look at event ${seq}`,
  who: "Who signed",
  firstSeen: "This browser sees this key at this server for the first time, and expects it from now on. Compare it with what others know.",
  seenSince: (/** @type {string} */ day) => `This browser has known this key of this server since ${day}.`,
  otherKnown: (/** @type {string} */ key, /** @type {string} */ day) =>
    `This browser has known another key of this server since ${day}: ${key}. If you know why, expect the new one from now on.`,
  expect: "Expect this key from now on",
  fromFile: "A file can name any key. Compare it with the one you know of the server, or enter that below.",
  unchecked: "What this page did not check",
  uncheckedItems: [
    "Whether the moves were legal and had the consequences that the rules give them. That takes the rules:",
    "That who runs the server did not play, or keep games back; when it happened; and who the players were. No proof can.",
    "What the players are called: names stand beside the log, and nobody signs them.",
  ],
  guide: "How the proof works",
  language: "Language",
  exportLead:
    "This file holds the game’s log, and the page in it computes again what that rests on: every hash, every die and card, every salt, and who signed. " +
    "It asks nobody for anything, and works without a network.",
  fromExport: "Whoever wrote this file can have signed it with any key. Compare this one with the key that you know of the server.",
  uncheckedExport: [
    "That sentences and pictures tell what the events say: whoever wrote this file drew them, and could change this page too. " +
      "Save the game file, and prove it with a program of your own.",
  ],
};

/** @type {typeof en} */
export const de = {
  title: "Selbst nachprüfen",
  lead:
    "Der Browser rechnet nach, worauf das Protokoll einer Partie beruht: jeden Hash, jeden Würfel und jede Karte, jedes Salz, und wer unterschrieben hat. " +
    "Er glaubt dabei keinem Server, und braucht auch keinen.",
  game: (ruleset) => `Eine Partie ${ruleset}`,
  fetching: "Die Partiedatei wird geholt …",
  proving: "Es wird nachgerechnet …",
  again: "Diese Partie noch einmal prüfen",
  choose: "Eine Partiedatei prüfen",
  chooseHint: "Eine Datei hier ablegen oder auswählen. Sie wird nirgendwohin gesandt.",
  save: "Partiedatei speichern",
  compare: "Mit Notiertem vergleichen",
  key: "Schlüssel",
  keyHint: "Der öffentliche Schlüssel des Servers oder sein Kurzname aus 16 Ziffern, früher notiert oder aus vertrauter Hand.",
  keyWrong: "Ein Schlüssel hat 64 hexadezimale Ziffern, sein Kurzname 16.",
  head: "Moment",
  headHint: "Das ETag einer Antwort, das während der Partie notiert wurde: 57-9c35… mit 64 Ziffern.",
  headWrong: "Ein notierter Moment ist eine Zahl, ein Bindestrich und 64 hexadezimale Ziffern.",
  check: "Prüfen",
  unread: "Diese Datei lässt sich nicht lesen.",
  found: {
    proven: "Bewiesen, soweit das ohne die Regeln geht.",
    soFar: "Bis hierher stimmt alles. Die Würfel sind bewiesen, wenn die Partie zu Ende und der Startwert offengelegt ist.",
    asked: "Das Protokoll stimmt, aber es ist nicht das verlangte.",
    wrong: "Diese Partie ist nicht, was sie zu sein vorgibt.",
  },
  upTo: (events) =>
    events === 0 ? "Nichts davon ist bewiesen." : `Bewiesen bis Ereignis ${events.toLocaleString("de")}, und nicht weiter.`,
  events: (n) => `${einige(n, "Ereignis", "Ereignisse")}, jedes mit dem Hash des vorigen verkettet`,
  commands: (n) => `${einige(n, "Zug", "Züge")}, deren Ereignisse ihren Platz, ihre Kennung und ihre Zeit haben`,
  seed: "Der Startwert ist der, auf den Ereignis 1 festgelegt ist",
  noSeed: "Der Startwert ist noch geheim: Er wird am Ende der Partie offengelegt",
  draws: (n) => `${einige(n, "Würfel oder Karte", "Würfel und Karten")}, aus dem offengelegten Startwert noch einmal gezogen`,
  drawsRecorded: (n) => `${einige(n, "Würfel oder Karte", "Würfel und Karten")}, wie aufgezeichnet hingenommen`,
  salts: (n) => `${einige(n, "Salz", "Salze")}, aus dem offengelegten Startwert noch einmal berechnet`,
  sealed: (n) => `${einige(n, "Ereignis ist", "Ereignisse sind")} bis zum Ende der Partie versiegelt: nur über die Prüfsumme verkettet`,
  headIs: (head) => `Stand ${head}`,
  signed: (key) => `Unterschrieben mit Schlüssel ${key}`,
  signedToo: (key, other) =>
    `Unterschrieben mit Schlüssel ${key}; er und Schlüssel ${other} gehören demselben Server, wie beide bezeugen`,
  unsigned: "Niemand hat den Stand unterschrieben",
  unsupported: "Dieser Browser kennt Ed25519 nicht, die Unterschrift ist also ungeprüft. Aktuelle Browser kennen es.",
  insecure:
    "Die Unterschrift ist ungeprüft: Diese Seite kam über http. Da prüfen Browser keine, und Seite und Partie können unterwegs geändert worden sein. " +
    "Öffne sie über https, oder speichere die Partiedatei und prüfe sie mit mcmulti verify.",
  unsignedBy: (key) => `Die Unterschrift zählt nicht (Schlüssel ${key}): `,
  doubts: {
    forged: () => "Sie ist nicht die ihres Schlüssels für diesen Stand.",
    other_key: () => "Sie ist weder vom verlangten Schlüssel noch von einem, der ihm folgte.",
    unconnected: () => "Niemand bezeugt, dass ihr Schlüssel dem verlangten folgte.",
    unfollowed: () => "Dass ein Schlüssel auf den anderen folgte, haben nicht beide unterschrieben.",
    vouched_revoked: () => "Ein Schlüssel war widerrufen, ehe ein anderer ihm folgte.",
    revoked: (since) => `Ihr Schlüssel ist seit ${since} widerrufen.`,
    superseded: (since) => `Auf ihren Schlüssel folgte am ${since} ein anderer, vor dem, was er unterschrieb.`,
  },
  witnessed: "Das Protokoll enthält den notierten Moment",
  notWitnessed: "Das Protokoll enthält den notierten Moment nicht",
  faults: {
    no_file: () => "Das ist keine Partiedatei: Ihre erste Zeile ist nicht die einer solchen.",
    no_events: () => "Diese Partiedatei enthält keine Ereignisse.",
    unreadable: (f) => `Ereignis ${f.seq} ist nicht so geschrieben wie in Partiedateien (${f.expected}).`,
    missing: (f) => `Ereignis ${f.seq} fehlt: An seiner Stelle steht Ereignis ${f.found}.`,
    unlinked: (f) => `Ereignis ${f.seq} nennt nicht den Hash des Ereignisses davor.`,
    changed: (f) => `Ereignis ${f.seq} wurde verändert: Sein Hash ist nicht der Hash dessen, was es besagt.`,
    head: (f) => `Die Datei endet mit ${f.found} und nicht mit dem Stand, den sie nennt: ${f.expected}.`,
    mislabelled: (f) => `Ereignis ${f.seq} gibt sich für ein anderes aus, als es ist: ${f.found}.`,
    opening: () => "Ereignis 1 eröffnet nicht diese Partie: Es gehört zu einer anderen oder legt keinen Startwert fest.",
    apart: (f) => `Ereignis ${f.seq} nennt nicht denselben Zug wie die anderen Ereignisse seines Zuges.`,
    sealed: (f) => `Ereignis ${f.seq} ist versiegelt, obwohl alle wissen dürfen, was es besagt.`,
    after_end: (f) => `Ereignis ${f.seq} steht hinter dem Ende der Partie, auf das nichts folgen darf.`,
    seed: (f) => `Ereignis ${f.seq} legt einen anderen Startwert offen als den, auf den Ereignis 1 festgelegt ist.`,
    entropy: (f) =>
      `Ereignis ${f.seq} beginnt die Partie mit „${f.found}“ als Beigabe der Spieler zu den Würfeln. Sie gaben „${f.expected}“.`,
    draw_number: (f) => `Ereignis ${f.seq} enthält ${f.found}, wo Ziehung ${f.number} stehen müsste.`,
    draw: (f) =>
      `Ereignis ${f.seq} enthält einen falschen Würfel: Ziehung ${f.number} mit ${f.sides} Seiten ergibt ${f.expected}, nicht ${f.found}.`,
    salt: (f) => `Ereignis ${f.seq} enthält ein falsches Salz: Salz ${f.number} ist ${f.expected}.`,
  },
  show: (seq) => `Ereignis ${seq} ansehen`,
  who: "Wer unterschrieben hat",
  firstSeen:
    "Dieser Browser sieht diesen Schlüssel bei diesem Server zum ersten Mal und erwartet ihn von nun an. Vergleiche ihn mit dem, den andere kennen.",
  seenSince: (day) => `Dieser Browser kennt diesen Schlüssel dieses Servers seit dem ${day}.`,
  otherKnown: (key, day) =>
    `Dieser Browser kennt seit dem ${day} einen anderen Schlüssel dieses Servers: ${key}. Wer den Grund kennt, kann von nun an den neuen erwarten.`,
  expect: "Diesen Schlüssel von nun an erwarten",
  fromFile: "Eine Datei kann jeden Schlüssel nennen. Vergleiche ihn mit dem bekannten des Servers oder gib diesen unten ein.",
  unchecked: "Was diese Seite nicht geprüft hat",
  uncheckedItems: [
    "Ob die Züge erlaubt waren und die Folgen hatten, die die Regeln vorsehen. Dazu braucht es die Regeln:",
    "Dass nicht mitspielt oder Partien zurückhält, wer den Server betreibt; wann alles geschah; wer die Spieler waren. Das kann kein Beweis.",
    "Wie die Spieler heißen: Namen stehen neben dem Protokoll, und niemand unterschreibt sie.",
  ],
  guide: "Wie der Beweis geht",
  language: "Sprache",
  exportLead:
    "Diese Datei enthält das Protokoll der Partie, und die Seite darin rechnet nach, worauf es beruht: jeden Hash, jeden Würfel und jede Karte, jedes Salz, und wer unterschrieben hat. " +
    "Sie fragt niemanden und braucht kein Netz.",
  fromExport: "Wer diese Datei schrieb, kann mit jedem Schlüssel unterschrieben haben. Vergleiche diesen mit dem bekannten des Servers.",
  uncheckedExport: [
    "Dass Sätze und Bilder wiedergeben, was die Ereignisse besagen: Wer diese Datei schrieb, hat sie gezeichnet und könnte auch diese Seite ändern. " +
      "Speichere die Partiedatei und prüfe sie mit einem eigenen Programm.",
  ],
};
