import table from "./costing.json";

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
  auto: "Car",
  truck: "Lorry",
  bus: "Bus",
  motor_scooter: "Scooter",
  motorcycle: "Motorcycle",
  bicycle: "Bicycle",
  pedestrian: "On foot",
};

export type OptionValue = number | boolean | string;
export type Options = Readonly<Record<string, OptionValue>>;

interface FieldBase {
  /** Name in costing_options; for the ADR fields the page's own name. */
  readonly key: string;
  readonly label: string;
  readonly hint?: string;
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

export type Field = SliderField | NumberField | CheckField | ChoiceField;

/** A row of the gateway's table of costing options, but for switches, which are off by default. */
interface Row {
  readonly min?: number;
  readonly max?: number;
  readonly values?: readonly string[];
  readonly default: Readonly<Partial<Record<Costing, number | string>>>;
}

const TABLE: Readonly<Record<string, Row>> = table;

/** Makes a field for a costing, with its range and default there. */
type Form = (costing: Costing) => Field;

const AVOID: readonly [string, string] = ["avoid", "prefer"];

function slider(key: string, label: string, ends = AVOID): Form {
  return (costing) => ({
    kind: "slider",
    key,
    label,
    default: Number(TABLE[key]!.default[costing]),
    ends,
  });
}

function number(key: string, label: string, unit: string, step: number): Form {
  const { min, max, default: usual } = TABLE[key]!;
  return (costing) => ({
    kind: "number",
    key,
    label,
    unit,
    step,
    default: Number(usual[costing]),
    min: min!,
    max: max!,
  });
}

function choice(key: string, label: string, choices: ChoiceField["choices"]): Form {
  return (costing) => ({
    kind: "choice",
    key,
    label,
    default: String(TABLE[key]!.default[costing]),
    choices,
  });
}

function check(key: string, label: string): Form {
  return () => ({ kind: "check", key, label, default: false });
}

const HIGHWAYS = slider("use_highways", "Motorways");
const TOLLS = slider("use_tolls", "Toll roads");
const FERRY = slider("use_ferry", "Ferries");
const SHORTEST = check("shortest", "Shortest instead of quickest");

/** The value of the tunnel code field that stands for a load without one. */
export const NO_TUNNEL_CODE = "none";

/** The tunnel restriction codes of ADR 8.6.4. */
export const TUNNEL_CODES: readonly string[] = TABLE["adr_tunnel_code"]!.values!;

const FORMS: Record<Costing, readonly Form[]> = {
  auto: [HIGHWAYS, TOLLS, FERRY, SHORTEST],
  truck: [
    number("height", "Height", "m", 0.01),
    number("width", "Width", "m", 0.01),
    number("length", "Length", "m", 0.01),
    number("weight", "Weight", "t", 0.01),
    number("axle_load", "Axle load", "t", 0.01),
    number("axle_count", "Axles", "", 1),
    () => ({
      kind: "choice",
      key: "tunnel_code",
      label: "ADR tunnel code",
      default: NO_TUNNEL_CODE,
      choices: [
        [NO_TUNNEL_CODE, "No dangerous goods"],
        ...TUNNEL_CODES.map((code) => [code, code] as const),
      ],
      hint: "Sent as an ADR vehicle profile with all dimensions.",
    }),
    check("hazmat", "Carries hazardous material"),
    HIGHWAYS,
    TOLLS,
    FERRY,
    SHORTEST,
  ],
  bus: [HIGHWAYS, TOLLS, FERRY, SHORTEST],
  motor_scooter: [
    slider("use_primary", "Main roads"),
    slider("use_hills", "Hills"),
    FERRY,
    SHORTEST,
  ],
  motorcycle: [HIGHWAYS, TOLLS, FERRY, slider("use_trails", "Tracks"), SHORTEST],
  bicycle: [
    choice("bicycle_type", "Bicycle", [
      ["Road", "Road"],
      ["Hybrid", "City or hybrid"],
      ["Cross", "Cross"],
      ["Mountain", "Mountain"],
    ]),
    slider("use_roads", "Roads with cars"),
    slider("use_hills", "Hills"),
    FERRY,
    SHORTEST,
  ],
  pedestrian: [
    number("walking_speed", "Walking speed", "km/h", 0.1),
    choice("max_hiking_difficulty", "Paths up to", [
      ["0", "Pavements and streets"],
      ["1", "Hiking (T1)"],
      ["2", "Mountain hiking (T2)"],
      ["3", "Demanding mountain hiking (T3)"],
      ["4", "Alpine hiking (T4)"],
      ["5", "Demanding alpine hiking (T5)"],
      ["6", "Difficult alpine hiking (T6)"],
    ]),
    FERRY,
    SHORTEST,
  ],
};

/** What the page offers per costing, with the engine's defaults. */
export const FIELDS = {} as Record<Costing, readonly Field[]>;
for (const costing of COSTINGS) {
  FIELDS[costing] = FORMS[costing].map((form) => form(costing));
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
    default: {
      if (value === "" || (typeof value !== "number" && typeof value !== "string")) return null;
      const number = Number(value);
      const [min, max] = field.kind === "slider" ? [0, 1] : [field.min, field.max];
      return number >= min && number <= max ? number : null;
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
