import { isRecord } from "../../call/record";
import { Refused } from "../../site/client";
import { named, type Problem } from "../problem/model";
import type { OptimiseRequest } from "./request";

/** A refusal in which vehicles and stops have their names, in place of their numbers in the request. */
export function inNames(error: unknown, request: OptimiseRequest, problem: Problem): unknown {
  if (!(error instanceof Refused) || error.failure.kind !== "answer") return error;
  const { vehicles, jobs, shipments = [] } = request;
  const lists: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>> = {
    vehicles,
    jobs,
    shipments,
  };
  const things = [...problem.vehicles, ...problem.stops];
  const worded = (text: string): string =>
    text.replaceAll(
      /\b(vehicles|jobs|shipments)\[(\d+)\](?:\.|(?=:))?/g,
      (whole, list: string, index: string) => {
        const id = lists[list]?.[Number(index)]?.["id"];
        if (id === undefined) return whole;
        const name = named(things, String(id))?.name ?? String(id);
        return whole.endsWith(".") ? `${name}: ` : name;
      },
    );
  const inWords = (value: unknown): unknown => {
    if (typeof value === "string") return worded(value);
    if (Array.isArray(value)) return value.map(inWords);
    return isRecord(value)
      ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, inWords(one)]))
      : value;
  };
  return new Refused({ ...error.failure, body: inWords(error.failure.body) });
}
