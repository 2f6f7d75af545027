/**
 * Proves a game from its file alone, as docs/reference/proof-format.md describes it: the chain, the seed, the dice, the salts and who
 * signed. It imports nothing, asks nobody, and knows no rules of any game.
 *
 * WebCrypto computes digests beside the page, which stays smooth however long the game is. Browsers keep
 * it from pages loaded over http from another machine. Then they are computed here, and signatures are not checked.
 */

/** @typedef {"no_file" | "no_events" | "unreadable" | "missing" | "unlinked" | "changed" | "head" | "mislabelled" |
 *  "opening" | "apart" | "sealed" | "after_end" | "seed" | "entropy" | "draw_number" | "draw" | "salt"} FaultCode */
/** @typedef {{code: FaultCode, seq: number, found?: string, expected?: string, number?: number, sides?: number}} Fault
 *  The fault of event `seq`, the first wrong one; 0 is the line above the events. */
/** @typedef {"forged" | "other_key" | "unconnected" | "unfollowed" | "vouched_revoked" | "revoked" | "superseded"} Doubt
 *  Why a signature does not count. */
/** @typedef {{state: "none" | "unsupported" | "valid" | "invalid", key: string | null, public: string | null,
 *  doubt: Doubt | null, since: string | null, other: string | null}} Signed
 *  Who signed the head: `key` is the short name of the key. `other` is the key asked for, where another one of the same
 *  server signed. `unsupported`: this browser cannot tell. */
/** @typedef {{public: string, since: string, endorsed?: string | null, accepted?: string | null,
 *  revoked?: {since: string, by: string, signature: string} | null}} KeyStatement */
/** @typedef {{key?: string, keys?: KeyStatement[], head?: string}} Asked
 *  What the game must match: a public key or its short name; the keys as a server lists them now (the first one
 *  first), which count instead of those in the file if one of them signed; and a head that somebody noted. */
/** @typedef {{game: string, ruleset: string, version: number, seq: number, hash: string, signature: string | null,
 *  key: string | null, keys: KeyStatement[], names: Record<string, string>, seed?: string}} Heading
 *  `seed`: that of a table of a series, which is not in its log. */
/** @typedef {{heading: Heading | null, events: number, proven: number, commands: number, draws: number, salts: number,
 *  sealed: number, revealed: boolean, fault: Fault | null, signed: Signed, witnessed: boolean | null, sound: boolean}}
 *  Report
 *  `proven` events are sound, of `events` in the file. `revealed`: the seed is known and is the one committed to, so
 *  the dice were drawn again; otherwise they are as recorded. `witnessed`: whether the noted head is in the log, null if none
 *  was given. `sound`: nothing is wrong. */
/** @typedef {{seq: number, hash: string, said: string, link: string, type: string, data: any, again: boolean,
 *  actor: string, id: string, at: string, draws: number}} Entry
 *  An event that was read: `hash` is computed, `said` what the line says; `data` is null where it is sealed; `again`:
 *  it continues a command. */

