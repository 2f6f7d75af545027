// Words about positions: copied as text, and pasted.

import { words } from "../lib/words.js";

export const t = words({
  en: {
    fromPosition: "Play from a position",
    position: "Position",
    copyPosition: "Copy this position",
    copiedPosition: "Copied. To play on from it, paste it into the lobby, also on another server:",
    copyYourself: "Copy this text. To play on from it, paste it into the lobby, also on another server:",
    positionHow: "Paste the text of a position: copied from a replay, written by the Python library, or changed by hand. A practice game begins from it, with new dice.",
    playOn: "Play on",
    nothingPasted: "Paste a position first.",
    notJson: "This is not a position: it must be a JSON object, as the page of a game copies it.",
    fieldMissing: (/** @type {string} */ field) => `This is not a position: ${field} is missing.`,
    fieldWrong: (/** @type {string} */ field, /** @type {string} */ given, /** @type {string} */ possible) => `${field}: it is ${given}, but this server knows ${possible}.`,
    isPosition: (/** @type {string} */ game, /** @type {number} */ seats) => `A position of ${game} with ${seats} players.`,
    cannotStand: "No game can stand in this position:",
  },
  de: {
    fromPosition: "Aus einer Stellung spielen",
    position: "Stellung",
    copyPosition: "Diese Stellung kopieren",
    copiedPosition: "Kopiert. Um von ihr weiterzuspielen, füg sie auf der Startseite ein, auch auf einem anderen Server:",
    copyYourself: "Kopier diesen Text. Um von ihm weiterzuspielen, füg ihn auf der Startseite ein, auch auf einem anderen Server:",
    positionHow: "Füg den Text einer Stellung ein: aus einer Wiedergabe kopiert, von der Python-Bibliothek geschrieben oder von Hand geändert. Eine Übungspartie beginnt mit ihr, mit neuen Würfeln.",
    playOn: "Weiterspielen",
    nothingPasted: "Füg zuerst eine Stellung ein.",
    notJson: "Das ist keine Stellung: Der Text muss ein JSON-Objekt sein, wie es die Seite einer Partie kopiert.",
    fieldMissing: (field) => `Das ist keine Stellung: ${field} fehlt.`,
    fieldWrong: (field, given, possible) => `${field}: hier steht ${given}, aber dieser Server kennt ${possible}.`,
    isPosition: (game, seats) => `Eine Stellung von ${game} mit ${seats} Spielern.`,
    cannotStand: "So kann keine Partie stehen:",
  },
});
