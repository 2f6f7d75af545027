// The words of the proof: findings, faults, and what was not checked.

import { number, words } from "../lib/words.js";

/** @typedef {import("./prover.js").Fault} Fault */

/**
 * @param {number} count
 * @param {string} one
 * @param {string} many
 */
const some = (count, one, many) => `${number(count)} ${count === 1 ? one : many}`;

export const t = words({
  en: {
    title: "Verify it yourself",
    lead:
      "Your browser recomputes what the log of a game rests on: every hash, die, card, and salt, and the signature. " +
      "It trusts no server, and works without one.",
    game: (/** @type {string} */ ruleset) => `Game of ${ruleset}`,
    fetching: "Fetching the game file …",
    proving: "Proving …",
    again: "Prove this game again",
    choose: "Prove a game file",
    chooseHint: "Drop a file here, or choose one. It stays in your browser.",
    save: "Save the game file",
    compare: "Compare with what you noted",
    key: "Key",
    keyHint: "The server’s public key, or its 16-digit short name, noted earlier or from someone you trust.",
    keyWrong: "A key has 64 hexadecimal digits, and its short name has 16.",
    head: "Moment",
    headHint: "An ETag that you noted during the game: 57-9c35… with 64 digits.",
    headWrong: "A noted moment is a number, a hyphen, and 64 hexadecimal digits.",
    check: "Prove",
    unread: "This file cannot be read.",
    found: {
      proven: "Proven, as far as possible without the rules.",
      soFar: "Sound so far. The dice can be proven once the game is over and its seed revealed.",
      asked: "The log is sound, but does not match what you asked for.",
      wrong: "This game is not what it claims to be.",
    },
    upTo: (/** @type {number} */ events) =>
      events === 0 ? "Nothing is proven." : `Proven only up to event ${number(events)}.`,
    events: (/** @type {number} */ n) => `${some(n, "event", "events")}, each hashed over the one before it`,
    commands: (/** @type {number} */ n) => `${some(n, "command", "commands")}, whose events have the same seat, id, and time`,
    seed: "The seed matches the commitment in event 1",
    noSeed: "The seed is secret until the game is over",
    draws: (/** @type {number} */ n) => `${some(n, "die or card", "dice and cards")}, drawn again from the revealed seed`,
    drawsRecorded: (/** @type {number} */ n) => `${some(n, "die or card", "dice and cards")}, taken as recorded`,
    salts: (/** @type {number} */ n) => `${some(n, "salt", "salts")}, recomputed from the revealed seed`,
    sealed: (/** @type {number} */ n) =>
      `${some(n, "event is", "events are")} sealed until the game is over: chained only by digest`,
    headIs: (/** @type {string} */ head) => `Head ${head}`,
    signed: (/** @type {string} */ key) => `Signed by key ${key}`,
    signedToo: (/** @type {string} */ key, /** @type {string} */ other) =>
      `Signed by key ${key}; both it and key ${other} confirm that they belong to the same server`,
    unsigned: "The head is not signed",
    unsupported: "This browser does not support Ed25519, so the signature was not checked. Current browsers support it.",
    insecure:
      "The signature was not checked: this page was loaded over http. Browsers check no signatures there, and page and game may be changed in transit. " +
      "Open it over https, or save the game file and check it with mcmulti verify.",
    unsignedBy: (/** @type {string} */ key) => `The signature is invalid (key ${key}): `,
    doubts: {
      forged: () => "it does not match its key and this head.",
      other_key: () => "it is neither by the key you asked for nor by a successor.",
      unconnected: () => "nothing shows that its key succeeded the one you asked for.",
      unfollowed: () => "a key change is not signed by both keys.",
      vouched_revoked: () => "a key was revoked before it was replaced.",
      revoked: (/** @type {string} */ since) => `its key was revoked as of ${since}.`,
      superseded: (/** @type {string} */ since) => `its key was replaced on ${since}, before it signed this.`,
    },
    witnessed: "The log contains the moment you noted",
    notWitnessed: "The log does not contain the moment you noted",
    faults: {
      no_file: () => "This is not a game file: its first line is wrong.",
      no_events: () => "This game file has no events.",
      unreadable: (/** @type {Fault} */ f) => `Event ${f.seq} is malformed (${f.expected}).`,
      missing: (/** @type {Fault} */ f) => `Event ${f.seq} is missing: event ${f.found} is in its place.`,
      unlinked: (/** @type {Fault} */ f) => `Event ${f.seq} does not name the hash of the event before it.`,
      changed: (/** @type {Fault} */ f) => `Event ${f.seq} was changed: its hash does not match its content.`,
      head: (/** @type {Fault} */ f) => `The file ends with ${f.found}, but its head is ${f.expected}.`,
      mislabelled: (/** @type {Fault} */ f) => `Event ${f.seq} has the wrong type: ${f.found}.`,
      opening: () => "Event 1 does not open this game: it belongs to another game, or does not commit to a seed.",
      apart: (/** @type {Fault} */ f) => `Event ${f.seq} does not name its command in the same way as the other events of that command.`,
      sealed: (/** @type {Fault} */ f) => `Event ${f.seq} is sealed, although its content is public.`,
      after_end: (/** @type {Fault} */ f) => `Event ${f.seq} comes after the end of the game.`,
      seed: (/** @type {Fault} */ f) => `Event ${f.seq} reveals a seed that does not match the commitment in event 1.`,
      entropy: (/** @type {Fault} */ f) =>
        `Event ${f.seq} starts the game with the entropy “${f.found}”. The players sent “${f.expected}”.`,
      draw_number: (/** @type {Fault} */ f) => `Event ${f.seq} has ${f.found} instead of draw ${f.number}.`,
      draw: (/** @type {Fault} */ f) =>
        `Event ${f.seq} has a wrong die: draw ${f.number} (${f.sides} sides) is ${f.expected}, not ${f.found}.`,
      salt: (/** @type {Fault} */ f) => `Event ${f.seq} has a wrong salt: salt ${f.number} is ${f.expected}.`,
    },
    show: (/** @type {number} */ seq) => `Show event ${seq}`,
    who: "Signature",
    firstSeen: "This browser sees this server’s key for the first time, and will expect it from now on. Compare it with what others see.",
    seenSince: (/** @type {string} */ day) => `This browser has known this server’s key since ${day}.`,
    otherKnown: (/** @type {string} */ key, /** @type {string} */ day) =>
      `This browser has known another key of this server since ${day}: ${key}. If you know why it changed, accept the new one.`,
    expect: "Accept this key from now on",
    fromFile: "A file can name any key. Compare it with the server’s key that you know, or enter that one below.",
    unchecked: "What this page did not check",
    uncheckedItems: [
      "Whether the moves were legal and had the right consequences. That requires the rules:",
      "Whether the operator of the server played or withheld games, when it happened, and who the players were. No proof can show that.",
      "The names of the players: they are not part of the log and not signed.",
    ],
    guide: "How the proof works",
    exportLead:
      "This file has the game’s log and a page that recomputes what it rests on: every hash, die, card, and salt, and the signature. " +
      "It works without a network.",
    fromExport: "The author of this file may have signed it with any key. Compare it with the server’s key that you know.",
    uncheckedExport: [
      "Whether sentences and pictures match the events: the author of this file created them, and could also change this page. " +
        "Save the game file, and prove it with your own program.",
    ],
  },
  de: {
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
      asked: "Das Protokoll stimmt, passt aber nicht zu deinen Angaben.",
      wrong: "Diese Partie ist nicht, was sie zu sein vorgibt.",
    },
    upTo: (events) =>
      events === 0 ? "Nichts davon ist bewiesen." : `Nur bis Ereignis ${number(events)} bewiesen.`,
    events: (n) => `${some(n, "Ereignis", "Ereignisse")}, jedes mit dem Hash des vorigen verkettet`,
    commands: (n) => `${some(n, "Zug", "Züge")}, deren Ereignisse ihren Platz, ihre Kennung und ihre Zeit haben`,
    seed: "Der Startwert ist der, auf den Ereignis 1 festgelegt ist",
    noSeed: "Der Startwert ist noch geheim: Er wird am Ende der Partie offengelegt",
    draws: (n) => `${some(n, "Würfel oder Karte", "Würfel und Karten")}, aus dem offengelegten Startwert noch einmal gezogen`,
    drawsRecorded: (n) => `${some(n, "Würfel oder Karte", "Würfel und Karten")}, wie aufgezeichnet hingenommen`,
    salts: (n) => `${some(n, "Salz", "Salze")}, aus dem offengelegten Startwert noch einmal berechnet`,
    sealed: (n) => `${some(n, "Ereignis ist", "Ereignisse sind")} bis zum Ende der Partie versiegelt: nur über die Prüfsumme verkettet`,
    headIs: (head) => `Stand ${head}`,
    signed: (key) => `Unterschrieben mit Schlüssel ${key}`,
    signedToo: (key, other) =>
      `Unterschrieben mit Schlüssel ${key}; er und Schlüssel ${other} gehören demselben Server, wie beide bezeugen`,
    unsigned: "Der Stand ist nicht unterschrieben",
    unsupported: "Dieser Browser kennt Ed25519 nicht, die Unterschrift ist also ungeprüft. Aktuelle Browser kennen es.",
    insecure:
      "Die Unterschrift ist ungeprüft: Diese Seite kam über http. Da prüfen Browser keine, und Seite und Partie können unterwegs geändert worden sein. " +
      "Öffne sie über https, oder speichere die Partiedatei und prüfe sie mit mcmulti verify.",
    unsignedBy: (key) => `Die Unterschrift ist ungültig (Schlüssel ${key}): `,
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
      no_file: () => "Das ist keine Partiedatei: Die erste Zeile stimmt nicht.",
      no_events: () => "Diese Partiedatei enthält keine Ereignisse.",
      unreadable: (f) => `Ereignis ${f.seq} ist falsch geschrieben (${f.expected}).`,
      missing: (f) => `Ereignis ${f.seq} fehlt: An seiner Stelle steht Ereignis ${f.found}.`,
      unlinked: (f) => `Ereignis ${f.seq} nennt nicht den Hash des Ereignisses davor.`,
      changed: (f) => `Ereignis ${f.seq} wurde verändert: Sein Hash passt nicht zum Inhalt.`,
      head: (f) => `Die Datei endet mit ${f.found}, nennt aber den Stand ${f.expected}.`,
      mislabelled: (f) => `Ereignis ${f.seq} hat den falschen Typ: ${f.found}.`,
      opening: () => "Ereignis 1 eröffnet nicht diese Partie: Es gehört zu einer anderen oder legt keinen Startwert fest.",
      apart: (f) => `Ereignis ${f.seq} nennt nicht denselben Zug wie die anderen Ereignisse seines Zuges.`,
      sealed: (f) => `Ereignis ${f.seq} ist versiegelt, obwohl sein Inhalt öffentlich ist.`,
      after_end: (f) => `Ereignis ${f.seq} steht hinter dem Ende der Partie.`,
      seed: (f) => `Ereignis ${f.seq} legt einen anderen Startwert offen als den, auf den Ereignis 1 festgelegt ist.`,
      entropy: (f) =>
        `Ereignis ${f.seq} beginnt die Partie mit „${f.found}“ als Beigabe der Spieler zu den Würfeln. Sie gaben „${f.expected}“.`,
      draw_number: (f) => `Ereignis ${f.seq} enthält ${f.found}, wo Ziehung ${f.number} stehen müsste.`,
      draw: (f) =>
        `Ereignis ${f.seq} enthält einen falschen Würfel: Ziehung ${f.number} mit ${f.sides} Seiten ergibt ${f.expected}, nicht ${f.found}.`,
      salt: (f) => `Ereignis ${f.seq} enthält ein falsches Salz: Salz ${f.number} ist ${f.expected}.`,
    },
    show: (seq) => `Ereignis ${seq} ansehen`,
    who: "Unterschrift",
    firstSeen:
      "Dieser Browser sieht diesen Schlüssel bei diesem Server zum ersten Mal und erwartet ihn von nun an. Vergleiche ihn mit dem, den andere kennen.",
    seenSince: (day) => `Dieser Browser kennt diesen Schlüssel dieses Servers seit dem ${day}.`,
    otherKnown: (key, day) =>
      `Dieser Browser kennt seit dem ${day} einen anderen Schlüssel dieses Servers: ${key}. Wenn du den Grund kennst, akzeptiere den neuen.`,
    expect: "Diesen Schlüssel ab jetzt akzeptieren",
    fromFile: "Eine Datei kann jeden Schlüssel nennen. Vergleiche ihn mit dem bekannten des Servers oder gib diesen unten ein.",
    unchecked: "Was diese Seite nicht geprüft hat",
    uncheckedItems: [
      "Ob die Züge erlaubt waren und die Folgen hatten, die die Regeln vorsehen. Dazu braucht es die Regeln:",
      "Ob der Betreiber des Servers mitgespielt oder Partien zurückgehalten hat, wann alles geschah und wer die Spieler waren. Das kann kein Beweis zeigen.",
      "Die Namen der Spieler: Im Protokoll fehlen sie, und niemand unterschreibt sie.",
    ],
    guide: "So funktioniert der Beweis",
    exportLead:
      "Diese Datei enthält das Protokoll der Partie, und die Seite darin rechnet nach, worauf es beruht: jeden Hash, jeden Würfel und jede Karte, jedes Salz, und wer unterschrieben hat. " +
      "Sie fragt niemanden und braucht kein Netz.",
    fromExport: "Wer diese Datei schrieb, kann mit jedem Schlüssel unterschrieben haben. Vergleiche diesen mit dem bekannten des Servers.",
    uncheckedExport: [
      "Ob Sätze und Bilder zu den Ereignissen passen: Wer diese Datei geschrieben hat, hat auch sie erzeugt und könnte sogar diese Seite ändern. " +
        "Speichere die Partiedatei und prüfe sie mit einem eigenen Programm.",
    ],
  },
});