const GENESIS = "0".repeat(64);
const BATCH = 64;
/** Milliseconds after which the page gets a turn. */
const SLICE = 8;
const LAG = 60_000;
const HEX_64 = /^[0-9a-f]{64}$/;
const HEX_128 = /^[0-9a-f]{128}$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const SECOND = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;
const HASH = /^"[0-9a-f]{64}"$/;
const OBJECT = /^\{/;

/** The members of an event in the order of a line, and how they are written.
 * @type {[string, RegExp][]} */
const MEMBERS = [
  ["seq", /^[1-9]\d{0,9}$/],
  ["type", /^"[A-Z][A-Za-z]+"$/],
  ["data", OBJECT],
  ["rule", /^"[a-z_-]+\/[a-z0-9_-]+"$/],
  ["actor", /^(null|\d|[1-9]\d+)$/],
  ["command_id", /^(null|"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")$/],
  ["command", OBJECT],
  ["recorded_at", /^"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.(?!000000)\d{6})?Z"$/],
  ["prev_hash", HASH],
  ["hash", HASH],
  ["payload", HASH],
];
const OPTIONAL = new Set(["data", "command", "payload"]);

/** @typedef {CryptoKey | Uint8Array<ArrayBuffer>} Secret A seed as a key; as it is where the browser takes none. */

const utf8 = new TextEncoder();
/** Missing on pages loaded over http from another machine. */
const digests = globalThis.crypto?.subtle;
const STARTS = roots(1 / 2);
const STEPS = roots(1 / 3);

/** The first fault, thrown to the caller. */
class Wrong extends Error {
  /** @param {Fault} fault */
  constructor(fault) {
    super(fault.code);
    this.fault = fault;
  }
}

/**
 * Prove a game file, whatever it contains. Never throws because of a fault in it.
 * @param {Uint8Array<ArrayBuffer>} content the bytes of the file
 * @param {Asked} [asked]
 * @param {(done: number) => void} [progress] told how much is done, 0 to 1
 * @returns {Promise<Report>}
 */
export async function prove(content, asked = {}, progress = () => {}) {
  /** @type {Report} */
  const report = {
    heading: null, events: 0, proven: 0, commands: 0, draws: 0, salts: 0, sealed: 0, revealed: false, fault: null,
    signed: { state: "none", key: null, public: null, doubt: null, since: null, other: null }, witnessed: null,
    sound: false,
  };
  /** @type {Entry[]} */
  const log = [];
  try {
    const lines = linesOf(content);
    const heading = (report.heading = headingOf(lines[0] ?? ""));
    report.events = lines.length - 1;
    if (report.events === 0) throw new Wrong({ code: "no_events", seq: 0 });
    /** @type {Fault | null} */
    let broken = null;
    try {
      await follow(heading, lines, log, (done) => progress(done * 0.5));
    } catch (error) {
      broken = faultOf(error);
    }
    // Earlier events may still be wrong, and come first.
    const revealing = lines.findLast((line) => line.includes('"type":"SeedRevealed"')) ?? "";
    await look(heading, log, revealing, report, (done) => progress(0.5 + done * 0.5));
    if (broken !== null) throw new Wrong(broken);
    const last = log[log.length - 1];
    check(`${last?.seq}-${last?.hash}`, `${heading.seq}-${heading.hash}`, { code: "head", seq: heading.seq });
  } catch (error) {
    report.fault = faultOf(error);
  }
  count(report, log);
  if (report.heading !== null) {
    report.signed = await signedBy(report.heading, log[log.length - 1]?.at ?? "", asked);
    const noted = asked.head === undefined ? null : headIn(asked.head);
    if (asked.head !== undefined) report.witnessed = log.some((entry) => `${entry.seq}-${entry.hash}` === noted);
  }
  const wellSigned = asked.key === undefined ? report.signed.state !== "invalid" : report.signed.state === "valid";
  report.sound = report.fault === null && wellSigned && report.witnessed !== false;
  progress(1);
  return report;
}

/** A noted head: an ETag, with or without its quotes. Null if it is not one.
 * @param {string} text */
export function headIn(text) {
  return /^(?:W\/)?"?(\d{1,10}-[0-9a-f]{64})(?:[;-][!#-~]*)?"?$/.exec(text.trim())?.[1] ?? null;
}

/** Whether the text is a public key, or the short name of one.
 * @param {string} text */
export function isKey(text) {
  return /^([0-9a-f]{64}|[0-9a-f]{16})$/.test(text);
}

/** The short name of a public key.
 * @param {string} key */
export async function shortName(key) {
  return hex(await sha256(bytes(key))).slice(0, 16);
}

/** @param {unknown} error @returns {Fault} */
function faultOf(error) {
  if (error instanceof Wrong) return error.fault;
  throw error;
}

/** The lines. One that is not UTF-8 is empty, as no line of a game file is. @param {Uint8Array<ArrayBuffer>} content */
function linesOf(content) {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const lines = [];
  for (let start = 0, end = 0; start < content.length; start = end + 1) {
    end = content.indexOf(10, start);
    if (end < 0) end = content.length;
    try {
      lines.push(decoder.decode(content.subarray(start, end)));
    } catch {
      lines.push("");
    }
  }
  return lines;
}

/** What the first line says. @param {string} line @returns {Heading} */
function headingOf(line) {
  try {
    const file = JSON.parse(line);
    const sound =
      file.type === "GameFile" && file.format === 1 && UUID.test(file.game) && typeof file.ruleset === "string" &&
      Number.isInteger(file.version) && Number.isInteger(file.seq) && HEX_64.test(file.hash) &&
      (file.signature === null || HEX_128.test(file.signature)) && (file.key === null || HEX_64.test(file.key)) &&
      (file.signature === null) === (file.key === null) && areKeys(file.keys ?? []) &&
      Object.values(file.names ?? {}).every((name) => typeof name === "string") &&
      (file.seed === undefined || HEX_64.test(file.seed)) && JSON.stringify(file) === line;
    if (sound) return { keys: [], names: {}, ...file };
  } catch {
    // What cannot be read is not a game file either.
  }
  throw new Wrong({ code: "no_file", seq: 0 });
}

/** Whether these are the keys of a server as it publishes them. @param {any} keys @returns {boolean} */
export function areKeys(keys) {
  return (
    Array.isArray(keys) &&
    keys.every(
      (key) =>
        HEX_64.test(key.public) && SECOND.test(key.since) &&
        [key.endorsed, key.accepted].every((signature) => signature == null || HEX_128.test(signature)) &&
        (key.revoked == null ||
          (SECOND.test(key.revoked.since) && HEX_64.test(key.revoked.by) && HEX_128.test(key.revoked.signature))),
    )
  );
}

/**
 * Follow the chain to its end, or to the first wrong event. Sound events go into the log.
 * @param {Heading} heading @param {string[]} lines @param {Entry[]} log @param {(done: number) => void} progress
 */
async function follow(heading, lines, log, progress) {
  const rested = rests();
  let before = GENESIS;
  for (let start = 1; start < lines.length; start += BATCH) {
    const batch = lines.slice(start, start + BATCH);
    const read = await Promise.all(
      batch.map((line, index) => entryOf(heading.game, start + index, line).catch(faultOf)),
    );
    for (const [index, entry] of read.entries()) {
      const seq = start + index;
      if ("code" in entry) throw new Wrong(entry);
      if (entry.seq !== seq) throw new Wrong({ code: "missing", seq, found: String(entry.seq) });
      if (entry.link !== before) throw new Wrong({ code: "unlinked", seq });
      if (entry.hash !== entry.said) throw new Wrong({ code: "changed", seq });
      before = entry.hash;
      log.push(entry);
    }
    progress(Math.min(1, (start + BATCH) / lines.length));
    await rested();
  }
}

/**
 * An event as its line has it.
 * @param {string} game @param {number} seq @param {string} line @returns {Promise<Entry>}
 */
async function entryOf(game, seq, line) {
  const raw = membersOf(seq, line);
  const [data, command] = [raw.get("data"), raw.get("command")];
  const header = ["seq", "type", "rule", "actor", "command_id", "recorded_at"].map((name) => raw.get(name));
  const link = text(raw, "prev_hash");
  const payload = data === undefined ? text(raw, "payload") : await payloadOf(data, command);
  return {
    seq: Number(raw.get("seq")),
    hash: await hashOf(link, payload, `["${game}",${header.join(",")}]`),
    said: text(raw, "hash"),
    link,
    type: text(raw, "type"),
    data: data === undefined ? null : JSON.parse(data),
    again: data !== undefined && command === undefined,
    actor: raw.get("actor") ?? "",
    id: raw.get("command_id") ?? "",
    at: text(raw, "recorded_at"),
    draws: 0,
  };
}

/** The digest of an event's data. @param {string} data @param {string} [command] */
export async function payloadOf(data, command) {
  return hex(await sha256(utf8.encode(command === undefined ? data : `${data}\n${command}`)));
}

/** The hash of an event. @param {string} link the hash before it @param {string} payload @param {string} header */
export async function hashOf(link, payload, header) {
  return hex(await sha256(joined(bytes(link), bytes(payload), utf8.encode(header))));
}

/** The members of a line as written, each as in game files: bytes are hashed.
 * @param {number} seq @param {string} line */
function membersOf(seq, line) {
  /** @type {Map<string, string>} */
  const raw = new Map();
  let at = 1;
  for (const [name, pattern] of MEMBERS) {
    const opening = `${raw.size > 0 ? "," : ""}"${name}":`;
    if (!line.startsWith(opening, at)) {
      if (OPTIONAL.has(name)) continue;
      throw new Wrong({ code: "unreadable", seq, expected: name });
    }
    const start = at + opening.length;
    at = endOf(line, start);
    const value = line.slice(start, at);
    if (!pattern.test(value) || (pattern === OBJECT && !isJson(value))) {
      throw new Wrong({ code: "unreadable", seq, expected: name });
    }
    raw.set(name, value);
  }
  const sealed = raw.has("payload");
  if (line[0] + line.slice(at) !== "{}" || sealed === raw.has("data") || (sealed && raw.has("command"))) {
    throw new Wrong({ code: "unreadable", seq, expected: "payload" });
  }
  return raw;
}

/** Where the JSON value ends that begins at a place. @param {string} line @param {number} at */
function endOf(line, at) {
  let depth = 0;
  for (; at < line.length; at++) {
    const character = line[at];
    if (character === '"') {
      for (at++; at < line.length && line[at] !== '"'; at++) if (line[at] === "\\") at++;
    } else if (character === "{" || character === "[") depth++;
    else if (character === "}" || character === "]") {
      if (depth === 0) return at;
      depth--;
    } else if (character === "," && depth === 0) return at;
  }
  return at;
}

/** @param {string} value */
function isJson(value) {
  try {
    JSON.parse(value);
    return true;
  } catch {
    return false;
  }
}

/**
 * Check the data of the events: names, the seed, the entropy, every draw, and every salt.
 * @param {Heading} heading @param {Entry[]} log @param {string} revealing the line with the seed @param {Report} report
 * @param {(done: number) => void} progress
 */
async function look(heading, log, revealing, report, progress) {
  const opening = log[0]?.data;
  if (opening === undefined) return;
  const { game, ruleset, version } = heading;
  if (
    opening?.game_id !== game || opening.ruleset !== ruleset || opening.version !== version ||
    !HEX_64.test(opening.commitment)
  ) {
    cut(log, 0);
    throw new Wrong({ code: "opening", seq: 1 });
  }
  const seed = (await seedIn(revealing, opening.commitment)) ?? (await seedBeside(heading, opening.commitment));
  report.revealed = seed !== null;
  // The tables of a series have the same dice, which follow from its id.
  const dice = UUID.test(opening.series?.series) ? opening.series.series : game;
  /** @type {Map<number, string>} */
  const given = new Map();
  /** @type {string | null} */
  let entropy = null;
  let [draws, salts] = [0, 0];
  const rested = rests();
  /** @type {(() => Promise<void>)[]} */
  let tasks = [];
  try {
    for (const [index, entry] of log.entries()) {
      const { seq, data } = entry;
      const before = log[index - 1];
      if (before?.type === "SeedRevealed") throw new Wrong({ code: "after_end", seq });
      if (data === null) {
        if (seed !== null) throw new Wrong({ code: "sealed", seq });
        continue;
      }
      if (data.type !== entry.type) throw new Wrong({ code: "mislabelled", seq, found: String(data.type) });
      checkCommand(entry, before);
      if (entry.type === "SeedRevealed" && seed === null) throw new Wrong({ code: "seed", seq });
      if (entropy === null && "entropy" in data) {
        if ("seat" in data) given.set(data.seat, data.entropy);
        else entropy = entropyOf(seq, data.entropy, given);
      } else if (entry.type === "SeatLeft") given.delete(data.seat);
      if ("salt" in data && ++salts && seed !== null) {
        const number = salts;
        tasks.push(async () => check(data.salt, await salted(seed, game, number), { code: "salt", seq, number }));
      }
      const held = drawsIn(data);
      entry.draws = held.length;
      for (const draw of held) {
        if (draw.number !== ++draws || !isDie(draw)) {
          throw new Wrong({ code: "draw_number", seq, found: JSON.stringify(draw), number: draws });
        }
        const [number, said] = [draws, entropy ?? ""];
        const fault = /** @type {Fault} */ ({ code: "draw", seq, number, sides: draw.sides });
        if (seed !== null) tasks.push(async () => check(draw.value, await drawn(seed, dice, number, draw.sides, said), fault));
      }
      if (tasks.length >= BATCH) {
        await all(tasks);
        tasks = [];
      }
      if (index % BATCH === 0) {
        progress(index / log.length);
        await rested();
      }
    }
    await all(tasks);
  } catch (error) {
    // Of the tasks of one batch an earlier one may be wrong, though what was found first is not among them.
    const fault = await earliest(tasks, faultOf(error));
    cut(log, fault.seq - 1);
    throw new Wrong(fault);
  }
}

/** All at once; the first that is wrong in the order of events counts. @param {(() => Promise<void>)[]} tasks */
async function all(tasks) {
  const found = await Promise.allSettled(tasks.map((task) => task()));
  for (const result of found) if (result.status === "rejected") throw result.reason;
}

/** @param {(() => Promise<void>)[]} tasks @param {Fault} fault @returns {Promise<Fault>} */
async function earliest(tasks, fault) {
  try {
    await all(tasks);
    return fault;
  } catch (error) {
    const other = faultOf(error);
    return other.seq < fault.seq ? other : fault;
  }
}

/** Lets the page continue, once it has waited for as long as a slice. */
function rests() {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < SLICE) return;
    await new Promise((resolve) => setTimeout(resolve));
    since = performance.now();
  };
}

