// @vitest-environment happy-dom
import { Component, type ReactNode } from "react";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { failedParts } from "@/lib/failed-part";
import { lazily, lazyPage } from "@/ui/lazily";

/** Milliseconds of all timers that React has set. */
const timers: number[] = [];
let createRoot: typeof import("react-dom/client").createRoot;
let root: import("react-dom/client").Root | undefined;

beforeAll(async () => {
  // React keeps the function that it finds when it is loaded.
  const set = globalThis.setTimeout;
  vi.stubGlobal("setTimeout", (then: () => void, after = 0) => {
    timers.push(after);
    return set(then, after);
  });
  ({ createRoot } = await import("react-dom/client"));
});

afterEach(() => {
  root?.unmount();
  document.body.replaceChildren();
  timers.length = 0;
});

function show(node: ReactNode): HTMLElement {
  const place = document.body.appendChild(document.createElement("div"));
  root = createRoot(place, { onCaughtError: () => undefined });
  root.render(node);
  return place;
}

/** A module that comes when the test says so. */
function later<Module>(module: Module) {
  let come = (_module: Module): void => undefined;
  const coming = new Promise<Module>((resolve) => {
    come = resolve;
  });
  return { load: () => coming, come: () => come(module) };
}

test("what has come is drawn without a wait, whatever placeholders stood just before", async () => {
  const inner = later({ Inner: () => <b>inside</b> });
  const Inner = lazily(inner.load, "Inner", () => <i>almost</i>);
  const outer = later({ Outer: () => <Inner /> });
  const Outer = lazily(outer.load, "Outer", () => <i>soon</i>);
  const place = show(<Outer />);
  await expect.poll(() => place.innerHTML).toBe("<i>soon</i>");
  outer.come();
  await expect.poll(() => place.innerHTML).toBe("<i>almost</i>");
  inner.come();
  await expect.poll(() => place.innerHTML).toBe("<b>inside</b>");
  expect(timers.filter((after) => after > 10)).toEqual([]);
});

test("what was read ahead is drawn at once, without its placeholder", async () => {
  const Loading = vi.fn(() => null);
  const Part = lazyPage(async () => ({ Part: () => <b>there</b> }), "Part", Loading);
  expect(Part.isWarm()).toBe(false);
  await Part.warm();
  expect(Part.isWarm()).toBe(true);
  const place = show(<Part />);
  await expect.poll(() => place.innerHTML).toBe("<b>there</b>");
  expect(Loading).not.toHaveBeenCalled();
});

class Boundary extends Component<{ children: ReactNode }, { text: string }> {
  override state = { text: "" };
  static getDerivedStateFromError = (error: unknown) => ({ text: String(error) });
  override render = () => this.state.text || this.props.children;
}

test("a page that does not come says why; one that was read ahead in vain is asked for again", async () => {
  const load = vi.fn(async (): Promise<{ Page: () => ReactNode }> => {
    throw new Error("gone");
  });
  const Page = lazyPage(load, "Page");
  await expect(Page.warm()).rejects.toThrow("gone");
  load.mockResolvedValueOnce({ Page: () => <b>back</b> });
  expect(show(<Page />)).toBeDefined();
  await expect.poll(() => document.body.textContent).toBe("back");

  const Dead = lazyPage(load, "Page");
  const place = show(
    <Boundary>
      <Dead />
    </Boundary>,
  );
  await expect.poll(() => place.textContent).toBe("Error: gone");
});

test("a part that does not come is left out and reported", async () => {
  const before = failedParts.getSnapshot();
  const load = async (): Promise<{ Part: () => ReactNode }> => {
    throw new Error("gone");
  };
  const Part = lazily(load, "Part");
  const place = show(
    <p>
      stays
      <Part />
    </p>,
  );
  await expect.poll(() => failedParts.getSnapshot()).toBe(before + 1);
  expect(place.textContent).toBe("stays");
});
