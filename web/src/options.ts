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

const AVOID: readonly [string, string] = ["avoid", "prefer"];

function slider(key: string, label: string, value = 0.5, ends = AVOID): SliderField {
  return { kind: "slider", key, label, default: value, ends };
}

const HIGHWAYS = slider("use_highways", "Motorways");
const TOLLS = slider("use_tolls", "Toll roads");
const FERRY = slider("use_ferry", "Ferries");
const SHORTEST: CheckField = {
  kind: "check",
  key: "shortest",
  label: "Shortest instead of quickest",
  default: false,
};

/** The value of the tunnel code field that stands for a load without one. */
export const NO_TUNNEL_CODE = "none";

/** The tunnel restriction codes of ADR 8.6.4. */
export const TUNNEL_CODES = [
  "B",
  "B1000C",
  "B/D",
  "B/E",
  "C",
  "C5000D",
  "C/D",
  "C/E",
  "D",
  "D/E",
  "E",
  "(—)",
] as const;

function size(
  key: string,
  label: string,
  unit: string,
  value: number,
  max: number,
  step = 0.01,
): NumberField {
  return { kind: "number", key, label, unit, default: value, min: 0, max, step };
}

const TRUCK: readonly Field[] = [
  size("height", "Height", "m", 4.11, 10),
  size("width", "Width", "m", 2.6, 10),
  size("length", "Length", "m", 21.64, 50),
  size("weight", "Weight", "t", 21.77, 100),
  size("axle_load", "Axle load", "t", 9.07, 40),
  { ...size("axle_count", "Axles", "", 5, 20, 1), min: 2 },
  {
    kind: "choice",
    key: "tunnel_code",
    label: "ADR tunnel code",
    default: NO_TUNNEL_CODE,
    choices: [
      [NO_TUNNEL_CODE, "No dangerous goods"],
      ...TUNNEL_CODES.map((code) => [code, code] as const),
    ],
    hint: "Sent as an ADR vehicle profile with all dimensions.",
  },
  { kind: "check", key: "hazmat", label: "Carries hazardous material", default: false },
  HIGHWAYS,
  TOLLS,
  FERRY,
  SHORTEST,
];

/** What the page offers per costing, with the engine's defaults. */
export const FIELDS: Record<Costing, readonly Field[]> = {
  auto: [HIGHWAYS, TOLLS, FERRY, SHORTEST],
  truck: TRUCK,
  bus: [HIGHWAYS, TOLLS, FERRY, SHORTEST],
  motor_scooter: [
    slider("use_primary", "Main roads"),
    slider("use_hills", "Hills"),
    FERRY,
    SHORTEST,
  ],
  motorcycle: [HIGHWAYS, TOLLS, FERRY, slider("use_trails", "Tracks", 0), SHORTEST],
  bicycle: [
    {
      kind: "choice",
      key: "bicycle_type",
      label: "Bicycle",
      default: "Hybrid",
      choices: [
        ["Road", "Road"],
        ["Hybrid", "City or hybrid"],
        ["Cross", "Cross"],
        ["Mountain", "Mountain"],
      ],
    },
    slider("use_roads", "Roads with cars", 0.25),
    slider("use_hills", "Hills", 0.25),
    FERRY,
    SHORTEST,
  ],
  pedestrian: [
    {
      kind: "number",
      key: "walking_speed",
      label: "Walking speed",
      unit: "km/h",
      default: 5.1,
      min: 0.5,
      max: 25.5,
      step: 0.1,
    },
    {
      kind: "choice",
      key: "max_hiking_difficulty",
      label: "Paths up to",
      default: "1",
      choices: [
        ["0", "Pavements and streets"],
        ["1", "Hiking (T1)"],
        ["2", "Mountain hiking (T2)"],
        ["3", "Demanding mountain hiking (T3)"],
        ["4", "Alpine hiking (T4)"],
        ["5", "Demanding alpine hiking (T5)"],
        ["6", "Difficult alpine hiking (T6)"],
      ],
    },
    FERRY,
    SHORTEST,
  ],
};

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