/** Forget everything after event `seq`. @param {Entry[]} log @param {number} seq */
function cut(log, seq) {
  log.length = Math.min(log.length, seq);
}

/** All events of a command have its seat, id, and time. @param {Entry} entry @param {Entry | undefined} before */
function checkCommand(entry, before) {
  if (before === undefined) return;
  const { seq, again, actor, id, at } = entry;
  const apart = again ? actor !== before.actor || id !== before.id || at !== before.at : id === "null";
  if (apart) throw new Wrong({ code: "apart", seq });
}

/** The players' entropy, which is in the event that starts the game.
 * @param {number} seq @param {unknown} said @param {Map<number, string>} given */
function entropyOf(seq, said, given) {
  const expected = [...given].sort(([seat], [other]) => seat - other).map(([, entropy]) => entropy).join(",");
  check(said, expected, { code: "entropy", seq });
  return expected;
}

/** @param {unknown} found @param {string | number} expected @param {Fault} fault What is wrong otherwise. */
function check(found, expected, fault) {
  if (found !== expected) throw new Wrong({ ...fault, found: String(found), expected: String(expected) });
}

/** The seed that a line reveals, if it is the one that was committed to.
 * @param {string} line @param {string} commitment */
async function seedIn(line, commitment) {
  let data = null;
  try {
    ({ data } = JSON.parse(line));
  } catch {
    return null;
  }
  if (data?.type !== "SeedRevealed" || !HEX_64.test(data.seed)) return null;
  return (await committed(data.seed)) === commitment ? keyed(data.seed) : null;
}

