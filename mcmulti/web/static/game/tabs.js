// Several elements in one place, of which one is shown. The address names it, so that a link leads there.

import { h } from "../lib/dom.js";

/**
 * @param {string} label
 * @param {boolean} named Whether the fragment of the address names the one that is shown.
 * @param {readonly {name: string, element: HTMLElement, show: () => void}[]} views
 * @returns {{element: HTMLElement, shown: string}} `shown`: the name of the one that is shown.
 */
export function tabs(label, named, views) {
  const all = views.map(({ name, element }, number) => {
    const tab = h("button", { type: "button", role: "tab", id: `tab-${number}`, "aria-controls": `view-${number}`, onclick: () => choose(number) }, name);
    const panel = h("div", { role: "tabpanel", tabindex: 0, id: `view-${number}`, "aria-labelledby": `tab-${number}` }, element);
    return { tab, panel };
  });
  const list = h("div", { class: "tabs", role: "tablist", "aria-label": label }, ...all.map(({ tab }) => tab));
  const made = { element: h("section", { class: "views panel" }, list, ...all.map(({ panel }) => panel)), shown: "" };

  /** @param {number} chosen */
  function choose(chosen) {
    made.shown = views[chosen]?.name ?? "";
    for (const [number, { tab, panel }] of all.entries()) {
      tab.setAttribute("aria-selected", String(number === chosen));
      tab.tabIndex = number === chosen ? 0 : -1;
      panel.hidden = number !== chosen;
    }
    if (!list.isConnected) return;
    if (named) history.replaceState(null, "", `${location.pathname}${location.search}${chosen ? `#view-${chosen}` : ""}`);
    views[chosen]?.show();
  }

  list.addEventListener("keydown", (event) => {
    const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!way) return;
    event.preventDefault();
    const here = all.findIndex(({ tab }) => tab === document.activeElement);
    const next = (here + way + all.length) % all.length;
    choose(next);
    all[next]?.tab.focus();
  });
  const wanted = named ? Number(/^#view-(\d+)$/.exec(location.hash)?.[1]) : 0;
  choose(views[wanted] ? wanted : 0);
  return made;
}
