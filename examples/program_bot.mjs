#!/usr/bin/env node
// A strategy as a program: a line of JSON in, a line of JSON out. It buys what is cheap, and goes on.
import { createInterface } from "node:readline";

const answer = (message) => console.log(JSON.stringify(message));

for await (const line of createInterface({ input: process.stdin })) {
  const asked = JSON.parse(line);
  if (asked.type === "hello") answer({ version: 1 });
  else if (asked.type === "choose") answer({ commands: [choose(asked.offers)] });
  else break; // "end": the game is over
}

function choose(offers) {
  const dear = (offer) => offer.price ?? 0;
  const [offer] = offers.toSorted((a, b) => dear(a) - dear(b));
  const command = { type: offer.command };
  for (const [name, field] of Object.entries(offer.fields ?? {})) command[name] = field.options?.[0] ?? field.min;
  return command;
}