/** The seed of a table of a series, which is beside its log. @param {Heading} heading @param {string} commitment */
async function seedBeside(heading, commitment) {
  if (heading.seed === undefined) return null;
  if ((await committed(heading.seed)) !== commitment) throw new Wrong({ code: "seed", seq: 1 });
  return keyed(heading.seed);
}

/** What a server publishes of its seed before the first draw. @param {string} seed */
export async function committed(seed) {
  return hex(await sha256(bytes(seed)));
}

/** A seed as the key of draws and salts. @param {string} seed @returns {Promise<Secret>} */
export async function keyed(seed) {
  const key = bytes(seed);
  return digests ? digests.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]) : key;
}

/** Every draw anywhere in an event, by number. @param {any} data */
function drawsIn(data) {
  const found = [];
  const todo = [data];
  while (todo.length > 0) {
    const value = todo.pop();
    if (value === null || typeof value !== "object") continue;
    const isDraw = "number" in value && "sides" in value && "value" in value && Object.keys(value).length === 3;
    if (isDraw) found.push(value);
    else for (const inner of Object.values(value)) todo.push(inner);
  }
  return found.sort((one, other) => one.number - other.number);
}

/** @param {any} draw */
function isDie({ sides, value }) {
  return Number.isInteger(sides) && Number.isInteger(value) && 1 <= value && value <= sides && sides <= 64;
}

