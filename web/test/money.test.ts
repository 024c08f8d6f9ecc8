import { describe, expect, test } from "vitest";
import { exactMoney, grouped, parsePounds, pounds } from "../src/site/money";

test.each<[number, string]>([
  [0, "£0.00"],
  [5, "£0.05"],
  [99, "£0.99"],
  [100, "£1.00"],
  [123456, "£1,234.56"],
  [-1, "−£0.01"],
  [-250000, "−£2,500.00"],
  [Number.MAX_SAFE_INTEGER, "£90,071,992,547,409.91"],
])("%d pence", (pence, want) => {
  expect(pounds(pence)).toBe(want);
});

test.each<[number, string]>([
  [0, "£0.00"],
  [1, "£0.00001"],
  [10, "£0.0001"],
  [1_000, "£0.01"],
  [12_500, "£0.125"],
  [100_000, "£1.00"],
  [1_234_567, "£12.34567"],
  [-20, "−£0.0002"],
])("%d millipence", (millipence, want) => {
  expect(exactMoney(millipence)).toBe(want);
});

test.each<[string, number | null]>([
  ["12", 1200],
  ["12.5", 1250],
  [" £12.05 ", 1205],
  ["1,200.00", 120000],
  ["0.01", 1],
  ["0", 0],
  ["0.29", 29],
  ["1.005", null],
  ["12.", null],
  [".50", null],
  ["1,20", null],
  ["-5", null],
  ["1e3", null],
  ["", null],
  ["ten", null],
  ["12 pounds", null],
  ["99999999999999999999", null],
])("the pence of %j", (text, want) => {
  expect(parsePounds(text)).toBe(want);
});

describe("against whole numbers of any size", () => {
  const amounts = Array.from({ length: 2000 }, (_, i) => {
    // Spread over all lengths, with both ends of each.
    const high = 10 ** (1 + (i % 15));
    return Math.min(Number.MAX_SAFE_INTEGER, Math.floor((high * ((i * 7919) % 2003)) / 2003));
  });

  test("what is written is read back as the same pence", () => {
    for (const pence of amounts) expect(parsePounds(pounds(pence))).toBe(pence);
  });

  test("millipence lose no digit", () => {
    for (const millipence of amounts) {
      const [whole = "", rest = ""] = exactMoney(millipence)
        .slice(1)
        .replaceAll(",", "")
        .split(".");
      expect(BigInt(whole + rest.padEnd(5, "0"))).toBe(BigInt(millipence));
    }
  });
});

test("thousands", () => {
  expect([0, 999, 1000, 1234567].map(grouped)).toEqual(["0", "999", "1,000", "1,234,567"]);
});
