// Words of the coach. What it says about a game comes from the API.

import { words } from "../lib/words.js";

export const t = words({
  en: {
    coach: "Coach",
    titled: (/** @type {string} */ title) => `Coach: ${title}`,
    off: "Turn the coach off",
    more: "How a turn goes",
  },
  de: {
    coach: "Trainer",
    titled: (title) => `Trainer: ${title}`,
    off: "Trainer ausschalten",
    more: "Wie ein Zug abläuft",
  },
});
