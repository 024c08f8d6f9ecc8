/** What others call what a path does. */
const ALSO: Readonly<Record<string, string>> = {
  "/route": "directions navigation",
  "/trace_route": "map matching snap to roads",
  "/trace_attributes": "map matching snap to roads",
  "/isochrone": "reachability catchment",
  "/geocode/suggest": "autocomplete typeahead",
  "/optimise": "vehicle routing problem vrp tsp fleet",
};

/** What of a call is looked through for words. */
export interface Findable {
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
}

/**
 * Whether a call has each of the words that are searched for, in any order; deep looks through its
 * description too.
 */
export function finds(text: string, call: Findable, deep: boolean): boolean {
  const { method, path, summary, description } = call;
  const about = [method, path, summary, ALSO[path] ?? "", deep ? description : ""]
    .join(" ")
    .toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => about.includes(word));
}