/** Draw `number`: the first word below the greatest multiple of the sides decides.
 * @param {Secret} seed @param {string} dice the id of the game, or of its series
 * @param {number} number @param {number} sides @param {string} entropy */
export async function drawn(seed, dice, number, sides, entropy) {
  const accepted = 2 ** 32 - (2 ** 32 % sides);
  for (let block = 0; ; block++) {
    const words = new DataView((await hmac(seed, `${dice}:${number}:${block}:${entropy}`)).buffer);
    for (let at = 0; at < 32; at += 4) {
      const word = words.getUint32(at);
      if (word < accepted) return 1 + (word % sides);
    }
  }
}

/** Salt `number`. @param {Secret} seed @param {string} game @param {number} number */
export async function salted(seed, game, number) {
  return hex(await hmac(seed, `${game}:salt:${number}`)).slice(0, 32);
}

/** Count what was proven. @param {Report} report @param {Entry[]} log */
function count(report, log) {
  report.proven = log.length;
  for (const { data, again, seq, draws } of log) {
    if (data === null) report.sealed++;
    else {
      report.commands += again || seq === 1 ? 0 : 1;
      report.draws += draws;
      report.salts += "salt" in data ? 1 : 0;
    }
  }
}

/**
 * Who signed the head, and whether that counts.
 * @param {Heading} heading @param {string} at when its last event was recorded @param {Asked} asked
 * @returns {Promise<Signed>}
 */
