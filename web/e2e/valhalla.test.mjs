// Clients that many apps ask a Valhalla with must work with the gateway as they
// are: @routingjs/valhalla, and Valhalla's requests by GET. WAYGATE_URL is the
// gateway's address.

import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { Valhalla } from "@routingjs/valhalla";

const BASE = process.env.WAYGATE_URL?.replace(/\/*$/, "/");

/** What the gateway answers to a body. */
async function ask(path, body) {
  const answer = await fetch(new URL(path, BASE), { method: "POST", body: JSON.stringify(body) });
  assert.equal(answer.status, 200, `${path}: ${await answer.clone().text()}`);
  return answer.json();
}

/** Whether a length in metres and one in kilometres are the same to the metre. */
function alike(metres, kilometres) {
  assert.ok(Math.abs(metres - 1000 * kilometres) <= 1, `${metres} m is not ${kilometres} km`);
}

describe("@routingjs/valhalla", { skip: BASE ? false : "WAYGATE_URL is not set" }, () => {
  const client =
    BASE && new Valhalla({ baseUrl: BASE.slice(0, -1), timeout: 600_000, maxRetries: 0 });
  let examples;

  before(async () => {
    const all = (await (await fetch(new URL("explorer.json", BASE))).json()).examples;
    examples = all.filter(({ adr, costing_options: options }) => !adr && !options);
    assert.ok(examples.length > 3);
  });

  /** The client takes places as [lat, lon]. */
  const places = (points) => points.map(([lon, lat]) => [lat, lon]);
  const located = (points) => points.map(([lon, lat]) => ({ lat, lon }));

  test("finds routes", async () => {
    for (const { title, costing, points } of examples) {
      const { directions, raw } = await client.directions(places(points), costing, {
        instructions: true,
      });
      const { trip, warnings = [] } = await ask("route", { costing, locations: located(points) });
      // One more: of narrative, which Valhalla itself no longer knows.
      assert.equal(raw.warnings?.length, warnings.length + 1, title);
      const { properties, geometry } = directions[0].feature;
      assert.equal(properties.duration, trip.summary.time, title);
      alike(1000 * properties.distance, trip.summary.length);
      assert.ok(geometry.coordinates.length > 2, title);
      for (const [lon, lat] of geometry.coordinates) {
        assert.ok(Math.abs(lon - points[0][0]) < 1 && Math.abs(lat - points[0][1]) < 1, title);
      }
      assert.ok(raw.trip.legs[0].maneuvers.length > 1, title);
    }
  });

  test("finds alternatives, in other units and words, and keeps off a place", async () => {
    const { costing, points } = examples[0];
    const found = await client.directions(places(points), costing, {
      alternatives: 2,
      units: "miles",
      language: "de",
      directionsType: "instructions",
      id: "mine",
      costingOpts: { use_highways: 0.2 },
    });
    assert.ok(found.directions.length > 1);
    assert.equal(found.raw.trip.units, "miles");
    assert.equal(found.raw.trip.language, "de");
    assert.equal(found.raw.id, "mine");
    const line = found.directions[0].feature.geometry.coordinates;
    const [lon, lat] = line[Math.floor(line.length / 2)];
    const ring = [-1, 1, 1, -1].map((x, i) => [lon + x * 0.0005, lat + (i < 2 ? -1 : 1) * 0.0005]);
    const bent = await client.directions(places(points), costing, { avoidPolygons: [ring] });
    for (const [x, y] of bent.directions[0].feature.geometry.coordinates) {
      assert.ok(Math.abs(x - lon) > 0.0005 || Math.abs(y - lat) > 0.0005);
    }
  });

  test("measures matrices", async () => {
    for (const { title, costing, points } of examples) {
      const { durations, distances, raw } = await client.matrix(places(points), costing, {
        id: "mine",
      });
      const own = await ask("matrix", { costing, locations: located(points) });
      assert.equal(raw.id, "mine", title);
      assert.deepEqual(
        durations,
        own.durations.map((row) => row.map((v) => (v === null ? null : Math.round(v)))),
        title,
      );
      for (const [i, row] of distances.entries()) {
        for (const [j, metres] of row.entries()) alike(metres, own.distances[i][j] / 1000);
      }
    }
  });

  test("tells a place that no road reaches", async () => {
    const [[lon, lat]] = examples[0].points;
    const { durations, distances } = await client.matrix(
      [
        [lat, lon],
        [lat + 40, lon],
      ],
      "auto",
    );
    assert.deepEqual(
      [durations[0], distances[0]],
      [
        [0, null],
        [0, null],
      ],
    );
  });

  test("outlines what is within reach", async () => {
    const [[lon, lat]] = examples[0].points;
    for (const [intervalType, intervals, unit] of [
      ["time", [600, 300], 60],
      ["distance", [2000, 500], 1000],
    ]) {
      const { isochrones, raw } = await client.reachability([lat, lon], "auto", intervals, {
        intervalType,
        polygons: true,
        showLocations: true,
        colors: ["ff0000", "00ff00"],
        id: "mine",
      });
      assert.equal(raw.id, "mine");
      assert.equal(isochrones.length, 3); // with the places on the roads
      for (const [i, value] of intervals.entries()) {
        const { feature, interval } = isochrones[i];
        assert.equal(interval, value);
        assert.equal(feature.properties.contour, value / unit);
        assert.match(feature.geometry.type, /Polygon$/);
      }
    }
  });

  test("matches traces", async () => {
    const { points } = examples[0];
    const route = await client.directions(places(points), "auto");
    const line = route.directions[0].feature;
    const trace = line.geometry.coordinates.slice(0, 40);
    for (const shapeMatch of ["map_snap", "walk_or_snap"]) {
      const { directions, raw } = await client.mapMatch(places(trace), "auto", {
        shapeMatch,
        traceOptions: { searchRadius: 30 },
        id: "mine",
      });
      assert.equal(raw.id, "mine");
      const matched = directions[0].feature;
      assert.ok(matched.geometry.coordinates.length > 10);
      assert.ok(matched.properties.duration > 0);
      assert.ok(matched.properties.distance < line.properties.distance);
    }
  });

  test("hears why there is no route", async () => {
    const [[lon, lat]] = examples[0].points;
    await assert.rejects(
      client.directions(
        [
          [lat, lon],
          [lat + 40, lon],
        ],
        "auto",
      ),
      (error) => {
        assert.equal(error.properties.statusCode, 400);
        assert.equal(error.properties.errorCode, 171);
        return true;
      },
    );
    await assert.rejects(client.directions([[lat, lon]], "auto"), (error) => {
      assert.equal(error.properties.statusCode, 400);
      return true;
    });
  });
});

test("Valhalla's requests by GET", { skip: BASE ? false : "WAYGATE_URL is not set" }, async () => {
  const { examples } = await (await fetch(new URL("explorer.json", BASE))).json();
  const locations = examples[0].points.map(([lon, lat]) => ({ lat, lon }));
  for (const [path, body] of Object.entries({
    route: { costing: "auto", locations },
    sources_to_targets: { costing: "auto", sources: locations, targets: locations },
    isochrone: { costing: "auto", locations: [locations[0]], contours: [{ time: 5 }] },
    locate: { costing: "auto", locations },
  })) {
    const url = new URL(path, BASE);
    url.searchParams.set("json", JSON.stringify(body));
    const answer = await fetch(url);
    assert.equal(answer.status, 200, path);
    assert.deepEqual(await answer.json(), await ask(path, body), path);
  }
});
