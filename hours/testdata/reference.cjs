// Judges values of opening_hours by the reference implementation: reads
// {place, values, instants} in JSON from standard input and writes, for each value,
// a letter for each instant: o is open, c closed, u unknown. What the reference does
// not read is null. Instants are local times of the zone that TZ names.
//   TZ=Europe/Berlin node reference.cjs
const OpeningHours = require('opening_hours');
console.error = () => {}; // it reports school holidays that it does not know
const { place, values, instants } = JSON.parse(require('node:fs').readFileSync(0));
const moments = instants.map((text) => new Date(text));
const letters = { open: 'o', closed: 'c', unknown: 'u' };

// Asked about a moment alone it takes what has an open end for closed after its
// last sure minute; going on to it from before it does not.
function inPassing(hours, moment) {
  const begin = new Date(moment.getTime() - 36 * 3600e3);
  const end = new Date(moment.getTime() + 60e3);
  const span = hours.getOpenIntervals(begin, end).find(([from, to]) => from <= moment && moment < to);
  return span ? (span[2] ? 'u' : 'o') : 'c';
}

console.log(JSON.stringify(values.map((value) => {
  try {
    const hours = new OpeningHours(value, place, { mode: 2, warnings_severity: 0 });
    return moments.map((m) => (value.includes('+') ? inPassing(hours, m) : letters[hours.getStateString(m, true)])).join('');
  } catch {
    return null;
  }
})));
