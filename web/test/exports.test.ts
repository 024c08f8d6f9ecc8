// Tables as shops, other planners and spreadsheets write them: each gives the right stops, or names
// row, column and value.
import { expect, test } from "vitest";
import { stopsOf, type Taken } from "../src/dispatch/intake/columns";
import { queryOf } from "../src/dispatch/intake/geocode";
import { astray, exchanged } from "../src/dispatch/intake/astray";
import { recognise } from "../src/dispatch/intake/roles";
import { readText } from "../src/dispatch/intake/sheet";
import { readBound, readDuration, readWindow } from "../src/dispatch/problem/times";

function taken(table: string): Taken & { said: string[] } {
  const sheet = readText(table);
  const all = stopsOf(sheet, recognise(sheet));
  return { ...all, said: all.problems.map(({ row, text }) => `${row} ${text}`) };
}

const lines = (...rows: string[]): string => rows.join("\n");

test("a shop's export goes to who receives it, with all lines of an order, and no money is a load", () => {
  const { stops, loads, said } = taken(
    lines(
      "Name,Email,Financial Status,Subtotal,Discount Amount,Shipping Method,Lineitem quantity,Lineitem name,Lineitem requires shipping,Billing Name,Billing Street,Billing City,Billing Zip,Shipping Name,Shipping Street,Shipping City,Shipping Zip,Notes,Refunded Amount,Location,Id",
      "#1001,a@b.c,paid,20.00,1.00,Standard,2,Loaf,true,Pat Pay,1 Bill Road,Cardiff,'CF10 1AA,Sam Ship,9 Quay Street,Newport,'NP20 1AA,\"ring, twice\",0.00,,5501",
      "#1001,a@b.c,,,,,3,Cake,true,,,,,,,,,,,,",
      "#1002,a@b.c,paid,20.00,1.00,Standard,1,Loaf,true,Pat Pay,1 Bill Road,Cardiff,'CF10 1AA,Sue Ship,10 Quay Street,Newport,'NP20 1AA,,0.00,,5502",
    ),
  );
  expect([loads, said]).toEqual([["Lineitem quantity"], []]);
  expect(stops).toMatchObject([
    { id: "#1001", name: "Sam Ship", address: "9 Quay Street, NP20 1AA, Newport", amounts: [5], skills: [] }, // prettier-ignore
    { id: "#1002", name: "Sue Ship", address: "10 Quay Street, NP20 1AA, Newport", amounts: [1] },
  ]);
});

test.each([
  [
    "Order Number,Order Status,First Name (Billing),Address 1&2 (Billing),City (Billing),Postcode (Billing),First Name (Shipping),Address 1&2 (Shipping),City (Shipping),Postcode (Shipping),Order Total Amount,Quantity (- Refund)",
    "301,Processing,Pat,1 Bill Road,Cardiff,CF10 1AA,Sam,9 Quay Street,Newport,NP20 1AA,23,2",
    { id: "301", name: "Sam", address: "9 Quay Street, NP20 1AA, Newport", amounts: [2] },
  ],
  [
    "order-id\tbuyer-name\tquantity-to-ship\tship-service-level\trecipient-name\tship-address-1\tship-city\tship-postal-code",
    "111-1\tPat\t2\tStandard\tSam\t9 Quay Street\tNewport\tNP20 1AA",
    { id: "111-1", name: "Sam", address: "9 Quay Street, NP20 1AA, Newport", service: 0 },
  ],
  [
    "Order ID,Location Name,Address,Duration,TW Start,TW End,Priority,Load 1,Type",
    "7,Mill,2 High Street,10,09:00,12:00,H,2,P",
    { id: "7", name: "Mill", service: 600, windows: [[32_400, 43_200]], collects: true, priority: 70 }, // prettier-ignore
  ],
  [
    "Billing Name,Billing Street,Billing City",
    "Pat,1 Bill Road,Cardiff",
    { address: "1 Bill Road, Cardiff" },
  ],
  ["Name;Straße;Nr.;PLZ;Ort", "A;Hafenweg;8a;12345;Ort", { address: "Hafenweg 8a, 12345, Ort" }],
  ["Name,Street,House No,Town", "A,Quay,9,Newport", { address: "Quay 9, Newport" }],
  ["Customer,Location", "Mill,9 Quay Street", { name: "Mill", address: "9 Quay Street", at: null }],
  ["Address", "Hafenweg 8, 12345 Ort", { address: "Hafenweg 8, 12345 Ort" }],
])("%s", (head, row, stop) => {
  const { stops, said } = taken(lines(head, row));
  expect(said).toEqual([]);
  expect(stops).toMatchObject([stop]);
});

test("lines of a cell are one address to look for", () => {
  expect(queryOf("1 High Street,\r\n Newport\nNP20 1AA\n")).toBe(
    "1 High Street, Newport, NP20 1AA",
  );
});

test("a list of addresses without names of columns loses none, and none its town", () => {
  const { stops } = taken("12 High Street, Newport\n13 Low Street, Newport");
  expect(stops.map(({ address }) => address)).toEqual([
    "12 High Street, Newport",
    "13 Low Street, Newport",
  ]);
});

