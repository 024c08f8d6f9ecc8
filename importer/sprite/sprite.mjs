// Draws the icons of points of interest: those of Maki (CC0), by the kinds that the
// map has them for, as signed distance fields, which take any colour and a halo.
// `make sprite` runs it: node sprite.mjs OUT_FOLDER

import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Resvg } from "@resvg/resvg-js";
import { encode } from "fast-png";

const require = createRequire(import.meta.url);

/** The icons of kinds that are not called like their icon. */
const CALLED = {
  aerodrome: "airport", station: "rail", halt: "rail", bus_stop: "bus", bus_station: "bus", ferry_terminal: "ferry",
  subway: "rail-metro", subway_entrance: "rail-metro", tram_stop: "rail-light", aerialway_station: "aerialway",
  peak: "mountain", saddle: "mountain", picnic_site: "picnic-site", bicycle_parking: "bicycle", square: "monument", cave_entrance: "entrance", spring: "drinking-water", alpine_hut: "shelter", wood: "park-alt1",
  forest: "park-alt1", nature_reserve: "natural", national_park: "natural", allotments: "garden-centre", golf_course: "golf",
  university: "college", kindergarten: "playground", townhall: "town-hall", courthouse: "town-hall", marketplace: "grocery",
  post_office: "post", post_box: "post", fire_station: "fire-station", place_of_worship: "place-of-worship",
  community_centre: "building", social_facility: "residential-community", childcare: "playground", arts_centre: "art-gallery",
  gallery: "art-gallery", artwork: "art-gallery", theme_park: "amusement-park", charging_station: "charging-station",
  toilets: "toilet", atm: "bank", drinking_water: "drinking-water", pub: "beer", fast_food: "fast-food", doctors: "doctor",
  clinic: "doctor", ice_cream: "ice-cream", car_rental: "car-rental", bicycle_rental: "bicycle-share", hotel: "lodging",
  hostel: "lodging", guest_house: "lodging", motel: "lodging", chalet: "lodging", apartment: "lodging", camp_site: "campsite",
  caravan_site: "campsite", ruins: "historic", archaeological_site: "historic", fort: "castle", memorial: "monument",
  battlefield: "historic", sports_centre: "fitness-centre", swimming_pool: "swimming", water_park: "swimming",
  recreation_ground: "pitch", village_green: "park", marina: "harbor", observatory: "observation-tower", military: "barrier",
  supermarket: "grocery", mall: "shop", department_store: "shop", greengrocer: "grocery", clothes: "clothing-store",
  shoes: "shoe", hairdresser: "hairdresser", beauty: "hairdresser", butcher: "slaughterhouse", alcohol: "alcohol-shop",
  wine: "alcohol-shop", jewelry: "jewelry-store", books: "library", doityourself: "hardware", car_repair: "car-repair",
  car_parts: "car-repair", bicycle: "bicycle", mobile_phone: "mobile-phone", garden_centre: "garden-centre", chemist: "pharmacy",
  newsagent: "convenience", kiosk: "convenience", sports: "soccer", pet: "veterinary", lighthouse: "lighthouse",
}; // prettier-ignore

/** Kinds called like their icon. */
const SAME = `attraction aquarium bakery bank bar beach cafe castle cemetery cinema college confectionery convenience dentist
  florist fuel furniture garden gift hairdresser hardware hospital laundry library monument museum nightclub optician park parking
  information recycling shelter telephone waterfall pharmacy pitch playground police restaurant school shop stadium theatre veterinary viewpoint volcano windmill zoo`
  .split(/\s+/);

/** Of kinds without an icon. */
const DOT = `<svg xmlns="http://www.w3.org/2000/svg" width="15" height="15" viewBox="0 0 15 15"><circle cx="7.5" cy="7.5" r="3"/></svg>`;

/** Of streets for one direction, along the line from left to right. */
const ARROW = `<svg xmlns="http://www.w3.org/2000/svg" width="15" height="15" viewBox="0 0 15 15"><path d="M1 6.7h8V4.2l5 3.3-5 3.3V8.3H1z"/></svg>`;

/** Under the numbers of roads: its middle stretches to their width. */
const SHIELD = `<svg xmlns="http://www.w3.org/2000/svg" width="15" height="15" viewBox="0 0 15 15"><rect x="0.5" y="0.5" width="14" height="14" rx="3.5"/></svg>`;

/** Of land without a map, side by side: stripes in a grey that is light on dark maps and dark on light ones. */
const HATCH = 16;
const STRIPE = [128, 128, 128, 46];

const maki = (name) => readFileSync(require.resolve(`@mapbox/maki/icons/${name}.svg`), "utf8");

const icons = new Map([["dot", DOT], ["arrow", ARROW], ["shield", SHIELD]]);
for (const name of SAME) icons.set(name, maki(name));
for (const [kind, name] of Object.entries(CALLED)) icons.set(kind, maki(name));

const SIDE = 15; // of an icon
const BUFFER = 3; // round it, for halos
const RADIUS = 8; // pixels from the outline at which the field ends, as in glyphs
const CUTOFF = 0.25; // of the field that lies inside the outline
const FINE = 8; // times as fine as its pixels the outline is looked at

