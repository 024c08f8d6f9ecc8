import type { Round } from "../../driver/round";
import type { Plan } from "./plan";
import { named, type Problem } from "../problem/model";
import { clock } from "../problem/times";
import { writeCSV } from "../../ui/csv";
import { tr } from "../../ui/translate";

/** A plan that drivers follow: its id on the server, and the tokens of its links by their ids. */
export interface Followed {
  readonly id: string;
  readonly name: string;
  readonly tokens: Readonly<Record<string, string>>;
}

/** A link as POST /v1/plans and its like answer. */
export interface NewLink {
  readonly id: string;
  readonly vehicle: string;
  readonly stop?: string;
  readonly token: string;
}

/** The answer of GET /v1/plans/{id}. */
export interface FollowedPlan {
  readonly id: string;
  readonly name: string;
  readonly begins_at: string;
  readonly expires_at: string;
  readonly rounds: readonly Round[];
  readonly links?: readonly NewLink[];
}

/** What drivers have reported of a stop. */
export interface Reported {
  readonly failed: boolean;
  /** Seconds of the day of the plan. */
  readonly at: number;
}

const MOST_NAME = 200;
const MOST_ADDRESS = 300;
const HALF_DAY_MS = 12 * 3_600_000;

/**
 * The beginning of a day in the browser's time zone: twelve hours before noon, so that clocks are
 * right on the days on which they change. day is 2026-11-30.
 */
export function beginningOf(day: string): string {
  const [year, month, date] = day.split("-").map(Number);
  const noon = new Date(year!, month! - 1, date, 12);
  const offset = -noon.getTimezoneOffset();
  const shown = new Date(noon.getTime() - HALF_DAY_MS + offset * 60_000).toISOString();
  const two = (n: number): string => String(Math.floor(n)).padStart(2, "0");
  const size = Math.abs(offset);
  return `${shown.slice(0, 19)}${offset < 0 ? "-" : "+"}${two(size / 60)}:${two(size % 60)}`;
}

/** Today in the browser's time zone, as 2026-11-30. */
export function today(now = new Date()): string {
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}

/** A plan as the body of POST /v1/plans. Times keep the day of the plan, or that of now. */
export function publishBody({ problem, routes }: Plan, name: string): Record<string, unknown> {
  return {
    name: name.slice(0, MOST_NAME),
    begins_at: beginningOf(problem.day || today()),
    rounds: routes
      .filter(({ visits }) => visits.length > 0)
      .map(({ vehicle, visits }) => ({
        vehicle,
        name: (named(problem.vehicles, vehicle)?.name ?? "").slice(0, MOST_NAME),
        costing: problem.costing,
        stops: visits.flatMap(({ stop: id, arrival, begin, end }) => {
          const stop = named(problem.stops, id);
          if (!stop?.at) return [];
          const [lon, lat] = stop.at;
          return [
            {
              id,
              name: stop.name.slice(0, MOST_NAME),
              address: stop.address.slice(0, MOST_ADDRESS),
              note: loadNote(problem, id),
              lat,
              lon,
              ...whole({ arrival_s: arrival, begin_s: begin, end_s: end }),
              time_windows: stop.windows.map((window) => window.map(Math.round)),
            },
          ];
        }),
      })),
  };
}

function whole(times: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(times).map(([name, at]) => [name, Math.round(at)]));
}

/** What is brought or collected at a stop, in words. */
function loadNote({ stops, loads }: Problem, id: string): string {
  const stop = named(stops, id);
  const parts = loads.flatMap((load, i) => {
    const amount = stop?.amounts[i] ?? 0;
    return amount > 0 ? [`${load} ${amount}`] : [];
  });
  if (!stop || parts.length === 0) return "";
  return stop.collects ? tr("Collect: {0}", parts.join(", ")) : tr("Bring: {0}", parts.join(", "));
}

/** What was reported, by stop. */
export function reportedOf({ begins_at, rounds }: FollowedPlan): ReadonlyMap<string, Reported> {
  const begins = Date.parse(begins_at);
  return new Map(
    rounds.flatMap(({ stops }) =>
      stops
        .filter(({ state }) => state !== "open")
        .map(({ id, state, eta }) => [
          id,
          { failed: state === "failed", at: Math.round((Date.parse(eta) - begins) / 1000) },
        ]),
    ),
  );
}

/** Tokens with those of new links; those of links that are not in force are left out. */
export function tokensOf(
  before: Readonly<Record<string, string>>,
  { rounds, links = [] }: FollowedPlan,
): Record<string, string> {
  const all = new Map(Object.entries(before));
  for (const { id, token } of links) all.set(id, token);
  const valid = rounds.flatMap(({ link_id, stops }) => [link_id, ...stops.map((s) => s.link_id)]);
  return Object.fromEntries(
    valid.flatMap((id) => (id && all.has(id) ? [[id, all.get(id)!] as const] : [])),
  );
}

/** The links of a plan as a table: of drivers, and of arrivals with what to tell whom. */
export function linksCSV(
  plan: FollowedPlan,
  tokens: Readonly<Record<string, string>>,
  address: (page: "driver" | "arrival", token: string) => string,
): string {
  const rows = plan.rounds.flatMap((round) => {
    const of = (page: "driver" | "arrival", id = ""): string =>
      tokens[id] ? address(page, tokens[id]) : "";
    return [
      [round.name, "", "", "", of("driver", round.link_id)],
      ...round.stops.map((stop) => [
        round.name,
        stop.id,
        stop.name ?? "",
        clockIn(plan, stop.eta),
        of("arrival", stop.link_id),
      ]),
    ];
  });
  return writeCSV([["vehicle", "stop", "name", "expected", "link"], ...rows]);
}

/** The clock of a time by the day of its plan. */
export function clockIn({ begins_at }: Pick<FollowedPlan, "begins_at">, time: string): string {
  return clock(Math.round((Date.parse(time) - Date.parse(begins_at)) / 1000));
}
