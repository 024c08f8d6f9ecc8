import { strToU8, zipSync } from "fflate";
import { expect, test } from "vitest";
import { recognise, stopsOf } from "../src/dispatch/columns";
import { MOST_BYTES, readFile } from "../src/dispatch/sheet";

/** A spreadsheet as programs write it, with texts, numbers and a time of day. */
function spreadsheet(rows: string): File {
  const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
  const of = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
  const packed = "http://schemas.openxmlformats.org/package/2006";
  const parts: Record<string, string> = {
    "[Content_Types].xml": `<Types xmlns="${packed}/content-types"/>`,
    "xl/workbook.xml": `<workbook xmlns="${main}" xmlns:r="${of}"><sheets><sheet name="Stops" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `<Relationships xmlns="${packed}/relationships"><Relationship Id="rId1" Type="${of}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    "xl/styles.xml": `<styleSheet xmlns="${main}"><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="20"/></cellXfs></styleSheet>`,
    "xl/worksheets/sheet1.xml": `<worksheet xmlns="${main}"><sheetData>${rows}</sheetData></worksheet>`,
  };
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

test.each([
  [new File(["not a zip"], "stops.xlsx"), /no spreadsheet that can be read/],
  [new File(["x"], "stops.xls"), /save it as .xlsx/],
  [new File([new Uint8Array(MOST_BYTES + 1)], "stops.csv"), /5000001 bytes; at most/],
  [new File([""], "stops.csv"), /nothing in it/],
])("what cannot be read says so", async (file, why) => {
  await expect(readFile(file)).rejects.toThrow(why);
});
