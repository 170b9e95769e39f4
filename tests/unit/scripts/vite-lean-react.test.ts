// @vitest-environment happy-dom
/** What the build leaves out of react-dom, and that what stays still renders. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { withoutUnused } from "@scripts/vite-lean-react";
import type { ReactNode } from "react";
import type { Root } from "react-dom/client";
import { parseSync } from "vite";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

const FILE = "node_modules/react-dom/cjs/react-dom-client.production.js";
const whole = readFileSync(FILE, "utf8");
const parse = (code: string) => parseSync("client.js", code).program;
const lean = withoutUnused(whole, parse);

const ofNode = createRequire(import.meta.url);
/** As in the build: the development's React hands its elements to its own react-dom alone. */
const load = (id: string) =>
  id === "react" ? ofNode(path.resolve("node_modules/react/cjs/react.production.js")) : ofNode(id);
const { createElement: h, ...React }: typeof import("react") = load("react");
const { createRoot } = (() => {
  const exports = {} as typeof import("react-dom/client");
  new Function("require", "exports", lean)(load, exports);
  return exports;
})();

describe("react-dom as the app has it", () => {
  let root: Root;
  const faults: unknown[] = [];
  const note = (fault: unknown) => faults.push(fault);
  const show = (what: ReactNode) => root.render(what);
  const text = () => document.body.textContent;

  beforeEach(() => {
    faults.length = 0;
    const place = document.body.appendChild(document.createElement("div"));
    root = createRoot(place, { onUncaughtError: note, onRecoverableError: note });
  });

  afterEach(() => {
    root.unmount();
    document.body.replaceChildren();
  });

  test("much is left out, and a file that has not what is cut stops the build", () => {
    expect(lean.length).toBeLessThan(whole.length * 0.77);
    expect(() => withoutUnused(whole.replaceAll("getResource", "resourceOf"), parse)).toThrow(
      "getResource",
    );
  });

  test("an element answers a press, keeps its children apart and is taken away", async () => {
    function Counter() {
      const [pressed, setPressed] = React.useState<readonly number[]>([]);
      const press = () => setPressed((all) => [all.length, ...all]);
      const numbers = pressed.map((n) => h("b", { key: n }, n));
      return h(
        "form",
        { onSubmit: (event: Event) => event.preventDefault() },
        h("button", { type: "submit", onClick: press }, numbers),
      );
    }
    show(h(Counter));
    await vi.waitFor(() => expect(document.querySelector("button")).not.toBeNull());
    for (const wanted of ["0", "10", "210"]) {
      document.querySelector("button")?.click();
      await vi.waitFor(() => expect(text()).toBe(wanted));
    }
    show(null);
    await vi.waitFor(() => expect(text()).toBe(""));
    expect(faults).toEqual([]);
  });

  test("a transition waits for its promise while the old page stands", async () => {
    let answer = (_: string) => {};
    const promised = new Promise<string>((resolve) => {
      answer = resolve;
    });
    let go = () => {};
    const Answer = () => React.use(promised);
    function Page() {
      const [isNext, setNext] = React.useState(false);
      go = () => React.startTransition(() => setNext(true));
      return h(React.Suspense, { fallback: "waiting" }, isNext ? h(Answer) : "old");
    }
    show(h(Page));
    await vi.waitFor(() => expect(text()).toBe("old"));
    go();
    answer("new");
    await vi.waitFor(() => expect(text()).toBe("new"));
    expect(faults).toEqual([]);
  });

  test("a title in a drawing stays there, and what is left out is no element", async () => {
    show(h("svg", null, h("title", null, "Two")));
    await vi.waitFor(() => expect(document.querySelector("svg > title")?.textContent).toBe("Two"));
    show(h(React.Activity, null, "never"));
    await vi.waitFor(() => expect(faults.map(String)).toEqual([expect.stringContaining("#130")]));
  });
});
