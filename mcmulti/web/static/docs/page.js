// The contract: every operation with its parameters and responses, which can be tried out, and every type.

import { onAccount } from "../lib/account.js";
import { get } from "../lib/api.js";
import { announce, coded, fill, h, table } from "../lib/dom.js";
import { page, told } from "../lib/shell.js";
import { titled } from "../lib/words.js";
import { attempt } from "./attempt.js";
import { described } from "./schema.js";
import { t } from "./words.js";

const main = page(t.title);
/** @type {Map<string, () => void>} What fills a part of the page when it is opened, by its anchor. */
const parts = new Map();
const ruleset = new URLSearchParams(location.search).get("ruleset");
/** @type {any} The document. */
let contract;
try {
  const [found, sets] = await Promise.all([get("/openapi.json", { ruleset }), get("/v1/rulesets")]);
  contract = found.body;
  show(sets.body.rulesets);
} catch (error) {
  fill(main, h("h1", {}, t.title), told(error));
}

/** @param {{name: string}[]} sets */
function show(sets) {
  const operations = Object.entries(contract.paths).flatMap(([path, item]) =>
    Object.entries(item).filter(([, each]) => each.operationId).map(([method, operation]) => ({ ...operation, path, method, responses: answers(operation) })));
  const search = h("input", { type: "search", id: "search", autocomplete: "off", oninput: () => sift() });
  const chosen = h("select", { onchange: ({ target }) => target instanceof HTMLSelectElement && location.assign(`${location.pathname}${target.value ? `?ruleset=${target.value}` : ""}`) },
    h("option", { value: "" }, t.whole), sets.map(({ name }) => h("option", { value: name, selected: name === ruleset }, titled(name))));
  const tags = contract.tags.map((/** @type {{name: string, description: string}} */ tag) => {
    const own = operations.filter((each) => each.tags[0] === tag.name);
    return own.length > 0 && h("section", { id: `tag-${tag.name}` }, h("h2", {}, tag.name), h("p", { class: "muted" }, tag.description),
      own.map((each) => part(each.operationId, [h("span", { class: `method ${each.method}` }, each.method.toUpperCase()), " ", h("code", {}, each.path), " ", h("span", { class: "summary" }, each.summary)], () => operationParts(each))));
  });
  fill(
    main,
    h("p", { class: "small" }, h("a", { href: "/docs" }, t.guides)),
    h("h1", {}, t.title),
    t.english && h("p", { class: "muted" }, t.english),
    h("div", { lang: "en", class: "intro" }, contract.info.description.split("\n\n").map((/** @type {string} */ each) => h("p", {}, coded(each)))),
    h("div", { class: "row" }, h("label", {}, t.of, chosen), h("label", { for: "search" }, t.search), search, h("a", { href: `/openapi.json${ruleset ? `?ruleset=${encodeURIComponent(ruleset)}` : ""}` }, t.document)),
    h("div", { class: "beside" },
      h("nav", { class: "contents", "aria-label": t.contents },
        h("ul", {}, operations.map(({ operationId }) => h("li", {}, h("a", { href: `#${operationId}` }, operationId))), h("li", {}, h("a", { href: "#types" }, t.types)), h("li", {}, h("a", { href: "#problems" }, t.problems)))),
      h("div", { lang: "en" }, tags,
        h("section", { id: "types" }, h("h2", {}, t.types), Object.entries(contract.components.schemas).map(([name, schema]) =>
          part(`schema-${name}`, [h("code", {}, name)], () => [schema.description && h("p", {}, coded(schema.description)), described(schema)]))),
        problems(operations, sets))),
  );
  /** The searchable texts, by part. */
  const texts = new Map(operations.map((each) => [each.operationId, textOf(each)]));
  for (const [name, schema] of Object.entries(contract.components.schemas)) texts.set(`schema-${name}`, textOf(schema));
  addEventListener("hashchange", arrive);
  onAccount(() => {
    for (const form of main.querySelectorAll("form.attempt")) {
      const operation = operations.find(({ operationId }) => operationId === form.closest("details")?.id);
      if (operation) form.replaceWith(attempt(operation, bodyOf(operation)));
    }
  });
  arrive();

  function sift() {
    const wanted = search.value.trim().toLowerCase();
    let found = 0;
    for (const each of main.querySelectorAll("details.part, tr.part")) {
      const fits = `${each.id} ${each.textContent} ${texts.get(each.id) ?? ""}`.toLowerCase().includes(wanted);
      each.toggleAttribute("hidden", !fits);
      found += fits ? 1 : 0;
    }
    if (wanted) announce(t.found(found));
  }

  /** Opens the part in the address. */
  function arrive() {
    const there = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (there instanceof HTMLElement) there.hidden = false;
    if (there instanceof HTMLDetailsElement) {
      parts.get(there.id)?.();
      there.open = true;
    }
    there?.scrollIntoView();
  }
}

/**
 * The searchable text of a piece of the contract: names and descriptions.
 *
 * @param {any} node
 * @returns {string}
 */
