// What pages say where several people share a device.

import { words } from "../lib/words.js";

export const t = words({
  en: {
    start: "Play on one device",
    explain: "Take turns on this device and pass it on. Each player sees only what their own seat may see. Nothing is rated. If the first name is taken here, a number follows it.",
    needed: (/** @type {number} */ least, /** @type {number} */ most) => (least === most ? `This game needs ${least} people.` : `${least} to ${most} people can play.`),
    person: (/** @type {number} */ number) => `Person ${number}`,
    youPlay: "You play",
    others: "The others",
    device: "on this device",
    begin: "Start the game",
    newName: "Name of another person on this device",
    add: "Add",
    remove: (/** @type {string} */ name) => `Remove ${name}`,
    passOn: "Pass the device on",
    passTo: (/** @type {string} */ name) => `Pass to ${name}`,
    asked: (/** @type {string} */ name) => `It is ${name}'s turn.`,
    givenTo: (/** @type {string} */ name) => `Give the device to ${name}`,
    hidden: "The game stays hidden until they take over.",
    takeOver: (/** @type {string} */ name) => `I am ${name}`,
  },
  de: {
    start: "An einem Gerät spielen",
    explain: "Spielt abwechselnd an diesem Gerät, und gebt es weiter. Alle sehen nur, was der eigene Platz sehen darf. Nichts wird gewertet. Ist der erste Name hier vergeben, folgt ihm eine Zahl.",
    needed: (least, most) => (least === most ? `Für dieses Spiel braucht ihr ${least} Leute.` : `${least} bis ${most} Leute können mitspielen.`),
    person: (number) => `Person ${number}`,
    youPlay: "Du spielst",
    others: "Die anderen",
    device: "an diesem Gerät",
    begin: "Spiel starten",
    newName: "Name einer weiteren Person an diesem Gerät",
    add: "Hinzufügen",
    remove: (name) => `${name} entfernen`,
    passOn: "Gerät weitergeben",
    passTo: (name) => `Weiter an ${name}`,
    asked: (name) => `${name} ist am Zug.`,
    givenTo: (name) => `Gib das Gerät an ${name}`,
    hidden: "Das Spiel bleibt verdeckt, bis übernommen wird.",
    takeOver: (name) => `Ich bin ${name}`,
  },
});
