// Calls the gateway by openapi-fetch with the types of openapi-typescript.
import createClient from "openapi-fetch";
import type { paths } from "./fetch/schema.js";
import { admin, assert, data, from, to, url } from "./expect.js";

const client = createClient<paths>({ baseUrl: url! });

const routed = data(await client.POST("/route", { body: { locations: [from, to], costing: "auto" } }));
assert.ok("trip" in routed);
assert.ok(routed.trip.summary.length > 1 && routed.trip.legs[0]!.maneuvers!.length > 1);
assert.equal(routed.trip.locations[1]!.type, "break");

const table = data(await client.POST("/matrix", { body: { sources: [from], targets: [from, to] } }));
assert.ok("durations" in table);
assert.equal(table.durations[0]![0], 0);
assert.ok(table.durations[0]![1]! > 0);

const reach = data(await client.POST("/isochrone", { body: { locations: [from], contours: [{ time: 2 }], polygons: true } }));
assert.ok("features" in reach);
assert.equal(reach.features[0]!.properties.contour, 2);

const minted = data(
  await client.POST("/admin/keys", {
    headers: { Authorization: `Bearer ${admin}` },
    body: { name: "openapi-fetch", monthly_quota: 100, rate_per_min: 100 },
  }),
);
const self = await client.GET("/v1/keys/self", { headers: { Authorization: `Bearer ${minted.key}` } });
assert.equal(data(self).key_id, minted.id);

const refused = await client.POST("/route", { body: { locations: [from, { lat: 91, lon: 0 }] } });
assert.equal(refused.response.status, 400);
assert.ok(refused.error && "type" in refused.error);
assert.equal(refused.error.type, "urn:svc-gateway:problem:bad-request");
assert.equal(refused.error.errors![0]!.location, "locations[1].lat");
