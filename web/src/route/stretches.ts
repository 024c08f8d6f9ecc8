import type { Call } from "../call/call";
import { isRecord } from "../call/record";
import type { LonLat } from "../geo/coords";
import { decodePolyline } from "../geo/polyline";
import { costed } from "../plan/request";
import type { Plan } from "../plan/plan";
import type { RouteView } from "./answer";
import { alongs, placeAt, type Profile } from "./heights";
import { tr } from "../ui/translate";

/** What a route's line can be coloured by, besides one colour for all of it. */
export const COLOURINGS = ["steepness", "surface", "speed"] as const;

export type Colouring = (typeof COLOURINGS)[number];

export function isColouring(name: string | null): name is Colouring {
  return COLOURINGS.some((known) => known === name);
}

/**
 * The colours of classes from the first to the last. They differ in lightness as well as in
 * hue, so that they are told apart without colour vision too.
 */
export const RAMP = ["#2f6fe0", "#f4c534", "#ef7417", "#b8285c", "#3a1063"] as const;

/** A part of a route in one class. */
export interface Stretch {
  /** Metres along the route. */
  readonly from: number;
  readonly to: number;
  /** Index into the names of the classes. */
  readonly grade: number;
}

/** Where a steepness class ends, in per cent up or down. */
const STEEP = [3, 6, 10, 15];

/** Where a speed class ends, in kilometres and miles an hour. */
const SPEEDS = { km: [20, 40, 60, 90], miles: [15, 25, 40, 60] };

const KM_IN_MILE = 1.609344;

/** The names of the classes of ways by surface, each with Valhalla's surfaces that are of it. */
const SURFACES: readonly (readonly [name: string, ...surfaces: string[]])[] = [
  [tr("Paved"), "paved_smooth", "paved"],
  [tr("Rough paving"), "paved_rough"],
  [tr("Compacted"), "compacted"],
  [tr("Loose"), "dirt", "gravel"],
  [tr("Path"), "path", "impassable"],
];

/** The names of the classes, in the order of their colours: the fast, the flat and the smooth first. */
export function classNames(kind: Colouring, miles: boolean): string[] {
  if (kind === "surface") return SURFACES.map(([name]) => name);
  const [ends, unit] =
    kind === "steepness" ? [STEEP, "%"] : miles ? [SPEEDS.miles, "mph"] : [SPEEDS.km, "km/h"];
  const names = [
    `0–${ends[0]} ${unit}`,
    ...ends.slice(1).map((end, i) => `${ends[i]}–${end} ${unit}`),
    `> ${ends.at(-1)} ${unit}`,
  ];
  return kind === "speed" ? names.reverse() : names;
}

function classOf(value: number, ends: readonly number[]): number {
  const at = ends.findIndex((end) => value < end);
  return at < 0 ? ends.length : at;
}

/** The stretches of a height profile by how steep they are, up or down. */
export function bySteepness({ points }: Profile): Stretch[] {
  return joined(
    points.slice(1).map((next, index) => {
      const before = points[index]!;
      return { from: before.along, to: next.along, grade: classOf(Math.abs(before.grade), STEEP) };
    }),
  );
}

/** The call for the edges of a route, with their speeds and surfaces. */
export function edgesCall(plan: Plan, { line }: RouteView): Call {
  return {
    path: "trace_attributes",
    body: {
      shape: line.map(([lon, lat]) => ({ lat, lon })),
      ...costed(plan),
      shape_match: "walk_or_snap",
      filters: {
        action: "include",
        attributes: ["edge.speed", "edge.surface", "edge.begin_shape_index", "edge.end_shape_index", "shape"],
      },
    },
  }; // prettier-ignore
}

/**
 * The stretches of an answer of POST /trace_attributes, with the length of its line in metres;
 * edges whose value is not known are left out. Throws a TypeError or RangeError where the answer
 * is none.
 */
export function byEdges(
  answer: unknown,
  kind: Exclude<Colouring, "steepness">,
  miles: boolean,
): { readonly stretches: Stretch[]; readonly metres: number } {
  if (!isRecord(answer) || !Array.isArray(answer["edges"]) || typeof answer["shape"] !== "string") {
    throw new TypeError("no edges in the answer");
  }
  const along = alongs(decodePolyline(answer["shape"]));
  const metres = along.at(-1) ?? 0;
  const stretches = answer["edges"].filter(isRecord).flatMap((edge): Stretch[] => {
    const [begin, end] = [edge["begin_shape_index"], edge["end_shape_index"]];
    const from = along[Number(begin)];
    const to = along[Number(end)];
    const grade = kind === "speed" ? speedClass(edge["speed"], miles) : surfaceClass(edge["surface"]);
    return from === undefined || to === undefined || to <= from || grade < 0
      ? []
      : [{ from, to, grade }];
  }); // prettier-ignore
  return { stretches: joined(stretches), metres };
}

function speedClass(speed: unknown, miles: boolean): number {
  if (typeof speed !== "number") return -1;
  const ends = miles ? SPEEDS.miles : SPEEDS.km;
  return ends.length - classOf(miles ? speed / KM_IN_MILE : speed, ends);
}

function surfaceClass(surface: unknown): number {
  return SURFACES.findIndex(([, ...of]) => of.some((known) => known === surface));
}

/** Stretches with neighbours of one class made one. */
function joined(stretches: readonly Stretch[]): Stretch[] {
  const all: Stretch[] = [];
  for (const next of stretches) {
    const last = all.at(-1);
    if (last && last.grade === next.grade && Math.abs(last.to - next.from) < 0.01) {
      all[all.length - 1] = { ...last, to: next.to };
    } else all.push(next);
  }
  return all;
}

/** Metres in each of so many classes. */
export function lengthsOf(stretches: readonly Stretch[], count: number): number[] {
  const lengths = Array.from({ length: count }, () => 0);
  for (const { from, to, grade } of stretches) lengths[grade]! += to - from;
  return lengths;
}

/** A part of a line in a colour. */
export interface Piece {
  readonly line: readonly LonLat[];
  readonly colour: string;
}

/** The parts of a line that stretches measured on a line of so many metres are. */
export function piecesOf(
  line: readonly LonLat[],
  stretches: readonly Stretch[],
  metres: number,
): Piece[] {
  const along = alongs(line);
  const scale = metres > 0 ? (along.at(-1) ?? 0) / metres : 0;
  let next = 0;
  return stretches.map(({ from, to, grade }) => {
    const [start, end] = [from * scale, to * scale];
    while (next < along.length && along[next]! <= start) next++;
    const within: LonLat[] = [];
    for (let i = next; i < along.length && along[i]! < end; i++) within.push(line[i]!);
    const ends = [start, end].map((at) => placeAt(line, along, at)) as [LonLat, LonLat];
    return { line: [ends[0], ...within, ends[1]], colour: RAMP[grade]! };
  });
}
