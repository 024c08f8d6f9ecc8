import table from "./costing.json";
import type { Line, Source } from "../ui/combobox";
import { WORDS } from "./words";
import { tr } from "../ui/translate";

/** The costings of POST /route, in the order the page shows them. */
export const COSTINGS = [
  "auto",
  "truck",
  "bus",
  "motor_scooter",
  "motorcycle",
  "bicycle",
  "pedestrian",
] as const;

export type Costing = (typeof COSTINGS)[number];

export const COSTING_NAMES: Record<Costing, string> = {
  auto: tr("Car"),
  truck: tr("Lorry"),
  bus: tr("Bus"),
  motor_scooter: tr("Scooter"),
  motorcycle: tr("Motorcycle"),
  bicycle: tr("Bicycle"),
  pedestrian: tr("On foot"),
};

export type OptionValue = number | boolean | string;
export type Options = Readonly<Record<string, OptionValue>>;

interface FieldBase {
  /** Name in costing_options; for the ADR fields the page's own name. */
  readonly key: string;
  readonly label: string;
  /** What it does, in a line. */
  readonly help: string;
  /** Whether it is one of the few that are shown at once. */
  readonly main?: boolean;
  /** The field that it stands in for: it is shown while that one is empty. */
  readonly without?: string;
}

/** A willingness from 0 (avoid) to 1 (prefer). */
export interface SliderField extends FieldBase {
  readonly kind: "slider";
  readonly default: number;
  readonly ends: readonly [low: string, high: string];
}

export interface NumberField extends FieldBase {
  readonly kind: "number";
  readonly default: number;
  readonly min: number;
  readonly max: number;
  readonly step: number;
  readonly unit: string;
}

export interface CheckField extends FieldBase {
  readonly kind: "check";
  readonly default: false;
}

export interface ChoiceField extends FieldBase {
  readonly kind: "choice";
  readonly default: string;
  readonly choices: readonly (readonly [value: string, label: string])[];
}

export interface TextField extends FieldBase {
  readonly kind: "text";
  readonly default: string;
  /** In characters. */
  readonly most: number;
  /** Whether a text is one that the field takes, and what to say of another. */
  readonly accepts?: (text: string) => boolean;
  readonly wrong?: string;
  readonly placeholder?: string;
  /** A box of some lines instead of one. */
  readonly lines?: number;
  /** What the value is chosen from, by its key, and how one is called. */
  readonly from?: Source<Line> & { called(key: string): string };
}

/** A local time (2026-11-23T08:30); "" is none. */
export interface TimeField extends FieldBase {
  readonly kind: "time";
  readonly default: "";
}

export type Field = SliderField | NumberField | CheckField | ChoiceField | TextField | TimeField;

const LOCAL_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/;

/** Whether a text is a local time that there is. */
export function isLocalTime(text: string): boolean {
  return LOCAL_TIME.test(text) && !Number.isNaN(Date.parse(`${text}Z`));
}

/** A row of the gateway's table of costing options. */
interface Row {
  readonly min?: number;
  readonly max?: number;
  readonly values?: readonly string[];
  readonly switch?: boolean;
  readonly default: Readonly<Partial<Record<Costing, number | string | boolean>>>;
}

const TABLE: Readonly<Record<string, Row>> = table;

const AVOID: readonly [string, string] = ["avoid", "prefer"];

/** Words of their own for what the two ends of a willingness mean. */
const ENDS: Readonly<Record<string, readonly [string, string]>> = {
  use_distance: ["time", "distance"],
  avoid_bad_surfaces: ["accept", "avoid"],
  speed_penalty_factor: ["none", "strong"],
  use_lit: ["ignore", "prefer"],
  use_truck_route: ["ignore", "prefer"],
};

type Choices = ChoiceField["choices"];

/** The choices of an option, in words. */
const CHOICES: Readonly<Record<string, Choices>> = {
  bicycle_type: [
    ["Road", tr("Road")],
    ["Hybrid", tr("City or hybrid")],
    ["Cross", tr("Cross")],
    ["Mountain", tr("Mountain")],
  ],
  type: [
    ["foot", tr("On foot")],
    ["wheelchair", tr("In a wheelchair")],
    ["blind", tr("Blind")],
  ],
  max_hiking_difficulty: [
    ["0", tr("Pavements and streets")],
    ["1", tr("Hiking (T1)")],
    ["2", tr("Mountain hiking (T2)")],
    ["3", tr("Demanding mountain hiking (T3)")],
    ["4", tr("Alpine hiking (T4)")],
    ["5", tr("Demanding alpine hiking (T5)")],
    ["6", tr("Difficult alpine hiking (T6)")],
  ],
};

