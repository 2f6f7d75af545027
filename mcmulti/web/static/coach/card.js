// The coach on wide windows: a card beside the board, below the moves.

import { announce, fill, h } from "../lib/dom.js";
import { onLesson, said } from "./lessons.js";
import { coach } from "./setting.js";
import { t } from "./words.js";

/** @type {import("../game/context.js").Mount} */
export function mount(element, context) {
  const { ruleset } = context.table();
  element.className = "coach-card";
  return onLesson(ruleset, (lesson) => {
    const off = () => {
      coach(ruleset, false);
      fill(element);
    };
    fill(element, lesson && h("section", { class: "panel", "aria-label": t.coach },
      h("h2", {}, t.titled(lesson.title)), said(ruleset, lesson), h("button", { type: "button", class: "quiet", onclick: off }, t.off)));
    if (lesson) announce(t.titled(lesson.title));
  });
}
