import { strToU8, zipSync } from "fflate";
import { expect, test } from "vitest";
import { recognise, stopsOf } from "../src/dispatch/intake/columns";
import { MOST_BYTES, readFile } from "../src/dispatch/intake/sheet";

/** A spreadsheet as programs write it, with texts, numbers and a time of day. */
function spreadsheet(...sheets: string[]): File {
  const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
  const of = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
  const each = (part: (n: number) => string) => sheets.map((_, i) => part(i + 1)).join("");
  const packed = "http://schemas.openxmlformats.org/package/2006";
  const parts: Record<string, string> = {
    "[Content_Types].xml": `<Types xmlns="${packed}/content-types"/>`,
    "xl/workbook.xml": `<workbook xmlns="${main}" xmlns:r="${of}"><sheets>${each((n) => `<sheet name="Sheet ${n}" sheetId="${n}" r:id="rId${n}"/>`)}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `<Relationships xmlns="${packed}/relationships">${each((n) => `<Relationship Id="rId${n}" Type="${of}/worksheet" Target="worksheets/sheet${n}.xml"/>`)}</Relationships>`,
    "xl/styles.xml": `<styleSheet xmlns="${main}"><cellXfs count="3"><xf numFmtId="0"/><xf numFmtId="20"/><xf numFmtId="22"/></cellXfs></styleSheet>`,
  };
  sheets.forEach((rows, i) => {
    parts[`xl/worksheets/sheet${i + 1}.xml`] =
      `<worksheet xmlns="${main}"><sheetData>${rows}</sheetData></worksheet>`;
  });
  const files = Object.entries(parts).map(([name, text]) => [name, strToU8(text)]);
  return new File([zipSync(Object.fromEntries(files))], "stops.xlsx");
}

const text = (at: string, value: string) =>
  `<c r="${at}" t="inlineStr"><is><t>${value}</t></is></c>`;
const number = (at: string, value: number, style = 0) =>
  `<c r="${at}" s="${style}"><v>${value}</v></c>`;

test("an XLSX is read as its table, times of day included", async () => {
  const head = ["Customer", "Lat", "Lon", "Opens", "Minutes"].map((name, i) =>
    text(`${"ABCDE"[i]}1`, name),
  );
  const row = [
    text("A2", "Bakery"),
    number("B2", 51.5),
    number("C2", -3.25),
    number("D2", 0.375, 1),
    number("E2", 5),
  ];
  const sheet = await readFile(
    spreadsheet(`<row r="1">${head.join("")}</row><row r="2">${row.join("")}</row>`),
  );
  const { stops, problems } = stopsOf(sheet, recognise(sheet));
  expect(problems).toEqual([]);
  expect(stops).toMatchObject([
    { name: "Bakery", at: [-3.25, 51.5], windows: [[32_400, 86_400]], service: 300 },
  ]);
});

test("the first sheet that is not empty is read, and times with their date", async () => {
  const head = ["Name", "Coordinates", "From", "To"].map((name, i) => text(`${"ABCD"[i]}1`, name));
  const row = [
    text("A2", "Mill"),
    text("B2", "51,58; -2,99"),
    number("C2", 46349.375, 2),
    number("D2", 46349.5),
  ];
  const sheet = await readFile(
    spreadsheet("", `<row r="1">${head.join("")}</row><row r="2">${row.join("")}</row>`),
  );
  const { stops, problems } = stopsOf(sheet, recognise(sheet));
  expect(problems).toEqual([]);
  expect(stops).toMatchObject([{ at: [-2.99, 51.58], windows: [[32_400, 43_200]] }]);
  await expect(readFile(spreadsheet("", ""))).rejects.toThrow(/nothing in it/);
});

const UMLAUTS = "Name;Breite;Länge\r\nMühle;51,58;-2,99\r\n";
const bytesOf = (bits: 8 | 16) =>
  new Uint8Array(
    [...UMLAUTS].flatMap((c) => {
      const code = c.charCodeAt(0);
      return bits === 8 ? [code] : [code & 255, code >> 8];
    }),
  );
test.each([
  ["UTF-8", new TextEncoder().encode(UMLAUTS)],
  ["UTF-8 with its mark", new TextEncoder().encode(`\uFEFF${UMLAUTS}`)],
  ["UTF-16, low byte first", new Uint8Array([0xff, 0xfe, ...bytesOf(16)])],
  [
    "UTF-16, high byte first",
    new Uint8Array([0xfe, 0xff, ...bytesOf(16).map((_, i, all) => all[i ^ 1]!)]),
  ],
  ["Windows-1252", bytesOf(8)],
])("a table in %s is read", async (_, bytes) => {
  const sheet = await readFile(new File([bytes], "stops.csv"));
  const { stops, problems } = stopsOf(sheet, recognise(sheet));
  expect(problems).toEqual([]);
  expect(stops).toMatchObject([{ name: "Mühle", at: [-2.99, 51.58] }]);
});

test.each([
  [new File(["not a zip"], "stops.xlsx"), /no spreadsheet that can be read/],
  [new File(["x"], "stops.xls"), /save it as .xlsx/],
  [new File([new Uint8Array(MOST_BYTES + 1)], "stops.csv"), /5000001 bytes; at most/],
  [new File([""], "stops.csv"), /nothing in it/],
  [new File(["\u0000PNG"], "stops.png"), /no text/],
  [new File(['{"a": 1}'], "stops.json"), /no GeoJSON of points/],
])("what cannot be read says so", async (file, why) => {
  await expect(readFile(file)).rejects.toThrow(why);
});
