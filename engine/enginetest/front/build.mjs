// Builds what Valhalla serves: configuration, borders, time zones and tiles.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const require = createRequire(path.join(process.env.VALHALLA_TOOLS, 'package.json'));
const valhalla = require('@valhallajs/valhallajs');
const programs = path.join(
  path.dirname(require.resolve('@valhallajs/valhallajs')), process.platform, process.arch);

export const { Actor, VALHALLA_VERSION } = valhalla;

// run gives a program's output, or throws with the end of it. The program runs
// in the folder work, where Valhalla leaves lists of what it found odd.
function run(work, program, args, input = '') {
  return new Promise((done, fail) => {
    const child = spawn(program, args, { cwd: work, stdio: ['pipe', 'pipe', 'pipe'] });
    let out = '';
    const keep = (text) => { out = (out + text).slice(-4000); };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.on('error', fail);
    child.on('close', (code) => code === 0
      ? done(out)
      : fail(new Error(`${path.basename(program)} ended with ${code}:\n${out}`)));
    child.stdin.on('error', () => {}); // a program may end without reading it
    child.stdin.end(input);
  });
}

// One polygon with one zone stands in for the world's time zones: tests need
// some local time, and the real borders are a large download.
const zone = process.env.VALHALLA_ZONE || 'Europe/London';
const zones = `
CREATE TABLE tz_world (PK_UID INTEGER PRIMARY KEY AUTOINCREMENT, TZID TEXT);
SELECT AddGeometryColumn('tz_world', 'geom', 4326, 'MULTIPOLYGON', 'XY');
INSERT INTO tz_world (TZID, geom) VALUES ('${zone}', CastToMulti(GeomFromText(
  'POLYGON((-180 -90, 180 -90, 180 90, -180 90, -180 -90))', 4326)));
SELECT CreateSpatialIndex('tz_world', 'geom');
`;

// place tells a configuration where its files lie: the folder may have been
// moved since it was built.
function place(config, work) {
  config.mjolnir.tile_dir = path.join(work, 'tiles');
  config.mjolnir.admin = path.join(work, 'admin.sqlite');
  config.mjolnir.timezone = path.join(work, 'zones.sqlite');
  config.additional_data.elevation = process.env.VALHALLA_ELEVATION ?? '';
  return config;
}

// build makes everything in the folder work, unless an earlier start finished
// it, and gives the configuration.
export async function build(extract, work) {
  const finished = path.join(work, 'valhalla.json');
  if (existsSync(finished)) return place(JSON.parse(readFileSync(finished, 'utf8')), work);
  const config = place(await valhalla.getConfig({
    tileExtract: '',
    additionalArgs: [
      '--mjolnir-tile-extract', '', '--mjolnir-traffic-extract', '',
      '--mjolnir-transit-dir', '', '--mjolnir-transit-feeds-dir', '', '--mjolnir-landmarks', '',
      '--mjolnir-concurrency', '2',
    ],
  }), work);
  const { admin, timezone, tile_dir: tiles } = config.mjolnir;
  for (const remains of [admin, timezone, tiles]) rmSync(remains, { recursive: true, force: true });
  mkdirSync(tiles, { recursive: true });
  for (const part of ['mjolnir', 'loki', 'thor', 'odin', 'meili']) config[part].logging.type = '';
  // The gateway passes hard exclusions on, compares large matrices and reads
  // the age of the tiles; a stock configuration refuses all three.
  config.service_limits.allow_hard_exclusions = true;
  config.service_limits.status.allow_verbose = true;
  config.service_limits.max_alternates = 3;
  for (const limit of Object.values(config.service_limits)) {
    if (limit?.max_matrix_location_pairs) {
      limit.max_matrix_location_pairs = 250000;
      limit.max_locations = 1000;
    }
  }
  const file = `${finished}.new`;
  writeFileSync(file, JSON.stringify(config, null, 1));
  await run(work, 'spatialite', [timezone], zones);
  for (const what of ['admins', 'tiles']) {
    const begun = process.hrtime.bigint();
    await run(work, path.join(programs, `valhalla_build_${what}`), ['-c', file, extract]);
    console.log(`${what} took ${(process.hrtime.bigint() - begun) / 1000000n} ms`);
  }
  renameSync(file, finished);
  return config;
}
