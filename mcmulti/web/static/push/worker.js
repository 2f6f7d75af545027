// The service worker, which runs when a message arrives, whether or not a page is open.

/** @type {any} The scope of a service worker, which a page's types do not know. */
const worker = self;

/**
 * Shows a message, unless you are looking at its game.
 *
 * @param {{text: string, page: string, about: string}} message
 */
async function show({ text, page, about }) {
  const seen = await windows();
  if (seen.some((/** @type {any} */ each) => each.focused && new URL(each.url).pathname === page)) return;
  await worker.registration.showNotification("mcmulti", {
    body: text,
    tag: about,
    renotify: true,
    icon: "/icon.png",
    data: { page },
  });
}

/**
 * Shows the page that a message is about: in a window that has it already, or in a new one.
 *
 * @param {string} page
 */
async function open(page) {
  const seen = await windows();
  const there = seen.find((/** @type {any} */ each) => new URL(each.url).pathname === page);
  await (there ? there.focus() : worker.clients.openWindow(page));
}

const windows = () => worker.clients.matchAll({ type: "window", includeUncontrolled: true });

worker.addEventListener("install", () => worker.skipWaiting());
worker.addEventListener("push", (/** @type {any} */ event) => event.waitUntil(show(event.data.json())));
worker.addEventListener("notificationclick", (/** @type {any} */ event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data.page));
});
