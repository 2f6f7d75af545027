// What pages say where several people share a device.

export const en = {
  start: "Play on one device",
  explain: "Take turns on this device and pass it on. Each player sees only what their own seat may see. Nothing is rated.",
  game: "Game",
  needed: (/** @type {number} */ least, /** @type {number} */ most) => (least === most ? `This game needs ${least} people.` : `${least} to ${most} people can play.`),
  person: (/** @type {number} */ number) => `Person ${number}`,
  begin: "Start the game",
  cancel: "Cancel",
  newName: "Name of another person on this device",
  add: "Add",
  remove: (/** @type {string} */ name) => `Remove ${name}`,
  passOn: "Pass the device on",
  passTo: (/** @type {string} */ name) => `Pass to ${name}`,
  asked: (/** @type {string} */ name) => `It is ${name}'s turn.`,
  givenTo: (/** @type {string} */ name) => `Give the device to ${name}`,
  hidden: "The game stays hidden until they take over.",
  takeOver: (/** @type {string} */ name) => `I am ${name}`,
};

/** @type {typeof en} */
export const de = {
  start: "An einem Gerät spielen",
  explain: "Spielt abwechselnd an diesem Gerät, und gebt es weiter. Alle sehen nur, was der eigene Platz sehen darf. Nichts wird gewertet.",
  game: "Spiel",
  needed: (least, most) => (least === most ? `Für dieses Spiel braucht ihr ${least} Leute.` : `${least} bis ${most} Leute können mitspielen.`),
  person: (number) => `Person ${number}`,
  begin: "Spiel starten",
  cancel: "Abbrechen",
  newName: "Name einer weiteren Person an diesem Gerät",
  add: "Hinzufügen",
  remove: (name) => `${name} entfernen`,
  passOn: "Gerät weitergeben",
  passTo: (name) => `Weiter an ${name}`,
  asked: (name) => `${name} ist am Zug.`,
  givenTo: (name) => `Gib das Gerät an ${name}`,
  hidden: "Das Spiel bleibt verdeckt, bis übernommen wird.",
  takeOver: (name) => `Ich bin ${name}`,
};
