import { expect, test } from "vitest";
import { Trail, type Past } from "../src/trail";

/** The browser's history as far as it matters here. */
class Book implements Past {
  entries: { state: unknown; address: string }[] = [{ state: null, address: "#a" }];
  at = 0;
  get state(): unknown {
    return this.entries[this.at]!.state;
  }
  pushState(state: unknown, _: string, address: string): void {
    this.entries = [...this.entries.slice(0, ++this.at), { state, address }];
  }
  replaceState(state: unknown, _: string, address: string): void {
    this.entries[this.at] = { state, address };
  }
  back(): void {
    this.at--;
  }
  forward(): void {
    this.at++;
  }
}

const plans = (book: Book) => book.entries.map(({ address }) => address);

test("a new plan is a new entry, a new view is not", () => {
  const book = new Book();
  const trail = new Trail(book, () => "/", "a");
  expect([trail.canUndo, trail.canRedo]).toEqual([false, false]);
  trail.keep("a", "map=1");
  trail.keep("b", "map=1");
  trail.keep("b", "map=2");
  expect(plans(book)).toEqual(["#a&map=1", "#b&map=2"]);
  expect([trail.canUndo, trail.canRedo]).toEqual([true, false]);
  trail.undo();
  trail.arrive("a");
  trail.keep("a", "map=2");
  expect(plans(book)).toEqual(["#a&map=2", "#b&map=2"]);
  expect([trail.canUndo, trail.canRedo]).toEqual([false, true]);
  trail.undo();
  expect(book.at).toBe(0);
  trail.redo();
  trail.arrive("b");
  expect([trail.canUndo, trail.canRedo]).toEqual([true, false]);
});

test("what was undone is lost with the next change", () => {
  const book = new Book();
  const trail = new Trail(book, () => "/", "a");
  for (const plan of ["b", "c", "d"]) trail.keep(plan, "");
  trail.undo();
  trail.arrive("c");
  trail.keep("", "");
  expect(plans(book)).toEqual(["#a", "#b", "#c", "/"]);
  expect(trail.canRedo).toBe(false);
});

test("a link that is pasted is a step too", () => {
  const book = new Book();
  const trail = new Trail(book, () => "/", "a");
  let told = 0;
  trail.listen(() => told++);
  book.pushState(null, "", "#x");
  trail.arrive("x");
  trail.keep("x", "map=3");
  expect(plans(book)).toEqual(["#a", "#x&map=3"]);
  expect([trail.canUndo, told]).toEqual([true, 2]);
});
