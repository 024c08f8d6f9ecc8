// Serves a real Valhalla over HTTP the way its own service does: POST with a
// JSON body, or GET with ?json=. Answers pass through as Valhalla wrote them.
//   node serve.mjs EXTRACT PORT WORKDIR       (started by start.sh)
// PORT "none" builds what is served and ends.
import http from 'node:http';
import { Actor, VALHALLA_VERSION, build } from './build.mjs';
import { refusal } from './errors.mjs';

const [extract, port, work] = process.argv.slice(2);
const config = await build(extract, work);
if (port === 'none') process.exit(0);
const actor = new Actor(config);

const actions = {
  '/route': 'route', '/sources_to_targets': 'matrix', '/isochrone': 'isochrone',
  '/trace_route': 'traceRoute', '/trace_attributes': 'traceAttributes', '/locate': 'locate',
  '/centroid': 'centroid', '/height': 'height', '/optimized_route': 'optimizedRoute',
  '/expansion': 'expansion', '/status': 'status',
};

async function answer(request) {
  const url = new URL(request.url, 'http://loopback');
  const method = actions[url.pathname];
  if (!method) return refusal(`Try any of: '${Object.keys(actions).join("' '")}'`);
  if (request.method !== 'GET' && request.method !== 'POST') {
    return refusal('Try a POST or GET request instead');
  }
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const query = Buffer.concat(chunks).toString() || url.searchParams.get('json') || '{}';
  let format;
  try {
    format = JSON.parse(query)?.format;
  } catch {
    return refusal('Failed to parse json request');
  }
  try {
    return [200, await actor[method](query)];
  } catch (error) {
    return refusal(String(error.message).replace(/^\w+ error: /, ''), format);
  }
}

const server = http.createServer(async (request, response) => {
  const [status, body] = await answer(request);
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  const type = bytes[0] === 0x3c ? 'application/gpx+xml' : 'application/json'; // "<"
  response.writeHead(status, { 'content-type': `${type};charset=utf-8`, 'content-length': bytes.length });
  response.end(bytes);
});
server.listen(Number(port), '127.0.0.1', () =>
  console.log(`Valhalla ${VALHALLA_VERSION} listening on http://127.0.0.1:${server.address().port}`));
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(0));
