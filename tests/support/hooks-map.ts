/** What `hooks.pb.js` registers, as PocketBase reads it. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { runInNewContext } from "node:vm";
import { HOOKS_DIR } from "@scripts/checkout.mjs";

export interface Registered {
  /** `routerAdd`, `cronAdd`, or the name of an event. */
  binding: string;
  /** In their order; of a route its method and path first. */
  texts: string[];
  /** The text of its handler, "" where there is none. */
  handler: string;
}

const isHandler = (text: string): boolean => text.startsWith("(e) =>");

/** Runs the map with what PocketBase offers at load, as far as the map uses it. */
export function readHooksMap(): Registered[] {
  const source = readFileSync(path.join(HOOKS_DIR, "hooks.pb.js"), "utf8");
  const found: Registered[] = [];
  const note =
    (binding: string) =>
    (...args: unknown[]): void => {
      const texts = args.filter((arg) => typeof arg === "string");
      found.push({ binding, texts, handler: texts.find(isHandler) ?? "" });
    };
  const names = [...source.matchAll(/^\s*(on[A-Z]\w+|routerAdd|cronAdd)\(/gm)].map(
    ([, name = ""]) => name,
  );
  const middleware = () => ({});
  runInNewContext(source, {
    ...Object.fromEntries(names.map((name) => [name, note(name)])),
    $apis: { bodyLimit: middleware, gzip: middleware },
    Middleware: class {},
    routerUse: () => {},
  });
  return found;
}
