/**
 * The map (hooks.pb.js) and the handlers (pb_hooks/src) name each other exactly. PocketBase looks a
 * handler up when its event comes, so a wrong name would otherwise show in production only.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { createContext, runInContext, runInNewContext } from "node:vm";
import { hooksBuildOptions } from "@scripts/build.mjs";
import { HOOKS_DIR } from "@scripts/checkout.mjs";
import { build } from "esbuild";
import { beforeAll, expect, test } from "vitest";

/** What PocketBase offers at load, as far as the map uses it. Every registration is noted. */
function readMap(): { binding: string; text: string }[] {
  const source = readFileSync(path.join(HOOKS_DIR, "hooks.pb.js"), "utf8");
  const found: { binding: string; text: string }[] = [];
  const note =
    (binding: string) =>
    (...args: unknown[]): void => {
      const texts = args.filter((arg) => typeof arg === "string" && arg.startsWith("(e) =>"));
      found.push(...texts.map((text) => ({ binding, text: String(text) })));
      if (texts.length === 0) found.push({ binding, text: "" });
    };
  const names = [...source.matchAll(/^\s*(on[A-Z]\w+|routerAdd|cronAdd)\(/gm)].map(
    ([, name = ""]) => name,
  );
  const middleware = () => ({});
  runInNewContext(source, {
    ...Object.fromEntries(names.map((name) => [name, note(name)])),
    $apis: {
      bodyLimit: middleware,
      gzip: middleware,
    },
    Middleware: class {},
    routerUse: () => {},
  });
  return found;
}

/** Runs a registered text as PocketBase does, with nothing around it but `__hooks` and `require`. */
function called(text: string): { file: string; name: string; event: unknown }[] {
  const calls: { file: string; name: string; event: unknown }[] = [];
  const require = (file: string) => ({
    handlers: new Proxy(
      {},
      { get: (_, name) => (event: unknown) => calls.push({ file, name: String(name), event }) },
    ),
  });
  runInNewContext(`(${text})("the event")`, { __hooks: "/hooks", require });
  return calls;
}

let handlers: string[] = [];
beforeAll(async () => {
  const { outputFiles } = await build(hooksBuildOptions());
  const module = { exports: {} as { handlers?: object } };
  const context = createContext({ module, exports: module.exports });
  runInContext(outputFiles[0]?.text ?? "", context);
  handlers = Object.keys(module.exports.handlers ?? {});
});

const map = readMap();
const mapped = [...new Set(map.flatMap(({ text }) => called(text)).map(({ name }) => name))];

test("every name in the map is a handler", () => {
  expect(mapped.filter((name) => !handlers.includes(name))).toEqual([]);
});

test("every handler is in the map", () => {
  expect(handlers.length).toBeGreaterThan(60);
  expect(handlers.filter((name) => !mapped.includes(name))).toEqual([]);
});

test.each(map)("$binding runs $text by itself", ({ text }) => {
  expect(called(text)).toEqual([
    { file: "/hooks/dist/app.js", name: expect.any(String), event: "the event" },
  ]);
});
