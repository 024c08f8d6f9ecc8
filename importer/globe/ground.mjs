// What covers the land and where it is steep, as areas, out of two pictures of NASA's
// Blue Marble (public domain), which the npm package three-globe has: colours by satellite, and
// heights.

import { readFileSync } from "node:fs";
import { contours } from "d3-contour";
import { decode } from "fast-png";
import jpeg from "jpeg-js";

const pictures = new URL("node_modules/three-globe/example/img/", import.meta.url).pathname;

/** Where bright ground is ice in summer too; elsewhere it is the snow of the picture's winter. */
const iced = (lon, lat) =>
  lat < -60 || lat > 80 || (lat > 59 && lon > -74 && lon < -17) || (lat > 75 && ((lon > 10 && lon < 70) || (lon > 90 && lon < 108) || lon < -74));

/** The kind of ground of a colour, as the layer landcover calls it; "" for water and the rest. */
function kindOf(r, g, b, lon, lat) {
  const light = 0.3 * r + 0.59 * g + 0.11 * b;
  if (Math.min(r, g, b) > 170 && Math.max(r, g, b) - Math.min(r, g, b) < 45) return iced(lon, lat) ? "glacier" : "";
  if (b >= g) return "";
  if ((r - b > 40 && light > 112) || (r - g > 38 && light > 75)) return "barren";
  if (light < 34 || (light < 50 && g > 1.08 * r)) return "forest";
  return light < 78 ? "grassland" : "";
}

/** Values on a grid over the world, row by row from the north-west. */
class Field {
  constructor(wide, high) {
    this.wide = wide;
    this.high = high;
    this.values = new Float64Array(wide * high);
  }

  at(x, y) {
    const row = Math.max(0, Math.min(this.high - 1, y));
    return this.values[row * this.wide + ((x + this.wide) % this.wide)];
  }

  /** The field with each value averaged with its neighbours. */
  blurred() {
    const out = new Field(this.wide, this.high);
    for (let y = 0; y < this.high; y++) {
      for (let x = 0; x < this.wide; x++) {
        let sum = 0;
        for (let dy = -1; dy <= 1; dy++) {
          for (let dx = -1; dx <= 1; dx++) sum += this.at(x + dx, y + dy) * (2 - Math.abs(dx)) * (2 - Math.abs(dy));
        }
        out.values[y * this.wide + x] = sum / 16;
      }
    }
    return out;
  }

  /** The areas in which values reach a level, of at least so many cells, each with its holes, in degrees. */
  above(level, least) {
    const cells = (ring) =>
      Math.abs(ring.reduce((sum, [x, y], i) => sum + x * ring[(i + 1) % ring.length][1] - ring[(i + 1) % ring.length][0] * y, 0)) / 2;
    const degrees = ([x, y]) => [
      Math.round(((x / this.wide) * 360 - 180) * 1e3) / 1e3,
      Math.round((90 - (y / this.high) * 180) * 1e3) / 1e3,
    ];
    const [found] = contours().size([this.wide, this.high]).thresholds([level])(this.values);
    return found.coordinates
      .map((rings) => rings.filter((ring) => cells(ring) >= least).map((ring) => ring.map(degrees)))
      .filter((rings) => rings.length > 0);
  }
}

/** The areas of each kind of land cover. */
export function landCover() {
  const { width, height, data } = jpeg.decode(readFileSync(`${pictures}earth-blue-marble.jpg`), { useTArray: true });
  const fine = 4; // pixels across a cell
  const kinds = {};
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const i = (y * width + x) * 4;
      const kind = kindOf(data[i], data[i + 1], data[i + 2], (x / width) * 360 - 180, 90 - (y / height) * 180);
      if (!kind) continue;
      kinds[kind] ??= new Field(width / fine, height / fine);
      kinds[kind].values[Math.floor(y / fine) * kinds[kind].wide + Math.floor(x / fine)] += 1 / fine ** 2;
    }
  }
  return Object.entries(kinds).map(([kind, field]) => [kind, field.blurred().above(0.5, 5)]);
}

/** Shares of the land that lie in the shade, by level, and in the light of a sun in the north-west. */
const SHADE = [0.1, 0.03];
const LIGHT = [0.05];

/** The areas of relief: kind, level from 1, areas. */
export function relief() {
  const { width, height, data } = decode(readFileSync(`${pictures}earth-topology.png`));
  let ground = new Field(width, height);
  for (let i = 0; i < ground.values.length; i++) ground.values[i] = data[i];
  ground = ground.blurred();
  const shade = new Field(width, height);
  const slopes = [];
  for (let y = 1; y < height - 1; y++) {
    const lat = 90 - ((y + 0.5) / height) * 180;
    const across = Math.max(0.2, Math.cos((lat * Math.PI) / 180)); // of a cell, where its height is 1
    for (let x = 0; x < width; x++) {
      const east = (ground.at(x + 1, y) - ground.at(x - 1, y)) / across;
      const south = ground.at(x, y + 1) - ground.at(x, y - 1);
      const value = -(east + south); // how far the ground falls to the south-east, away from the sun
      shade.values[y * width + x] = value;
      if (ground.at(x, y) > 0) slopes.push(value);
    }
  }
  slopes.sort((a, b) => a - b);
  const light = new Field(width, height);
  light.values = shade.values.map((v) => -v);
  return [
    ...SHADE.map((share, i) => ["shade", i + 1, shade.above(slopes[Math.floor(slopes.length * (1 - share))], 20)]),
    ...LIGHT.map((share, i) => ["light", i + 1, light.above(-slopes[Math.floor(slopes.length * share)], 20)]),
  ];
}
