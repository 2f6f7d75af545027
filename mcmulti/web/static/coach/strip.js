// The coach on small windows: a line above the moves, which opens what it says.

import { fill, h } from "../lib/dom.js";
import { question } from "../lib/dialog.js";
import { onLesson, said } from "./lessons.js";
import { coach } from "./setting.js";
import { common } from "../lib/words.js";
import { t } from "./words.js";

/** @type {import("../game/context.js").Mount} */
export function mount(element, context) {
  const { ruleset } = context.table();
  element.className = "coach-strip";
  return onLesson(ruleset, (lesson) => {
    const open = async () => {
      if (!lesson || (await question(t.titled(lesson.title), h("div", {}, said(ruleset, lesson)), { close: common.close, off: t.off })) !== "off") return;
      coach(ruleset, false);
      fill(element);
    };
    fill(element, lesson && h("button", { type: "button", class: "quiet", onclick: () => void open() }, t.titled(lesson.title)));
  });
}
