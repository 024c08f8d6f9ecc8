import { h } from "../ui/dom";
import type { Bounds, LonLat } from "../geo/coords";
import { acceptValue, FIELDS, isCosting, type Costing, type OptionValue } from "./options";
import { emptyPlan, stop, withStops, type Plan } from "./plan";
import { pageLanguage } from "../ui/translate";

/** GET /explorer.json: what this server serves. */
export interface Explorer {
  /** The territory whose tiles are the base map. */
  readonly territory: string;
  readonly name: string;
  readonly bounds?: Bounds | null;
  /** Longitude, latitude, zoom. */
  readonly center: readonly [number, number, number];
  readonly attribution: string;
  /** Whether heights are known along its roads. */
  readonly heights?: boolean;
  /** Those that it speaks with, the preferred first. */
  readonly voices?: readonly { readonly id: string; readonly language: string }[];
  readonly costings: readonly Costing[];
  readonly version: string;
  readonly examples: readonly Example[];
}

export interface Example {
  /** In English, and in other languages of the page by their tags. */
  readonly title: string;
  readonly titles?: Readonly<Record<string, string>>;
  readonly costing: string;
  /** As in a request: the options under their costing, or the options alone. */
  readonly costing_options?: Readonly<Record<string, unknown>>;
  readonly adr?: {
    readonly dimensions?: Readonly<Record<string, unknown>>;
    readonly tunnel_code?: string | null;
    readonly hazmat?: boolean;
  };
  readonly points: readonly LonLat[];
}

/** What an example is called in the page's language. */
export function titleOf({ title, titles }: Example): string {
  return titles?.[pageLanguage()] ?? title;
}

const ADR_FIELDS: Record<string, string> = {
  height_m: "height",
  width_m: "width",
  length_m: "length",
  gross_weight_t: "weight",
  axle_load_t: "axle_load",
  axle_count: "axle_count",
};

/** The plan that an example stands for; options the form has no field for are left out. */
export function planOf(example: Example, { units, language }: Plan): Plan {
  const costing = isCosting(example.costing) ? example.costing : "auto";
  const given = example.costing_options ?? {};
  const nested = given[costing];
  const values: Record<string, unknown> = {
    ...(nested !== null && typeof nested === "object" ? nested : given),
  };
  if (example.adr) {
    for (const [name, value] of Object.entries(example.adr.dimensions ?? {})) {
      if (ADR_FIELDS[name]) values[ADR_FIELDS[name]] = value;
    }
    values["hazmat"] = example.adr.hazmat ?? false;
    values["tunnel_code"] = example.adr.tunnel_code ?? undefined;
  }
  const options: Record<string, OptionValue> = {};
  for (const field of FIELDS[costing]) {
    const value = acceptValue(field, values[field.key]);
    if (value !== null) options[field.key] = value;
  }
  const plan = withStops(
    emptyPlan(),
    example.points.map((at) => stop(at)),
  );
  return { ...plan, costing, units, language, options: { [costing]: options } };
}

const OSM = "OpenStreetMap contributors";
const OSM_COPYRIGHT = "https://www.openstreetmap.org/copyright";

/**
 * The attribution line as pieces to show: the server's text without any markup
 * of its own, with OpenStreetMap linked to its licence and added where the
 * text does not name it, as the data is always theirs.
 */
export function attributionParts(text: string): { text: string; href?: string }[] {
  const plain = text
    .replace(/<[^>]*>/g, "")
    .replace(/&copy;/gi, "©")
    .replace(/&amp;/gi, "&")
    .trim();
  const whole = /openstreetmap/i.test(plain)
    ? plain
    : [plain, `© ${OSM}`].filter(Boolean).join(" · ");
  const match = /(© )?OpenStreetMap( contributors)?/i.exec(whole)!;
  return [
    { text: whole.slice(0, match.index) },
    { text: match[0], href: OSM_COPYRIGHT },
    { text: whole.slice(match.index + match[0].length) },
  ].filter((part) => part.text !== "");
}

export function attributionLine(text: string): (HTMLElement | string)[] {
  return attributionParts(text).map((part) =>
    part.href
      ? h("a", { href: part.href, target: "_blank", rel: "noopener" }, part.text)
      : part.text,
  );
}
