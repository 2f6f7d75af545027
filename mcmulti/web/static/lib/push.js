// Messages on this device: by Web Push even if no page is open, or else only while one is.

import { account, onSignOut } from "./account.js";
import { del, get, post } from "./api.js";
import { language, words } from "./words.js";

/** @typedef {import("./api.js").Schemas} Schemas */

/** The server's webhooks of the user. */
export const HOOKS = "/v1/players/me/webhooks";
const WORKER = "/service-worker.js";
const PAGES_ONLY = "mcmulti.notify";
const SOUND = "mcmulti.sound";
const TOLD = "mcmulti.turns";
const t = words({ en: { yourTurn: "It is your turn." }, de: { yourTurn: "Du bist am Zug." } });

/**
 * Whether this browser can show messages. (Not under plain HTTP, and on iPhones only when the site is on the home
 * screen.)
 */
export const canNotify = () => "Notification" in window && "serviceWorker" in navigator;

/** The subscription of this browser, if it has one. */
export async function subscribed() {
  const registration = canNotify() ? await navigator.serviceWorker.getRegistration() : undefined;
  return (await registration?.pushManager?.getSubscription()) ?? null;
}

/** @returns {Promise<"push" | "pages" | null>} How messages come to this device. */
export async function turnedOn() {
  if (!canNotify() || Notification.permission !== "granted") return null;
  if (await subscribed()) return "push";
  return localStorage.getItem(PAGES_ONLY) === null ? null : "pages";
}

/**
 * Turns messages on: asks the user, subscribes, and sends the subscription to the server.
 *
 * @param {string} key Of the server, for push services.
 * @returns {Promise<"push" | "pages" | null>} How they come; null if the reader does not want them.
 */
export async function turnOn(key) {
  if ((await Notification.requestPermission()) !== "granted") return null;
  await navigator.serviceWorker.register(WORKER);
  const registration = await navigator.serviceWorker.ready;
  let subscription;
  try {
    subscription = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  } catch {
    localStorage.setItem(PAGES_ONLY, ""); // a browser without a push service
    return "pages";
  }
  try {
    await keep(subscription);
  } catch (error) {
    await subscription.unsubscribe(); // if the server does not know it, it is not on
    throw error;
  }
  localStorage.removeItem(PAGES_ONLY);
  return "push";
}

/**
 * Sends a subscription to the server, unless it has it already.
 *
 * @param {PushSubscription} subscription
 */
async function keep(subscription) {
  const { endpoint, keys } = subscription.toJSON();
  const there = await webhooksAt(endpoint);
  if (there.some((each) => !each.gone)) return;
  for (const each of there) await del(`${HOOKS}/${each.id}`);
  await post(HOOKS, { url: endpoint, service: "push", keys, language });
}

/**
 * The user's webhooks at an address.
 *
 * @param {string | undefined} address
 */
async function webhooksAt(address) {
  /** @type {Schemas["WebhookList"]} */
  const { webhooks } = (await get(HOOKS)).body;
  return webhooks.filter((each) => each.url === address);
}

/** Turns messages on this device off. */
export async function turnOff() {
  localStorage.removeItem(PAGES_ONLY);
  const subscription = await subscribed();
  if (!subscription) return;
  await subscription.unsubscribe(); // from now on, the push service refuses messages
  if (!account()) return;
  for (const each of await webhooksAt(subscription.endpoint)) await del(`${HOOKS}/${each.id}`);
}

/** Whether to play a sound when it is your turn. */
export const sounding = () => localStorage.getItem(SOUND) !== null;

/** @param {boolean} on */
export function sound(on) {
  if (on) localStorage.setItem(SOUND, "");
  else localStorage.removeItem(SOUND);
  if (on) play();
}

/** Two short tones. Browsers allow them once the user has touched the page. */
function play() {
  const audio = new AudioContext();
  for (const [number, pitch] of [660, 880].entries()) {
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    const begin = audio.currentTime + number * 0.15;
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0.1, begin);
    volume.gain.exponentialRampToValueAtTime(0.001, begin + 0.3);
    tone.connect(volume).connect(audio.destination);
    tone.start(begin);
    tone.stop(begin + 0.3);
    tone.onended = () => void (number && audio.close());
  }
}

/**
 * Notifies the user of games in which it is their turn: by a number on the icon of the installed site, and by a sound
 * and a message for each game that no page has announced yet.
 *
 * @param {ReadonlySet<string>} games
 */
export function tellTurns(games) {
  if ("setAppBadge" in navigator) void (games.size ? navigator.setAppBadge(games.size) : navigator.clearAppBadge()).catch(() => {});
  const before = new Set((localStorage.getItem(TOLD) ?? "").split(" "));
  const fresh = [...games].filter((game) => !before.has(game));
  localStorage.setItem(TOLD, [...games].join(" "));
  if (fresh.length && sounding()) play();
  for (const game of fresh) void show(game);
}

/** @param {string} game Where it is the reader's turn. */
async function show(game) {
  if (!document.hidden || (await turnedOn()) !== "pages") return;
  const registration = await navigator.serviceWorker.getRegistration();
  const page = `/games/${game}`;
  await registration?.showNotification("mcmulti", { body: t.yourTurn, tag: game.replaceAll("-", ""), icon: "/icon.png", data: { page } });
}

// The next user who signs in here must not get these messages.
onSignOut(() => void turnOff().catch(() => {}));
