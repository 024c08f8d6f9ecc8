// Evaluates values of opening_hours with the reference implementation: reads a
// JSON list of values from standard input and writes, for each, what is wrong with
// it or the spans in which it is open, by two weeks of four seasons, as minutes
// from their begin and whether that is not sure.
//   TZ=UTC node reference.cjs FOLDER_OF_NODE_MODULES
const path = require('node:path');
const OpeningHours = require(path.join(process.argv[2], 'opening_hours'));
const place = { lat: 52.5, lon: 13.4, address: { country_code: 'de', state: 'Berlin' } };
const begins = ['2026-02-09', '2026-06-08', '2026-09-07', '2026-11-09'].map((day) => new Date(`${day}T00:00:00Z`));
console.error = () => {}; // it reports school holidays that it does not know

function spans(value) {
  const hours = new OpeningHours(value, place, { mode: 2, warnings_severity: 0 });
  return begins.map((begin) => {
    const end = new Date(begin.getTime() + 14 * 86400e3);
    return hours.getOpenIntervals(begin, end).map(([from, to, unsure]) => [(from - begin) / 60e3, (to - begin) / 60e3, unsure ? 1 : 0]);
  });
}

const values = JSON.parse(require('node:fs').readFileSync(0));
console.log(JSON.stringify(values.map((value) => {
  try {
    return { spans: spans(value) };
  } catch (error) {
    return { error: String(error) };
  }
})));
