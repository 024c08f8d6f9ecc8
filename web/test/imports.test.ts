import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { expect, test } from "vitest";

const SRC = join(import.meta.dirname, "../src");

/** The files that each file of src imports, types included. */
function imports(): Map<string, string[]> {
  const files = readdirSync(SRC, { recursive: true, encoding: "utf8" })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => file.endsWith(".ts"));
  return new Map(
    files.map((file) => {
      const text = readFileSync(join(SRC, file), "utf8");
      const named = [...text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*"(\.[^"]+)"/g)];
      const targets = named.map(([, path]) => `${posix.join(dirname(file), path!)}.ts`);
      return [file, targets.filter((target) => files.includes(target))];
    }),
  );
}

/** A circle in a graph, as its names in order; empty if there is none. */
function circle(graph: ReadonlyMap<string, Iterable<string>>): string[] {
  const done = new Set<string>();
  const search = (name: string, path: readonly string[]): string[] => {
    if (path.includes(name)) return [...path.slice(path.indexOf(name)), name];
    if (done.has(name)) return [];
    for (const next of graph.get(name) ?? []) {
      const found = search(next, [...path, name]);
      if (found.length > 0) return found;
    }
    done.add(name);
    return [];
  };
  for (const name of graph.keys()) {
    const found = search(name, []);
    if (found.length > 0) return found;
  }
  return [];
}

test("circle finds a circle and nothing else", () => {
  const graph = (text: string) =>
    new Map(text.split(" ").map((pair) => [pair[0]!, [...pair.slice(1)]]));
  expect(circle(graph("abc bd cd d"))).toEqual([]);
  expect(circle(graph("ab bc cdb d"))).toEqual(["b", "c", "b"]);
});

/** The graph of folders in src, at any depth: each imports those that its files do. */
function rooms(files: ReadonlyMap<string, readonly string[]>): Map<string, Set<string>> {
  const graph = new Map<string, Set<string>>();
  const room = (file: string): string => dirname(file);
  for (const [file, targets] of files) {
    const uses = graph.get(room(file)) ?? new Set();
    for (const target of targets) if (room(target) !== room(file)) uses.add(room(target));
    graph.set(room(file), uses);
  }
  return graph;
}

test("no file imports itself by way of others", () => {
  const graph = imports();
  expect(graph.size).toBeGreaterThan(150);
  expect([...graph.values()].flat().length).toBeGreaterThan(500);
  expect(circle(graph)).toEqual([]);
});

test("every file is in a folder, and no folder imports itself by way of others", () => {
  const graph = rooms(imports());
  expect([...graph.keys()].filter((room) => room === ".")).toEqual([]);
  expect(circle(graph)).toEqual([]);
});