export async function signedBy(heading, at, asked) {
  /** @type {Signed} */
  const signed = { state: "none", key: null, public: heading.key, doubt: null, since: null, other: null };
  if (heading.signature === null || heading.key === null) return signed;
  signed.key = await shortName(heading.key);
  if (!(await canVerify())) return { ...signed, state: "unsupported" };
  const head = `mcmulti head v1\n${heading.game}\n${heading.seq}\n${heading.hash}\n`;
  if (!(await holds(heading.key, heading.signature, head))) return { ...signed, state: "invalid", doubt: "forged" };
  const listed = asked.keys?.some((key) => key.public === heading.key) ? asked.keys : heading.keys;
  const [doubt, since] = await distrust(listed ?? [], heading.key, asked.key, Date.parse(at));
  const other = asked.key === undefined || [heading.key, signed.key].includes(asked.key) ? null : asked.key;
  return { ...signed, state: doubt === null ? "valid" : "invalid", doubt, since, other };
}

/**
 * Why a head of a moment should not be signed by a key, and since when; nulls if it may.
 * @param {KeyStatement[]} keys the server's, the first one first @param {string} signer @param {string | undefined}
 * asked a key that is trusted, or its short name @param {number} at @returns {Promise<[Doubt | null, string | null]>}
 */
async function distrust(keys, signer, asked, at) {
  const ids = keys.map((key) => key.public);
  /** @type {string | undefined} */
  let trusted;
  for (const each of [signer, ...ids]) if (asked === each || asked === (await shortName(each))) trusted ??= each;
  if (asked !== undefined && trusted === undefined) return ["other_key", null];
  const place = ids.indexOf(signer);
  if (place < 0) return trusted === undefined || trusted === signer ? [null, null] : ["unconnected", null];
  const first = trusted === undefined ? place : ids.indexOf(trusted);
  for (let later = Math.min(first, place) + 1; later <= Math.max(first, place); later++) {
    if (!(await followed(keys, later))) return ["unfollowed", null];
  }
  for (let each = first; each < place; each++) {
    const [since, next] = [await revokedSince(keys, each), keys[each + 1]];
    if (since !== null && next !== undefined && since <= next.since) return ["vouched_revoked", since];
  }
  const since = await revokedSince(keys, place);
  if (since !== null && at >= Date.parse(since)) return ["revoked", since];
  const next = keys[place + 1];
  if (next !== undefined && (await followed(keys, place + 1)) && at > Date.parse(next.since) + LAG) {
    return ["superseded", next.since];
  }
  return [null, null];
}

/** Whether a key and the previous one both state that one succeeds the other.
 * @param {KeyStatement[]} keys @param {number} later */
async function followed(keys, later) {
  const [before, key] = [keys[later - 1], keys[later]];
  if (before === undefined || key === undefined) return false;
  const said = `mcmulti key v1\n${before.public}\n${key.public}\n${key.since}\n`;
  return (await holds(before.public, key.endorsed ?? "", said)) && (await holds(key.public, key.accepted ?? "", said));
}

/** Since when a key is revoked by a successor. Null if it is not.
 * @param {KeyStatement[]} keys @param {number} place */
async function revokedSince(keys, place) {
  const key = keys[place];
  const revoked = key?.revoked;
  if (key === undefined || revoked == null) return null;
  const said = `mcmulti revoked key v1\n${key.public}\n${revoked.since}\n`;
  if (!(await holds(revoked.by, revoked.signature, said))) return null;
  for (let later = place + 1; later < keys.length && (await followed(keys, later)); later++) {
    if (keys[later]?.public === revoked.by) return revoked.since;
  }
  return null;
}

