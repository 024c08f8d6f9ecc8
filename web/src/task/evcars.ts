import { send } from "../call/call";
import type { Line, Lines, Source } from "../ui/combobox";
import { apiKey } from "../call/secrets";
import { tr } from "../ui/translate";

/** A row of GET /v1/ev/vehicles, as far as it is shown. */
interface Listed {
  readonly id: string;
  readonly name: string;
  readonly year: number | null;
  readonly battery_kwh: number;
  readonly max_dc_kw: number;
  readonly max_ac_kw: number;
}

/** What vehicles are called, by their ids, as far as this page has heard. */
const names = new Map<string, string>();

function lineOf({ id, name, year, battery_kwh, max_dc_kw, max_ac_kw }: Listed): Line {
  names.set(id, name);
  const detail = [year, tr("{0} kWh", battery_kwh), tr("{0} kW", max_dc_kw || max_ac_kw)];
  return { key: id, name, detail: detail.filter(Boolean).join(" · ") };
}

/** The vehicles that plans can be made for, by words of their names. */
export const cars: Source<Line> & { called(id: string): string } = {
  instant: (text) => (text.trim() === "" ? { list: [], note: "" } : null),
  async ask(text, signal): Promise<Lines<Line> | null> {
    const query = { q: text.trim().slice(0, 100), limit: 8 };
    const answered = await send({ path: "v1/ev/vehicles", query }, apiKey.get(), signal);
    if (!answered) return null;
    if (answered.kind === "failed")
      return { list: [], note: tr("The vehicles could not be asked.") };
    const { vehicles, count } = answered.body as { vehicles: readonly Listed[]; count: number };
    if (count === 0) return { list: [], note: tr("No vehicle of this name is known.") };
    const more = count - vehicles.length;
    return { list: vehicles.map(lineOf), note: more > 0 ? tr("{0} more: type on.", more) : "" };
  },
  called: (id) => names.get(id) ?? id,
};

/** Keeps what a vehicle is called. */
export function heard(id: string, name: string): void {
  names.set(id, name);
}