/** Squared distances of the cells of a row to the nearest set one (Felzenszwalb, Huttenlocher). */
function transformRow(grid, offset, stride, n) {
  const f = new Float64Array(n);
  const v = new Uint16Array(n);
  const z = new Float64Array(n + 1);
  for (let q = 0; q < n; q++) f[q] = grid[offset + q * stride];
  let k = 0;
  [z[0], z[1]] = [-1e20, 1e20];
  for (let q = 1; q < n; q++) {
    let s;
    do s = (f[q] - f[v[k]] + q * q - v[k] * v[k]) / (2 * (q - v[k]));
    while (s <= z[k] && --k > -1);
    v[++k] = q;
    [z[k], z[k + 1]] = [s, 1e20];
  }
  for (let q = 0, i = 0; q < n; q++) {
    while (z[i + 1] < q) i++;
    grid[offset + q * stride] = f[v[i]] + (q - v[i]) ** 2;
  }
}

function distances(set, n) {
  const grid = Float64Array.from(set, (on) => (on ? 0 : 1e20));
  for (let x = 0; x < n; x++) transformRow(grid, x, n, n);
  for (let y = 0; y < n; y++) transformRow(grid, y * n, 1, n);
  return grid;
}

/** The field of an icon in bytes, a square of pixels. */
function field(svg, ratio) {
  const drawn = new Resvg(svg, { fitTo: { mode: "width", value: SIDE * ratio * FINE } }).render();
  const { pixels: colours } = drawn; // a copy each time it is asked for
  const pixels = (SIDE + 2 * BUFFER) * ratio;
  const n = pixels * FINE;
  const edge = BUFFER * ratio * FINE;
  const inside = new Uint8Array(n * n);
  for (let y = 0; y < drawn.height; y++) {
    for (let x = 0; x < drawn.width; x++) {
      inside[(y + edge) * n + x + edge] = colours[(y * drawn.width + x) * 4 + 3] > 127 ? 1 : 0;
    }
  }
  const toInside = distances(inside, n);
  const toOutside = distances(
    inside.map((on) => 1 - on),
    n,
  );
  const out = new Uint8Array(pixels * pixels);
  for (let y = 0; y < pixels; y++) {
    for (let x = 0; x < pixels; x++) {
      const at = (y * FINE + FINE / 2) * n + x * FINE + FINE / 2;
      const d = (Math.sqrt(toInside[at]) - Math.sqrt(toOutside[at])) / FINE / ratio;
      out[y * pixels + x] = Math.max(0, Math.min(255, Math.round(255 * (1 - CUTOFF - d / RADIUS))));
    }
  }
  return out;
}

const COLUMNS = 12;
for (const ratio of [1, 2]) {
  const cell = (SIDE + 2 * BUFFER) * ratio;
  const [width, height] = [COLUMNS * cell, Math.ceil((icons.size + 1) / COLUMNS) * cell];
  const data = new Uint8Array(width * height * 4);
  const index = {};
  const places = new Map(); // of what is drawn already
  for (const name of [...icons.keys()].sort()) {
    const svg = icons.get(name);
    if (!places.has(svg)) {
      const at = { x: (places.size % COLUMNS) * cell, y: Math.floor(places.size / COLUMNS) * cell };
      places.set(svg, at);
      field(svg, ratio).forEach((value, i) => {
        data[((at.y + Math.floor(i / cell)) * width + at.x + (i % cell)) * 4 + 3] = value;
      });
    }
    index[name] = { ...places.get(svg), width: cell, height: cell, pixelRatio: ratio, sdf: true };
    if (svg === SHIELD) {
      const [from, to] = [(BUFFER + 5) * ratio, (BUFFER + SIDE - 5) * ratio];
      const [left, right] = [(BUFFER + 1) * ratio, (BUFFER + SIDE - 1) * ratio];
      Object.assign(index[name], { stretchX: [[from, to]], stretchY: [[from, to]], content: [left, left, right, right] });
    }
  }
  const at = { x: (places.size % COLUMNS) * cell, y: Math.floor(places.size / COLUMNS) * cell };
  places.set("hatch", at);
  const side = HATCH * ratio;
  for (let i = 0; i < side * side; i++) {
    const [x, y] = [i % side, Math.floor(i / side)];
    // How much of the pixel lies on the stripe from the lower left to the upper right.
    const off = Math.abs(((x + y + 1) % side) - side / 2) / Math.SQRT2;
    const share = Math.max(0, Math.min(1, 0.75 * ratio - off + 0.5));
    data.set([...STRIPE.slice(0, 3), Math.round(STRIPE[3] * share)], ((at.y + y) * width + at.x + x) * 4);
  }
  index.hatch = { ...at, width: side, height: side, pixelRatio: ratio };
  const used = Math.ceil(places.size / COLUMNS) * cell;
  const file = `${process.argv[2]}/sprite${ratio === 1 ? "" : "@2x"}`;
  writeFileSync(`${file}.png`, encode({ width, height: used, data: data.subarray(0, width * used * 4), channels: 4, depth: 8 }));
  writeFileSync(`${file}.json`, `${JSON.stringify(index)}\n`);
}
