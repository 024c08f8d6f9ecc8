import { isRecord } from "../../call/record";

/** Readers of an answer's members; one that is missing or of another type is null or empty. */
export function number(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

export function numbers(value: unknown): number[] {
  return Array.isArray(value) ? value.filter((one): one is number => typeof one === "number") : [];
}

export function text(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

export function records(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** Texts, and those of warnings. */
export function texts(value: unknown): string[] {
  const list = Array.isArray(value) ? (value as unknown[]) : [];
  return list.flatMap((one) => text(isRecord(one) ? one["text"] : one) ?? []);
}

/** A whole number from 0 on that somebody wrote. */
export function readWhole(text: string): number | null {
  const number = Number(text);
  return text.trim() !== "" && Number.isInteger(number) && number >= 0 ? number : null;
}

/** The words of a list with commas. */
export function words(text: string): string[] {
  return text
    .split(",")
    .map((word) => word.trim())
    .filter(Boolean);
}
