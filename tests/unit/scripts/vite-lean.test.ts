/** What the build cuts out of libraries, and that it says when a release words it otherwise. */
import { readdirSync, readFileSync } from "node:fs";
import { lean } from "@scripts/vite-lean";
import { describe, expect, test } from "vitest";

const FILE = "/x/node_modules/broadcast-channel/dist/esbrowser/method-chooser.js";
const { transform, resolveId, load } = lean({ isWhole: true }) as unknown as {
  transform: (code: string, id: string) => string | null;
  resolveId: (id: string, importer: string) => string | null;
  load: (id: string) => string | null;
};

describe("the cuts of the build", () => {
  test("a file of the list loses its lines, another keeps all", () => {
    const code = readFileSync(FILE.replace("/x/", ""), "utf8");
    const left = transform(code, FILE);
    expect(left).toContain("NativeMethod,");
    expect(left).not.toContain("IndexedDBMethod, LocalstorageMethod]");
    expect(transform(code, "/x/src/method-chooser.js")).toBeNull();
  });

  test.each([
    ["no more", ""],
    ["twice", "[IndexedDBMethod, LocalstorageMethod] [IndexedDBMethod, LocalstorageMethod]"],
  ])("a text that stands there %s stops the build", (_how, code) => {
    expect(() => transform(code, FILE)).toThrow("IndexedDBMethod, LocalstorageMethod]");
  });

  test("the uploader writes names of files by what browsers have", async () => {
    const id = resolveId("js-base64", "/x/node_modules/tus-js-client/lib.esm/upload.js") ?? "";
    const code = encodeURIComponent(load(id) ?? "");
    const { Base64 } = await import(/* @vite-ignore */ `data:text/javascript,${code}`);
    for (const name of ["a.jpg", "Füße am Strand 🌊.heic", "\u0000"]) {
      expect(Base64.encode(name)).toBe(Buffer.from(name).toString("base64"));
    }
    expect(resolveId("js-base64", "/x/node_modules/rxdb/dist/esm/index.js")).toBeNull();
  });

  test("the app uses nothing of what is cut", () => {
    const sources = readdirSync("src", { recursive: true, encoding: "utf8" });
    const texts = sources.flatMap((name) =>
      /\.tsx?$/.test(name) ? [readFileSync(`src/${name}`, "utf8")] : [],
    );
    const used =
      /\b(?:liveQuery|hook\(|\w*IgnoreCase|modify\(|upsert\(|bulkUpdate|mapToClass|notEqual\(|noneOf\(|inAnyRange\(|startsWithAnyOf|sortBy\(|uniqueKeys\(|eachKey\(|NavLink|ScrollRestoration|RouterProvider|prefetch=)|\$(?:elemMatch|nor|exists|regex|mod|not|size|type)\b/;
    expect(texts.filter((text) => used.test(text))).toEqual([]);
    expect(texts.some((text) => text.includes('from "react-router-dom"'))).toBe(true);
  });
});
