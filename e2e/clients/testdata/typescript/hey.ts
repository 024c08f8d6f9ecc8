// Calls the gateway by the functions of @hey-api/openapi-ts.
import { createClient, createConfig } from "./hey/client/index.js";
import { getV1KeysSelf, postAdminKeys, postIsochrone, postMatrix, postRoute } from "./hey/sdk.gen.js";
import { admin, assert, data, from, to, url } from "./expect.js";

const client = createClient(createConfig({ baseUrl: url! }));

const routed = data(await postRoute({ client, body: { locations: [from, to], costing: "auto" } }));
assert.ok("trip" in routed);
assert.ok(routed.trip.summary.length > 1 && routed.trip.legs[0]!.maneuvers!.length > 1);

const table = data(await postMatrix({ client, body: { sources: [from], targets: [from, to] } }));
assert.ok("durations" in table);
assert.ok(table.durations[0]![1]! > 0);

const reach = data(await postIsochrone({ client, body: { locations: [from], contours: [{ time: 2 }], polygons: true } }));
assert.ok("features" in reach);
assert.equal(reach.features[0]!.properties.contour, 2);

const minted = data(await postAdminKeys({ client, auth: admin!, body: { name: "hey-api", monthly_quota: 100, rate_per_min: 100 } }));
assert.equal(data(await getV1KeysSelf({ client, auth: minted.key })).key_id, minted.id);

const refused = await postRoute({ client, body: { locations: [from, { lat: 91, lon: 0 }] } });
assert.equal(refused.response?.status, 400);
assert.ok(refused.error && "type" in refused.error);
assert.equal(refused.error.type, "urn:svc-gateway:problem:bad-request");
assert.equal(refused.error.errors![0]!.location, "locations[1].lat");
