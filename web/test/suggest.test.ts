import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { addressOf } from "../src/search/address";
import { readFeature } from "../src/search/feature";
import { kindName } from "../src/search/kinds";
import { Suggester } from "../src/search/suggest";
import de from "../src/languages/de.json";
import { usePageLanguage } from "../src/ui/translate";

const suggester = () =>
  new Suggester({ apiKey: null, bounds: null, bias: () => null, lang: () => "en" });
const ask = (text: string) => suggester().ask(text, new AbortController().signal);

beforeEach(() => void vi.stubGlobal("document", { baseURI: "http://h/" }));
afterEach(() => {
  vi.unstubAllGlobals();
  usePageLanguage("en", {});
});

test("a server that cannot be reached has not said that there is nothing", async () => {
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("offline")));
  expect((await ask("Quay"))?.note).toMatch(/did not answer/);
  vi.stubGlobal("fetch", () => Promise.resolve(Response.json({ features: [] })));
  expect((await ask("Quay"))?.note).toMatch(/^Nothing found/);
});

test("what the server reads as coordinates differs from places", async () => {
  const feature = (type: string) => ({
    geometry: { type: "Point", coordinates: [-7.17, 49.33] },
    properties: { name: "49.33, -7.17", type },
  });
  const answer = { features: [feature("coordinate"), feature("street")] };
  vi.stubGlobal("fetch", () => Promise.resolve(Response.json(answer)));
  const found = await ask("https://maps.example.org/#15/49.33/-7.17");
  expect(found?.list.map(({ source }) => source)).toEqual(["coordinates", "place"]);
});

test("usual kinds have people's names, others the index's", () => {
  expect(["fuel", "townhall", "bicycle_wash", "constructor"].map(kindName)).toEqual([
    "Petrol station",
    "Town hall",
    "Bicycle wash",
    "Constructor",
  ]);
});

test("a point near a place is called so in the page's language", () => {
  usePageLanguage("de", de);
  const far = readFeature({
    geometry: { type: "Point", coordinates: [0, 0] },
    properties: { id: "street.1", name: "Long Lane", type: "street", distance_m: 400 },
  });
  expect(addressOf([far!])).toBe("bei Long Lane");
});

test("an address says its town, and a place its street in the order of the country", () => {
  const geometry = { type: "Point", coordinates: [9.52, 47.14] };
  const at = { housenumber: "46", street: "Äulestrasse", city: "Vaduz", countrycode: "LI" };
  const read = (more: object) => readFeature({ geometry, properties: { ...at, ...more } })!;
  const address = read({
    id: "address.n1",
    type: "address",
    name: "Äulestrasse 46",
    distance_m: 3,
  });
  expect(addressOf([address])).toBe("Äulestrasse 46, Vaduz");
  expect(read({ type: "poi", name: "Museum" }).address).toBe("Äulestrasse 46, Vaduz");
  expect(read({ type: "poi", name: "Museum", countrycode: "FR" }).address).toBe(
    "46 Äulestrasse, Vaduz",
  );
});
