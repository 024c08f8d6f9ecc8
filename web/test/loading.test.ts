import { expect, test } from "vitest";
import { Loading } from "../src/ui/loading";

test("what is waited for is told, newest first, and given up at once", () => {
  const loading = new Loading();
  const given: string[] = [];
  let told = 0;
  loading.subscribe(() => told++);
  const route = loading.begin("route", () => given.push("route"));
  const map = loading.begin("map", null);
  expect([loading.busy, loading.label, loading.cancellable]).toEqual([true, "map", true]);
  map();
  map();
  expect([loading.label, told]).toEqual(["route", 4]);
  loading.cancel();
  expect(given).toEqual(["route"]);
  route();
  expect([loading.busy, loading.label, loading.cancellable]).toEqual([false, "", false]);
});
