import { expect, test } from "vitest";
import { readTraffic } from "../src/admin/glance";

const METRICS = `# HELP waygate_requests_total Requests answered.
waygate_region_damaged{region="north"} 0
waygate_region_damaged{region="south"} 1
waygate_requests_total{route="GET /assets/{file...}",status="200"} 64
waygate_requests_total{route="POST /route",status="200"} 18
waygate_requests_total{route="POST /route",status="400"} 1
waygate_requests_total{route="GET /tiles/{territory}/{z}/{x}/{y}.mvt",status="503"} 1
waygate_request_seconds_bucket{route="GET /assets/{file...}",le="0.0005"} 64
waygate_request_seconds_bucket{route="POST /route",le="0.01"} 10
waygate_request_seconds_bucket{route="POST /route",le="0.1"} 18
waygate_request_seconds_bucket{route="POST /route",le="+Inf"} 20
`;

test("metrics become traffic, errors, latency and regions, without pages and files", () => {
  expect(readTraffic(METRICS)).toEqual({
    calls: 20,
    failed: 1,
    refused: 1,
    median: 0.01,
    p95: Infinity,
    regions: ["north", "south"],
    damaged: ["south"],
  });
});

test("a server without calls", () => {
  expect(readTraffic("")).toMatchObject({ calls: 0, median: null, p95: null, regions: [] });
});
