/**
 * The map (hooks.pb.js) and the handlers (pb_hooks/src) name each other exactly. PocketBase looks a
 * handler up when its event comes, so a wrong name would otherwise show in production only.
 */
import { createContext, runInContext, runInNewContext } from "node:vm";
import { hooksBuildOptions } from "@scripts/build.mjs";
import { pocketBaseFlags } from "@scripts/pocketbase.mjs";
import { readHooksMap } from "@tests/support/hooks-map";
import { build } from "esbuild";
import { beforeAll, describe, expect, test } from "vitest";

/** Runs a registered text as PocketBase does, with little around it, in the first engine of all. */
function called(text: string): { file: string; name: string; event: unknown }[] {
  const calls: { file: string; name: string; event: unknown }[] = [];
  const require = (file: string) => ({
    run: (name: string, event: unknown) => calls.push({ file, name, event }),
  });
  const $app = { store: () => ({ get: () => undefined }) };
  runInNewContext(`(${text})("the event")`, { __hooks: "/hooks", require, $app });
  return calls;
}

let handlers: string[] = [];
beforeAll(async () => {
  const { outputFiles } = await build(hooksBuildOptions());
  const module = { exports: {} as { groups?: object[] } };
  const context = createContext({ module, exports: module.exports });
  runInContext(outputFiles[0]?.text ?? "", context);
  handlers = (module.exports.groups ?? []).flatMap((group) => Object.keys(group));
});

const map = readHooksMap();
const mapped = [...new Set(map.flatMap(({ handler }) => called(handler)).map(({ name }) => name))];

test("every name in the map is a handler", () => {
  expect(mapped.filter((name) => !handlers.includes(name))).toEqual([]);
});

test("every handler is in the map, and no two have one name", () => {
  expect(handlers.length).toBeGreaterThan(60);
  expect(handlers).toHaveLength(new Set(handlers).size);
  expect(handlers.filter((name) => !mapped.includes(name))).toEqual([]);
});

describe("in an engine that has not loaded the handlers", () => {
  /** What becomes of a handler's text where so many engines have loaded them. */
  function outcome(handler: string, engines: number, hasBundle = false): string {
    const headers: string[] = [];
    const set = (...pair: string[]) => headers.push(pair.join(": "));
    class ApiError extends Error {
      constructor(status: number, message: string) {
        super(`${status} ${message} ${headers}`);
      }
    }
    const context = {
      __hooks: "/hooks",
      $app: { store: () => ({ get: () => engines }) },
      ApiError,
      e: { response: { header: () => ({ set }) } },
      require: () => ({ run: () => "ran" }),
      ...(hasBundle && { hasBundle }),
    };
    return runInNewContext(`try { (${handler})(e) } catch (error) { error.message }`, context);
  }
  const handlerOf = (path: string) =>
    map.find(({ binding, texts }) => binding === "routerAdd" && texts[1] === path)?.handler ?? "";
  const pool = Number(
    pocketBaseFlags({ dataDir: "", publicDir: "" })
      .join(" ")
      .match(/--hooksPool=(\d+)/)?.[1],
  );
  const READS = [
    "/api/sync",
    "/api/search",
    "/api/following/media",
    "/api/following/suggested",
    "/api/tags/{tag}/media",
    "/api/explore",
    "/api/collections/media/records",
  ];

  test.each(READS)("and beyond the pool, %s is told to come again", (path) => {
    const busy = "503 The server is busy. Please try again. Retry-After: 3";
    expect(outcome(handlerOf(path), pool)).toBe(busy);
    expect(outcome(handlerOf(path), pool - 1)).toBe("ran");
    expect(outcome(handlerOf(path), pool, true)).toBe("ran");
  });

  test("all else runs", () => {
    const others = map.filter(({ texts }) => !READS.includes(texts[1] ?? ""));
    const lists = /^\/api\/collections\/\w+\/records$/;
    const refused = others.filter(({ handler }) => outcome(handler, pool) !== "ran");
    expect(refused.every(({ texts }) => texts[0] === "GET" && lists.test(texts[1] ?? ""))).toBe(
      true,
    );
  });
});

test.each(map)("$binding runs $handler by itself", ({ handler }) => {
  expect(called(handler)).toEqual([
    { file: "/hooks/dist/app.js", name: expect.any(String), event: "the event" },
  ]);
});
