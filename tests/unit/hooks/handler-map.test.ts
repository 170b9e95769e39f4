/**
 * The map (hooks.pb.js) and the handlers (pb_hooks/src) name each other exactly. PocketBase looks a
 * handler up when its event comes, so a wrong name would otherwise show in production only.
 */
import { createContext, runInContext, runInNewContext } from "node:vm";
import { hooksBuildOptions } from "@scripts/build.mjs";
import { readHooksMap } from "@tests/support/hooks-map";
import { build } from "esbuild";
import { beforeAll, expect, test } from "vitest";

/** Runs a registered text as PocketBase does, with nothing around it but `__hooks` and `require`. */
function called(text: string): { file: string; name: string; event: unknown }[] {
  const calls: { file: string; name: string; event: unknown }[] = [];
  const require = (file: string) => ({
    run: (name: string, event: unknown) => calls.push({ file, name, event }),
  });
  runInNewContext(`(${text})("the event")`, { __hooks: "/hooks", require });
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

test.each(map)("$binding runs $handler by itself", ({ handler }) => {
  expect(called(handler)).toEqual([
    { file: "/hooks/dist/app.js", name: expect.any(String), event: "the event" },
  ]);
});
