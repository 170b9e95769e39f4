/** What every screen is drawn with: colours that can be told apart, texts that grow, sides that turn. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { inRoot } from "@scripts/checkout.mjs";
import { expect, test } from "vitest";

const tokens = readFileSync(inRoot("src/app/first-paint/tokens.css"), "utf8");

function themeOf(selector: ":root" | ".dark"): Record<string, string> {
  const block = tokens.split(`${selector} {`)[1]?.split("}")[0] ?? "";
  const pairs = [...block.matchAll(/--([\w-]+):\s*(#[0-9a-f]{6})\b/g)];
  return Object.fromEntries(pairs.map(([, name = "", value = ""]) => [name, value]));
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(a: string, b: string): number {
  const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05);
}

const light = themeOf(":root");
const themes = { light, dark: { ...light, ...themeOf(".dark") } };
const GROUNDS = ["background", "surface", "raised"];

test.each([
  ["line-strong", GROUNDS, 3],
  ["mark", [...GROUNDS, "line"], 3],
  ["focus", GROUNDS, 3],
  ["danger", GROUNDS, 4.5],
  ["muted", GROUNDS, 4.5],
  ["link", GROUNDS, 4.5],
] as const)("%s is told from %s in both themes", (name, grounds, least) => {
  for (const theme of Object.values(themes)) {
    for (const ground of grounds) {
      expect(contrast(theme[name] ?? "", theme[ground] ?? "")).toBeGreaterThanOrEqual(least);
    }
  }
});

test("whoever asks for more contrast gets seven to one for texts, and more for edges", () => {
  const [, more = ""] = readFileSync(inRoot("src/ui/styles.css"), "utf8").split(
    "@media (prefers-contrast: more) {",
  );
  for (const [selector, theme] of [
    [":root {", themes.light],
    [".dark {", themes.dark],
  ] as const) {
    const block = more.split(selector)[1]?.split("}")[0] ?? "";
    const pairs = [...block.matchAll(/--([\w-]+):\s*(#[0-9a-f]{6})\b/g)];
    const own = Object.fromEntries(pairs.map(([, name = "", value = ""]) => [name, value]));
    for (const ground of GROUNDS) {
      for (const name of ["muted", "link", "danger", "line-strong", "focus"]) {
        expect(contrast(own[name] ?? "", theme[ground] ?? "")).toBeGreaterThanOrEqual(7);
      }
    }
  }
});

const sources = readdirSync(inRoot("src"), { recursive: true, encoding: "utf8" })
  .filter((name) => /\.(tsx|css)$/.test(name))
  .map((name) => ({ name, text: readFileSync(path.join(inRoot("src"), name), "utf8") }));

/** The lines with what they may not have. */
const linesWith = (fault: RegExp): string[] =>
  sources.flatMap(({ name, text }) =>
    text
      .split("\n")
      .filter((line) => fault.test(line) && !line.includes("safe-area-inset"))
      .map((line) => `${name}: ${line.trim()}`),
  );

test("no text has a size that the browser's size of text leaves as it is", () => {
  expect(
    linesWith(/text-\[[\d.]+px\]|leading-\[[\d.]+px\]|leading-\d|font-size:\s*[\d.]+px/),
  ).toEqual([]);
});

test("no side is left or right but where it is centred", () => {
  const SIDES =
    /(?<=[\s"`:])-?(?:ml|mr|pl|pr|left|right)-[\d[]|text-(?:left|right)\b|(?:margin|padding)-(?:left|right):/;
  expect(linesWith(SIDES).filter((line) => !line.includes("-translate-x-1/2"))).toEqual([]);
});