/** Whether the owner of the public key signed this. @param {string} key @param {string} signature @param {string} said */
export async function holds(key, signature, said) {
  try {
    const owner = await crypto.subtle.importKey("raw", bytes(key), "Ed25519", false, ["verify"]);
    return await crypto.subtle.verify("Ed25519", owner, bytes(signature), utf8.encode(said));
  } catch {
    return false;
  }
}

/** Whether this browser knows Ed25519, and lets this page use it. */
async function canVerify() {
  try {
    await crypto.subtle.generateKey("Ed25519", false, ["sign", "verify"]);
    return true;
  } catch {
    return false;
  }
}

/** @param {Uint8Array<ArrayBuffer>} content */
async function sha256(content) {
  return digests ? new Uint8Array(await digests.digest("SHA-256", content)) : slowly(content);
}

/** @param {Secret} key @param {string} message */
async function hmac(key, message) {
  const said = utf8.encode(message);
  if (!(key instanceof Uint8Array)) return new Uint8Array(await digests.sign("HMAC", key, said));
  const padded = joined(key, new Uint8Array(64 - key.length));
  const inner = slowly(joined(padded.map((byte) => byte ^ 0x36), said));
  return slowly(joined(padded.map((byte) => byte ^ 0x5c), inner));
}

/** The first bits after the point of the roots of the first primes, as SHA-256 uses them. @param {number} power */
function roots(power) {
  const primes = Array.from({ length: 311 }, (_, n) => n + 2).filter((n) => Array.from({ length: n - 2 }, (_, m) => m + 2).every((m) => n % m));
  return Uint32Array.from(primes, (prime) => (prime ** power % 1) * 2 ** 32);
}

/** SHA-256 without the browser's help, for pages loaded over http. @param {Uint8Array} content */
export function slowly(content) {
  const words = new DataView(new ArrayBuffer(((content.length + 72) >> 6) << 6));
  new Uint8Array(words.buffer).set(content);
  words.setUint8(content.length, 0x80);
  words.setBigUint64(words.byteLength - 8, BigInt(content.length) * 8n);
  const sum = STARTS.slice(0, 8);
  const w = new Uint32Array(64);
  const turned = (/** @type {number} */ word, /** @type {number} */ by) => (word >>> by) | (word << (32 - by));
  const at = (/** @type {Uint32Array} */ row, /** @type {number} */ n) => row[n] ?? 0;
  for (let block = 0; block < words.byteLength; block += 64) {
    for (let n = 0; n < 64; n++) {
      const [two, fifteen] = [at(w, n - 2), at(w, n - 15)];
      const mixed = () => at(w, n - 16) + (turned(fifteen, 7) ^ turned(fifteen, 18) ^ (fifteen >>> 3)) + at(w, n - 7) + (turned(two, 17) ^ turned(two, 19) ^ (two >>> 10));
      w[n] = n < 16 ? words.getUint32(block + 4 * n) : mixed();
    }
    let [a, b, c, d, e, f, g, h] = /** @type {[number, number, number, number, number, number, number, number]} */ (/** @type {unknown} */ ([...sum]));
    for (let n = 0; n < 64; n++) {
      const one = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + at(STEPS, n) + at(w, n)) | 0;
      const other = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [a, b, c, d, e, f, g, h] = [(one + other) | 0, a, b, c, (d + one) | 0, e, f, g];
    }
    for (const [n, word] of [a, b, c, d, e, f, g, h].entries()) sum[n] = at(sum, n) + word;
  }
  const found = new DataView(new ArrayBuffer(32));
  for (const [n, word] of sum.entries()) found.setUint32(4 * n, word);
  return new Uint8Array(found.buffer);
}

/** The text of a member that is a string without escapes. @param {Map<string, string>} raw @param {string} name */
function text(raw, name) {
  return (raw.get(name) ?? "").slice(1, -1);
}

/** @param {string} digits hexadecimal */
function bytes(digits) {
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

/** @param {Uint8Array | ArrayBuffer} content */
function hex(content) {
  return Array.from(new Uint8Array(content), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** @param {...Uint8Array} parts */
function joined(...parts) {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
