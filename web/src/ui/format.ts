import { settings } from "./settings";
import { dateLanguage, decimal } from "./translate";

/** "45 s", "12 min", "1 h 05 min", from seconds. */
export function formatTime(seconds: number): string {
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, "0")} min`;
}

/** "80 m", "3.2 km", "120 km", or "250 ft", "1.4 mi", from the trip's own units. */
export function formatLength(length: number, miles: boolean): string {
  if (miles) {
    const feet = length * 5280;
    if (feet < 1000) return `${roundTo(feet, feet < 100 ? 10 : 50)} ft`;
    return `${decimal(length, length < 10 ? 1 : 0)} mi`;
  }
  const metres = length * 1000;
  if (metres < 995) return `${roundTo(metres, 10)} m`;
  return `${decimal(length, length < 100 ? 1 : 0)} km`;
}

function roundTo(value: number, step: number): number {
  return Math.round(value / step) * step;
}

/** An amount of money (£8.00) as the page's language writes it; currency is an ISO 4217 code. */
export function formatMoney(amount: number, currency: string): string {
  try {
    const style = { style: "currency", currency } as const;
    return new Intl.NumberFormat(dateLanguage(), style).format(amount);
  } catch {
    return `${decimal(amount, 2)} ${currency}`;
  }
}

/** A whole number with its thousands apart. */
export function formatCount(count: number): string {
  return count.toLocaleString(dateLanguage());
}

/** A time of day (17:05) by the clock that the reader chose. */
export function clockTime(time: string): string {
  if (settings.get().clock !== "12") return time;
  const [hour = 0, minute = 0] = time.split(":").map(Number);
  return `${hour % 12 || 12}:${String(minute).padStart(2, "0")} ${hour < 12 ? "am" : "pm"}`;
}
