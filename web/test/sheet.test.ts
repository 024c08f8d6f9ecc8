import { strToU8, zipSync } from "fflate";
import { expect, test } from "vitest";
import { stopsOf } from "../src/dispatch/intake/columns";
import { recognise } from "../src/dispatch/intake/roles";
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

test("a dispatcher's table is read: titles above it, a sum below, semicolons in cells, dates as times", async () => {
  const table = [
    "\uFEFFTourenliste, Dienstag;;;;;;;;",
    "Stand: 30.11.2026;;;;;;;;",
    ";;;;;;;;",
    "Kunden-Nr.;Kunde / Firma;Straße, Haus-Nr., PLZ Ort;Lieferzeit von;Lieferzeit bis;Gewicht (kg);Anz. Kisten;Standzeit [Min.];Bemerkung",
    '00017;"""Zur Post"" GmbH; Filiale 2";Hafenweg 8, 12345 Ort;01.12.2026 08:00;17 Uhr;1.250,5;6;7,5;-bitte klingeln-',
    ";;;;;;;;",
    "00017;Mühle;Hafenweg 9, 12345 Ort;08:30:00;01.12.2026 17:00:00;3;1;5;=WENN(A1;1)",
    "00018;Amt;Markt 1, 12345 Ort;ab früh;;3;#NV;5;",
    "Summe;;;;;1.256,5;7;;",
    "",
  ].join("\r\n");
  const sheet = await readFile(new File([table], "touren.csv"));
  const { stops, loads, problems } = stopsOf(sheet, recognise(sheet));
  expect(loads).toEqual(["Gewicht (kg)", "Anz. Kisten"]);
  expect(stops).toMatchObject([
    {
      id: "00017",
      name: '"Zur Post" GmbH; Filiale 2',
      address: "Hafenweg 8, 12345 Ort",
      windows: [[28_800, 61_200]],
      amounts: [1251, 6],
      service: 450,
    },
    { id: "00017-2", name: "Mühle", windows: [[30_600, 61_200]], amounts: [3, 1] },
    { name: "Amt", amounts: [3, 0] },
  ]);
  // Rows are numbered as the file shows them.
  expect(problems.map(({ row, text: words }) => `${row} ${words}`)).toEqual([
    "7 has the reference 00017 of a row above",
    "8 “ab früh” in Lieferzeit von cannot be read",
    "8 “#NV” in Anz. Kisten cannot be read",
    "9 is a sum, and no stop",
  ]);
});

test.each([
  ["Address\n12 High Street, Newport, Wales, UK\n13 High Street, Newport, Wales, UK\n", ["12 High Street, Newport, Wales, UK", "13 High Street, Newport, Wales, UK"]], // prettier-ignore
  ["name,address\nA,1 Low Street,Newport,Gwent,NP20,UK\nB,2 Low Street,Newport,Gwent,NP20,UK\n", ["1 Low Street", "2 Low Street"]], // prettier-ignore
  ["Bakery,51.5,-3,,,,,,\nMill,51.5,-3.1,8:00,9:00,5,2,x,y\nInn,51.6,-3.1,8:00,9:00,5,2,x,y\n", ["Bakery", "Mill", "Inn"]], // prettier-ignore
])("a line of few cells above numbers or addresses is no title: %j", async (table, stops) => {
  const { rows } = await readFile(new File([table], "stops.csv"));
  expect(rows.map((row) => row.find((cell) => stops.includes(cell)))).toEqual(stops);
});

test("rows of JSON are counted without its names of columns", async () => {
  const point = (name: string, priority: unknown) => ({
    type: "Feature",
    properties: { name, priority },
    geometry: { type: "Point", coordinates: [-3, 51.5] },
  });
  const file = { type: "FeatureCollection", features: [point("A", 1), point("B", "high?")] };
  const sheet = await readFile(new File([JSON.stringify(file)], "stops.geojson"));
  expect(stopsOf(sheet, recognise(sheet)).problems).toMatchObject([{ row: 2 }]);
});

test.each([
  ["sep=;\r\nname;lat;lon\r\nMill, old;51,5;-3,2\r\n", "Mill, old", [-3.2, 51.5]],
  ["My stops by hand\nname,lat,lon\nMill; old,51.5,-3.2\n", "Mill; old", [-3.2, 51.5]],
  ["name\tlat\tlon\nMill, A; B\t51,5\t-3,2\n", "Mill, A; B", [-3.2, 51.5]],
  ["Name;Lat;Lon\nA, b, c, d;51,5;-3,2\nE, f, g, h;51,5;-3,2\n", "A, b, c, d", [-3.2, 51.5]],
  ["A, b;51.51;-3.21;x;y;z;\nC, d;51.54;-3.24;x;y;z;\nE, f;51.52;-3.22;x\nG, h;51.53;-3.23;x;y\n", "A, b", [-3.21, 51.51]], // prettier-ignore
])("the separator of %j is found", async (table, name, at) => {
  const sheet = await readFile(new File([table], "stops.csv"));
  expect(stopsOf(sheet, recognise(sheet)).stops[0]).toMatchObject({ name, at });
});

test.each([
  ["Rue, code postal et ville", "address"],
  ["Postal address", "address"],
  ["Address city", "city"],
  ["N° client", "id"],
  ["Delivery time from", "from"],
  ["Zeitfenster bis", "to"],
  ["Zeitfenster", "window"],
  ["Hora desde", null],
  ["Horario hasta", "to"],
  ["Nombre de colis", "amount"],
  ["Temps sur place (min)", "service"],
  ["Destinataire", "name"],
  ["Código postal", "postcode"],
])("a column that is called %s is the %s", (header, role) => {
  expect(recognise({ headers: [header], rows: [["?"]] })).toEqual([role]);
});