test.each(["Total,,,5", ",Total,,5", ",,Total,5", ",Total: 2 stops,,5", ",,,5"])(
  "the sum %s is no stop",
  (sum) => {
    const { stops, said } = taken(lines("ref,name,address,boxes", "1,A,1 High Street,2", sum));
    expect(stops).toHaveLength(1);
    expect(said).toHaveLength(1);
  },
);

test("a company that is called Total is one", () => {
  const { stops } = taken("name,address\nTotal,1 High Street\nTotal,2 High Street");
  expect(stops).toHaveLength(2);
});

test("a company that is called Total is one by its coordinates too", () => {
  expect(taken("name,lat,lon\nTotal,51.5,-3\nB,51.6,-3").stops).toHaveLength(2);
});

test.each([
  ["a running number is no house's", "Name,Address,No\nA,12 High Street,1", { address: "12 High Street", id: "1" }],
  ["who drives is not who receives", "Name,Address,Delivery driver name\nA,12 High Street,Jo", { name: "A" }],
  ["the first number is the reference", "ID,Name,Delivery address,Delivery number\nA1,A,12 High Street,9", { id: "A1", address: "12 High Street" }],
  ["skills may be numbers", "name,address,skills\nA,1 Street,1\nB,2 Street,1", { skills: ["1"] }],
  ["names of columns may begin with a number", "Name,Address,20 litre crates\nA,Quay,3", { name: "A", address: "Quay" }],
])("%s", (_, table, stop) => {
  expect(taken(table).stops[0]).toMatchObject(stop);
}); // prettier-ignore

test("postcodes that may have lost a zero are named", () => {
  expect(taken("Postcode\n02134\n2135\n02136").said[0]).toMatch(/^3 .*2135/);
  expect(taken("PLZ;Ort\n1010;Wien\n80331;München\n1020;Wien").said).toEqual([]);
});

test.each([
  [["1.200 kg", "12,5 kg", "2.500 kg"], [1200, 13, 2500], 0],
  [["1,200", "12.5", "2,500"], [1200, 13, 2500], 0],
  [["1.234.567"], [1_234_567], 0],
  [["1.200"], [2], 1],
  [["2 x 10", "5-6", "-5"], [0, 0, 0], 3],
  [["12 (2 boxes)"], [12], 0],
])("amounts %j are %j", (cells, want, said) => {
  const all = taken(lines("name;address;Boxes", ...cells.map((one, i) => `A;${i} Street;${one}`)));
  expect([all.stops.flatMap(({ amounts }) => amounts), all.said.length]).toEqual([want, said]);
});

test("columns of yes and no are a need by the column's name", () => {
  const { stops } = taken("name,address,Needs tail lift\nA,1 Street,yes\nB,2 Street,no\nC,3 Street,"); // prettier-ignore
  expect(stops.map(({ skills }) => skills)).toEqual([["tail lift"], [], []]);
});

test.each([
  ["51.5°", "-3°", [-3, 51.5]],
  ["51,5 N", "3,25 W", [-3.25, 51.5]],
  ["N 51.5", "W 3", [-3, 51.5]],
  ["51°30'N", "3°15'W", [-3.25, 51.5]],
  ["\u221251.5", "-3", [-3, -51.5]],
  ["51.5", "3,25 O", null],
  ["3.25 W", "51.5 N", null],
  ["51°30'x", "3", null],
  ["51.500.000", "-3", null],
  ["51500000", "-3000000", null],
  ["51.5", "", null],
])("latitude %s and longitude %s", (lat, lon, at) => {
  const { stops, said } = taken(`name\tlat\tlon\nA\t${lat}\t${lon}`);
  expect([stops[0]!.at, said.length]).toEqual([at, at ? 0 : 1]);
});

test("times and lengths as people write them", () => {
  expect(["5 p.m.", "8:30 a.m.", "noon", "12 noon", "830", "mittags", "999"].map(readBound)).toEqual([
    61_200, 30_600, 43_200, 43_200, 30_600, 43_200, null,
  ]); // prettier-ignore
  expect(readWindow("8:00/12:00")).toEqual([28_800, 43_200]);
  expect(
    ["1h30", "1 h 30 min", "2 Std.", "15'", "10 Minuten", "90 sek", "1 hour 5 minutes", "1h3x"].map(
      (text) => readDuration(text),
    ),
  ).toEqual([5400, 5400, 7200, 900, 600, 90, 3900, null]);
});

test("stops whose coordinates are exchanged are found, and put right", () => {
  const { stops } = taken("name,lat,lon\nA,51.5,-3\nB,-3,51.5\nC,0,0");
  const off = astray(stops, [-4, 51, -2, 52])!;
  expect(off.stops.map(({ name }) => name)).toEqual(["B", "C"]);
  expect(exchanged(stops, off.swapped).map(({ at }) => at)).toEqual([[-3, 51.5], [-3, 51.5], [0, 0]]); // prettier-ignore
  expect(astray(stops.slice(0, 1), [-4, 51, -2, 52])).toBeNull();
});
