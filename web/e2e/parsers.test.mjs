// Parsers that many apps read OSRM answers with must take every answer of ours:
// osrm-text-instructions words each step in several languages. WAYGATE_URL is
// the gateway's address, or several with spaces between them; ROUTES is how many
// routes to ask for in all.

import assert from "node:assert/strict";
import { test } from "node:test";
import instructions from "osrm-text-instructions";

const bases = (process.env.WAYGATE_URL ?? "").split(" ").filter(Boolean);
const ROUTES = Number(process.env.ROUTES ?? 500);
const LANGUAGES = ["en", "de", "fr", "es", "it", "pl", "sv", "nl", "pt-BR", "ru", "zh-Hans", "he"];
const PROFILES = ["driving", "walking", "cycling", "truck", "bus", "motorcycle", "scooter"];
const compiler = instructions("v5");

/** Numbers from 0 to 1 that are the same on every run. */
function dice(seed) {
  return () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed / 2 ** 32;
  };
}

test(
  "every step can be worded",
  { skip: bases.length ? false : "WAYGATE_URL is not set", timeout: 900_000 },
  async () => {
    const types = new Map();
    const each = Math.ceil(ROUTES / bases.length);
    for (const base of bases.map((url) => url.replace(/\/*$/, "/"))) {
      const [west, south, east, north] = (
        await (await fetch(new URL("explorer.json", base))).json()
      ).bounds;
      const roll = dice(7);
      let routes = 0;
      for (let asked = 0; routes < each; asked++) {
        assert.ok(asked < 20 * each, `${base}: ${routes} routes after ${asked} requests`);
        const place = () =>
          [west + (east - west) * roll(), south + (north - south) * roll()]
            .map((v) => v.toFixed(6))
            .join(",");
        const points = [place(), place(), ...(asked % 5 ? [] : [place()])].join(";");
        const profile = PROFILES[asked % PROFILES.length];
        const query =
          "steps=true&overview=full&voice_instructions=true&banner_instructions=true&annotations=true";
        const url = `${base}route/v1/${profile}/${points}?${query}`;
        const answer = await (await fetch(url)).json();
        if (answer.code !== "Ok") {
          assert.ok(
            ["NoSegment", "NoRoute"].includes(answer.code),
            `${url}: ${JSON.stringify(answer)}`,
          );
          continue;
        }
        routes++;
        for (const route of answer.routes) {
          for (const [legIndex, leg] of route.legs.entries()) {
            for (const [i, step] of leg.steps.entries()) {
              types.set(step.maneuver.type, (types.get(step.maneuver.type) ?? 0) + 1);
              for (const language of LANGUAGES) {
                const text = compiler.compile(language, step, {
                  legIndex,
                  legCount: route.legs.length,
                });
                const where = `${url}, step ${i}, ${language}: "${text}"`;
                assert.ok(text.length > 1 && !/undefined|null|NaN|[{}]/.test(text), where);
              }
              const last = i === leg.steps.length - 1;
              assert.equal(step.voiceInstructions.length > 0, !last, `${url}, step ${i}`);
              assert.equal(step.bannerInstructions.length > 0, !last, `${url}, step ${i}`);
            }
          }
        }
      }
    }
    for (const type of ["depart", "arrive", "turn", "new name", "continue"]) {
      assert.ok(types.has(type), `no step was a ${type}: ${JSON.stringify([...types])}`);
    }
    assert.ok(types.size > 6, JSON.stringify([...types]));
  },
);