function textOf(node) {
  if (typeof node !== "object" || node === null) return "";
  return Object.entries(node).map(([key, value]) => {
    if (key === "$ref") return String(value).split("/").pop();
    if (["description", "summary", "path", "name", "const"].includes(key) && typeof value === "string") return value;
    if (key === "enum") return value.join(" ");
    return key === "examples" || key === "headers" ? "" : `${key === "properties" ? Object.keys(value).join(" ") : ""} ${textOf(value)}`;
  }).join(" ");
}

/**
 * Every problem code: its meaning, and the operations that can respond with it.
 *
 * @param {any[]} operations
 * @param {{name: string}[]} sets
 */
function problems(operations, sets) {
  /** @type {Map<string, {status: string, meaning: string, of: string[]}>} */
  const codes = new Map();
  for (const { operationId, responses } of operations)
    for (const [status, response] of Object.entries(responses))
      for (const [, code = "", meaning = ""] of Number(status) < 400 ? [] : String(response.description).matchAll(/`([a-z_]+)`: ([^;]+)/g)) {
        const known = codes.get(code) ?? { status, meaning: meaning.trim(), of: [] };
        codes.set(code, { ...known, of: [...known.of, operationId] });
      }
  return h("section", { id: "problems" }, h("h2", {}, t.problems),
    h("p", {}, t.refusals, " ", sets.map(({ name }, index) => [index > 0 && ", ", h("a", { href: `/rules/${name}#refusals` }, titled(name))])),
    table(t.problems, [t.code, t.status, t.meaning, t.of], Infinity, [...codes].sort(([one], [other]) => (one < other ? -1 : 1)).map(([code, { status, meaning, of }]) =>
      h("tr", { id: `problem-${code}`, class: "part" }, h("td", {}, h("code", {}, code)), h("td", { class: "figure" }, status), h("td", {}, meaning),
        h("td", { class: "small" }, of.length > 6 ? t.operations(of.length) : of.map((each, index) => [index > 0 && ", ", h("a", { href: `#${each}` }, each)]))))));
}

/**
 * A part that is built when it is opened.
 *
 * @param {string} id
 * @param {import("../lib/dom.js").Child} summary
 * @param {() => import("../lib/dom.js").Child} make
 */
function part(id, summary, make) {
  const inside = h("div", { class: "inside" });
  const once = () => {
    if (!inside.hasChildNodes()) fill(inside, make());
  };
  parts.set(id, once);
  return h("details", { id, class: "part", ontoggle: once }, h("summary", {}, summary), inside);
}

/** @param {any} operation */
function operationParts(operation) {
  const scopes = /** @type {Record<string, unknown>[]} */ (operation.security ?? []);
  const access = scopes.length === 0 ? t.open : scopes.some((each) => !("token" in each)) ? t.perhaps : t.token;
  const body = operation.requestBody?.content["application/json"];
  return [
    h("p", {}, coded(operation.description ?? "")),
    h("p", { class: "row" }, h("span", { class: "tag" }, access), operation["x-scope"] && h("span", { class: "tag" }, t.scope(operation["x-scope"]))),
    operation.parameters?.length > 0 && [
      h("h3", {}, t.parameters),
      described({
        properties: Object.fromEntries(operation.parameters.map((/** @type {any} */ each) => [each.name, { ...each.schema, description: `${each.description ?? ""} (${each.in})` }])),
        required: operation.parameters.filter((/** @type {any} */ each) => each.required).map((/** @type {any} */ each) => each.name),
      }),
    ],
    body && [h("h3", {}, t.body), described(body.schema), sample(body)],
    h("h3", {}, t.answers),
    Object.entries(operation.responses).map(([status, response]) => answer(status, response)),
    attempt(operation, bodyOf(operation)),
  ];
}

/**
 * @param {string} status
 * @param {any} response
 */
function answer(status, response) {
  return h("div", { class: "status" },
    h("h4", {}, status),
    String(response.description ?? "").split(/\n\n|; (?=`)/).map((each) => h("p", {}, coded(each))),
    Object.entries(response.content ?? {}).map(([type, content]) =>
      h("div", {}, h("code", { class: "media" }, type), content.schema && described(content.schema), sample(content))));
}

/** @param {any} content */
function sample(content) {
  return Object.entries(content.examples ?? {}).map(([name, example]) =>
    h("details", {}, h("summary", {}, `${t.example}: ${name}`), h("pre", { tabindex: 0 }, JSON.stringify(resolved(example).value, null, 2))));
}

/** @param {any} operation */
function bodyOf(operation) {
  const [example] = Object.values(operation.requestBody?.content["application/json"]?.examples ?? {});
  return example && resolved(example).value;
}

/** The responses of an operation, those that it shares with others too. @param {any} operation */
function answers(operation) {
  return Object.fromEntries(Object.entries(operation.responses).map(([status, response]) => [status, resolved(response)]));
}

/** What a part of the contract refers to. @param {any} node */
function resolved(node) {
  if (!node.$ref) return node;
  const [group, name] = node.$ref.replace("#/components/", "").split("/");
  return contract.components[group][name];
}
