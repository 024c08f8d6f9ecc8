// Reads rounds from standard input and writes the days that the planner makes of them. The
// Go package fleet runs it, and holds the days against its own.
import { json } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { runnerImport } from "vite";

const root = fileURLToPath(new URL("..", import.meta.url));
const { module } = await runnerImport(`${root}src/dispatch/day/schedule.ts`, {
  root,
  configFile: false,
  logLevel: "silent",
});

const { ways, rounds } = await json(process.stdin);
const days = rounds.map(({ places, start, end, network, ...round }) =>
  module.schedule({
    ...round,
    ways: ways[network],
    places: { stop: (id) => places[id], start: () => start, end: () => end },
  }),
);
process.stdout.write(JSON.stringify(days));
