// Where the links in emails lead: one confirms the address, another one unsubscribes it.
// Both ask once more, since mail programs open links to look for harm.

import { post } from "../lib/api.js";
import { fill, h } from "../lib/dom.js";
import { page, told } from "../lib/shell.js";
import { words } from "../lib/words.js";

const t = words({
  en: {
    confirm: { title: "Confirm your email address", ask: "Do you want messages about your games to go to this address?", act: "Confirm", done: "Messages go to this address from now on. You can test it on your account page." },
    unsubscribe: { title: "Unsubscribe", ask: "Do you want no more emails about your games?", act: "Unsubscribe", done: "No more emails go to this address. To get them again, remove it on your account page and add it again." },
    account: "To your account",
  },
  de: {
    confirm: { title: "Bestätige deine E-Mail-Adresse", ask: "Möchtest du an diese Adresse Nachrichten über deine Partien bekommen?", act: "Bestätigen", done: "Von jetzt an gehen Nachrichten an diese Adresse. Auf deiner Kontoseite kannst du sie testen." },
    unsubscribe: { title: "Abbestellen", ask: "Möchtest du keine E-Mails über deine Partien mehr bekommen?", act: "Abbestellen", done: "An diese Adresse gehen keine E-Mails mehr. Wenn du wieder welche möchtest, entferne sie auf deiner Kontoseite und füge sie neu hinzu." },
    account: "Zu deinem Konto",
  },
});

const confirming = location.pathname === "/email/confirm";
const said = confirming ? t.confirm : t.unsubscribe;
const main = page(said.title);
const body = h("div", { role: "status" });
main.append(h("h1", {}, said.title), body);

const act = async () => {
  try {
    if (confirming) await post("/v1/email/confirm", { token: location.hash.slice(1) });
    else await post(location.pathname, undefined);
    fill(body, h("p", {}, said.done), h("p", {}, h("a", { href: "/account" }, t.account)));
  } catch (error) {
    fill(body, told(error), h("p", {}, h("a", { href: "/account" }, t.account)));
  }
};
fill(body, h("p", {}, said.ask), h("p", {}, h("button", { type: "button", onclick: act }, said.act)));