/** The value of the tunnel code field that stands for a load without one. */
export const NO_TUNNEL_CODE = "none";

/** The tunnel restriction codes of ADR 8.6.4. */
export const TUNNEL_CODES: readonly string[] = TABLE["adr_tunnel_code"]!.values!;

const CARS = ["use_highways", "use_tolls", "use_ferry", "shortest"];

/** What is shown at once, in this order. */
const MAIN: Record<Costing, readonly string[]> = {
  auto: CARS,
  truck: [
    ...["height", "width", "length", "weight", "axle_load", "axle_count"],
    ...["tunnel_code", "hazmat", ...CARS],
  ],
  bus: CARS,
  motor_scooter: ["use_primary", "use_hills", "use_ferry", "shortest"],
  motorcycle: ["use_highways", "use_tolls", "use_ferry", "use_trails", "shortest"],
  bicycle: ["bicycle_type", "use_roads", "use_hills", "use_ferry", "shortest"],
  pedestrian: ["walking_speed", "max_hiking_difficulty", "use_ferry", "shortest"],
};

/** The tunnel code goes with the ADR profile; the other has no effect. */
const HIDDEN = new Set(["adr_tunnel_code", "disable_hierarchy_pruning"]);

function fieldOf(key: string, costing: Costing, main: boolean): Field {
  const { label, help, unit = "", step = 1 } = WORDS[key]!;
  const base = { key, label, help, main };
  if (key === "tunnel_code") {
    const codes = TUNNEL_CODES.map((code) => [code, code] as const);
    const choices: Choices = [[NO_TUNNEL_CODE, tr("No code")], ...codes];
    return { ...base, kind: "choice", default: NO_TUNNEL_CODE, choices };
  }
  const row = TABLE[key]!;
  const usual = row.default[costing]!;
  if (row.switch) return { ...base, kind: "check", default: false };
  const choices = CHOICES[key];
  if (choices) return { ...base, kind: "choice", default: String(usual), choices };
  const [min, max] = [row.min!, row.max!];
  if (min === 0 && max === 1) {
    return { ...base, kind: "slider", default: Number(usual), ends: ENDS[key] ?? AVOID };
  }
  return { ...base, kind: "number", default: Number(usual), min, max, step, unit };
}

/** What the page offers per costing, with the engine's defaults. */
export const FIELDS = {} as Record<Costing, readonly Field[]>;
for (const costing of COSTINGS) {
  const main = MAIN[costing];
  const rest = Object.keys(TABLE).filter(
    (key) => costing in TABLE[key]!.default && !main.includes(key) && !HIDDEN.has(key),
  );
  FIELDS[costing] = [
    ...main.map((key) => fieldOf(key, costing, true)),
    ...rest.map((key) => fieldOf(key, costing, false)),
  ];
}

export function isCosting(text: unknown): text is Costing {
  return (COSTINGS as readonly unknown[]).includes(text);
}

/**
 * The value a field takes from text or JSON; null when it is of another type
 * or outside the field's range, so that a hand-edited link cannot put the
 * form into a state its controls cannot show.
 */
export function acceptValue(field: Field, value: unknown): OptionValue | null {
  switch (field.kind) {
    case "check":
      if (value === true || value === "true" || value === "1") return true;
      return value === false || value === "false" || value === "0" ? false : null;
    case "choice":
      return field.choices.some(([choice]) => choice === String(value)) ? String(value) : null;
    case "text":
      if (typeof value !== "string" || value.length > field.most) return null;
      return (field.accepts?.(value) ?? true) ? value : null;
    case "time":
      return typeof value === "string" && isLocalTime(value) ? value : null;
    default: {
      if (value === "" || (typeof value !== "number" && typeof value !== "string")) return null;
      const number = Number(value);
      const [min, max] = field.kind === "slider" ? [0, 1] : [field.min, field.max];
      // A default outside the range stands for none.
      return (number >= min && number <= max) || number === field.default ? number : null;
    }
  }
}

/** The options that differ from the engine's defaults, in the form's order. */
export function changedOptions(costing: Costing, options: Options): Record<string, OptionValue> {
  const changed: Record<string, OptionValue> = {};
  for (const field of FIELDS[costing]) {
    const value = options[field.key];
    if (value !== undefined && value !== field.default) changed[field.key] = value;
  }
  return changed;
}
