import { expect, test } from "vitest";
import { PlanHistory, type Past } from "../src/explorer/history";

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
  const planHistory = new PlanHistory(book, () => "/", "a");
  expect([planHistory.canUndo, planHistory.canRedo]).toEqual([false, false]);
  planHistory.keep("a", "map=1");
  planHistory.keep("b", "map=1");
  planHistory.keep("b", "map=2");
  expect(plans(book)).toEqual(["#a&map=1", "#b&map=2"]);
  expect([planHistory.canUndo, planHistory.canRedo]).toEqual([true, false]);
  planHistory.undo();
  planHistory.arrive("a");
  planHistory.keep("a", "map=2");
  expect(plans(book)).toEqual(["#a&map=2", "#b&map=2"]);
  expect([planHistory.canUndo, planHistory.canRedo]).toEqual([false, true]);
  planHistory.undo();
  expect(book.at).toBe(0);
  planHistory.redo();
  planHistory.arrive("b");
  expect([planHistory.canUndo, planHistory.canRedo]).toEqual([true, false]);
});

test("what was undone is lost with the next change", () => {
  const book = new Book();
  const planHistory = new PlanHistory(book, () => "/", "a");
  for (const plan of ["b", "c", "d"]) planHistory.keep(plan, "");
  planHistory.undo();
  planHistory.arrive("c");
  planHistory.keep("", "");
  expect(plans(book)).toEqual(["#a", "#b", "#c", "/"]);
  expect(planHistory.canRedo).toBe(false);
});

test("a link that is pasted is a step too", () => {
  const book = new Book();
  const planHistory = new PlanHistory(book, () => "/", "a");
  let told = 0;
  planHistory.listen(() => told++);
  book.pushState(null, "", "#x");
  planHistory.arrive("x");
  planHistory.keep("x", "map=3");
  expect(plans(book)).toEqual(["#a", "#x&map=3"]);
  expect([planHistory.canUndo, told]).toEqual([true, 2]);
});

test("a plan that differs by names alone renews its entry", () => {
  const book = new Book();
  const planHistory = new PlanHistory(book, () => "/", "a");
  planHistory.keep("a", "");
  planHistory.keep("b", "");
  planHistory.keep("b&names=Home", "", "b");
  expect(plans(book)).toEqual(["#a", "#b&names=Home"]);
  planHistory.undo();
  planHistory.arrive("a");
  expect(planHistory.canRedo).toBe(true);
});
