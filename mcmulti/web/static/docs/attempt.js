// Try out an operation: a form, its request, and the response.

import { account, bearer } from "../lib/account.js";
import { address } from "../client/requests.js";
import { announce, fill, h, submitting } from "../lib/dom.js";
import { signInLink } from "../lib/shell.js";
import { typed } from "./schema.js";
import { t } from "./words.js";

/** @typedef {{method: string, path: string, parameters?: any[], requestBody?: any, responses: Record<string, any>}} Operation */

const MOST = 60000;
/** Milliseconds to listen to a stream. */
const LISTEN = 5000;

/**
 * @param {Operation} operation
 * @param {unknown} example A body, if it takes one.
 * @returns {HTMLElement}
 */
export function attempt(operation, example) {
  const shown = h("div", { class: "outcome" });
  const inputs = (operation.parameters ?? []).map((parameter) => ({ parameter, input: entry(parameter) }));
  const body = operation.requestBody && h("textarea", { rows: 8, spellcheck: "false", class: "code", "aria-label": t.body }, example === undefined ? "" : JSON.stringify(example, null, 2));
  const types = Object.keys(operation.responses["200"]?.content ?? operation.responses["201"]?.content ?? {});
  const accept = h("select", {}, types.map((type) => h("option", {}, type)));
  const said = h("pre", { class: "curl", tabindex: 0 });
  const button = h("button", {}, t.send);
  const form = h(
    "form",
    { class: "attempt", oninput: () => tell(), onsubmit: submitting(send) },
    h("h4", {}, t.attempt),
    h("p", { class: "small muted" }, account() ? t.as(account()?.name ?? "") : [t.asNobody, " ", signInLink(t.signIn)]),
    inputs.map(({ parameter, input }) => h("label", { class: "field" }, h("span", {}, h("code", {}, parameter.name), " ", h("span", { class: "muted small" }, typed(parameter.schema))), input)),
    body,
    types.length > 1 && h("label", { class: "field" }, t.accept, accept),
    h("h5", {}, t.request),
    said,
    button,
    shown,
  );
  tell();
  return form;

  function request() {
    let path = operation.path;
    /** @type {Record<string, string>} */
    const query = {};
    const headers = new Headers({ ...(types.length ? { Accept: accept.value } : {}), ...bearer("") });
    for (const { parameter, input } of inputs) {
      if (parameter.in === "path") path = path.replace(`{${parameter.name}}`, encodeURIComponent(input.value));
      else if (input.value === "") continue;
      else if (parameter.in === "query") query[parameter.name] = input.value;
      else headers.set(parameter.name, input.value);
    }
    if (body) headers.set("Content-Type", "application/json");
    return { method: operation.method.toUpperCase(), url: address(path, query), headers, body: body ? body.value : null };
  }

  function tell() {
    const { method, url, headers, body } = request();
    const lines = [`curl -X ${method} ${quoted(location.origin + url)}`];
    for (const [name, value] of headers) lines.push(`-H ${name === "authorization" ? '"Authorization: Bearer $TOKEN"' : quoted(`${name}: ${value}`)}`);
    if (body !== null) lines.push(`-d ${quoted(body)}`);
    said.textContent = lines.join(" \\\n  ");
  }

  async function send() {
    const { url, ...init } = request();
    if (init.body !== null && !isJson(init.body)) return void fill(shown, h("p", { role: "alert" }, t.noJson));
    if (init.method === "DELETE" && !confirm(t.sure)) return;
    tell();
    button.disabled = true;
    fill(shown, h("p", { class: "muted" }, t.sending));
    const ending = new AbortController();
    try {
      const answered = await fetch(url, { ...init, signal: ending.signal, cache: "no-store" });
      const text = await read(answered, ending);
      announce(`${t.answer}: ${answered.status}`);
      fill(
        shown,
        h("h5", {}, `${t.answer}: ${answered.status} ${answered.statusText}`),
        h("details", {}, h("summary", {}, "Headers"), h("pre", { tabindex: 0 }, [...answered.headers].map(([name, value]) => `${name}: ${value}`).join("\n"))),
        h("pre", { class: "answer", tabindex: 0 }, isJson(text) ? JSON.stringify(JSON.parse(text), null, 2) : text),
      );
    } catch (error) {
      fill(shown, h("p", { role: "alert" }, String(error)));
    } finally {
      button.disabled = false;
    }
  }
}

/** @param {any} parameter */
function entry(parameter) {
  const { schema } = parameter;
  const values = schema.enum ?? (schema.type === "boolean" ? [true, false] : null);
  if (values) return h("select", { name: parameter.name }, !parameter.required && h("option", { value: "" }), values.map((/** @type {unknown} */ value) => h("option", {}, String(value))));
  return h("input", { name: parameter.name, required: parameter.required === true, value: parameter.in === "path" ? parameter.example : null, autocomplete: "off", spellcheck: "false" });
}

/**
 * The part of a response that people read; a stream is listened to for a while.
 *
 * @param {Response} answered
 * @param {AbortController} ending
 */
async function read(answered, ending) {
  const reader = answered.body?.getReader();
  const decoder = new TextDecoder();
  let text = "";
  const timer = setTimeout(() => void reader?.cancel(), LISTEN);
  try {
    while (reader && text.length < MOST) {
      const { done, value } = await reader.read();
      if (done) return text;
      text += decoder.decode(value, { stream: true });
    }
    ending.abort();
    return `${text.slice(0, MOST)}\n${t.cut}`;
  } finally {
    clearTimeout(timer);
  }
}

/** @param {string} text */
function isJson(text) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** @param {string} text As one word of a shell. */
function quoted(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
