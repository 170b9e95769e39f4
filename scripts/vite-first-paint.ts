/**
 * Vite plugin: puts the first paint (src/app/first-paint) into index.html: the shell's CSS, two
 * scripts, the skeleton. The app's own stylesheet and its program become addresses in the page's
 * head, which the first paint asks for when their turn has come.
 */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { minify } from "terser";
import type { Plugin } from "vite";
import { readCatalogues } from "./texts.mjs";

const FOLDER = fileURLToPath(new URL("../src/app/first-paint/", import.meta.url));
/** Bytes of one inlined script: an import that pulls in a library goes beyond it. */
const MOST = 12_000;
const SOURCE = fileURLToPath(new URL("../src", import.meta.url));

/** The words of the shell, by the keys that `data-say` names; those of `en` stand in the page. */
const SAID = /(<\w+ data-say="([\w.]+)">)(?=<)/g;

/** The page with the words of `en`, and the words of the languages that have others. */
async function sayShell(html: string) {
  const { catalogues } = await readCatalogues();
  const keys = [...html.matchAll(SAID)].map(([, , key = ""]) => key);
  const said = (language: string, key: string): string => {
    const text = catalogues[language]?.get(key);
    if (text === undefined) throw new Error(`index.html says "${key}", which is no text`);
    return text;
  };
  const texts: Record<string, Record<string, string>> = {};
  for (const language of Object.keys(catalogues)) {
    const own = keys.filter((key) => said(language, key) !== said("en", key));
    if (own.length === 0) continue;
    texts[language] = Object.fromEntries(own.map((key) => [key, said(language, key)]));
  }
  return {
    page: html.replace(SAID, (_all, tag: string, key: string) => `${tag}${said("en", key)}`),
    texts,
  };
}

async function compiled(file: string, define: Record<string, string> = {}): Promise<string> {
  const result = await build({
    entryPoints: [`${FOLDER}${file}`],
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    target: "es2020",
    alias: { "@": SOURCE },
    define,
    logLevel: "silent",
    tsconfigRaw: {},
  });
  const { code: text = "" } = await minify(result.outputFiles[0]?.text ?? "", {
    ecma: 2020,
    compress: { passes: 3 },
  });
  if (text.length > MOST) throw new Error(`${file} takes ${text.length} bytes of index.html`);
  // The text must not end the element it stands in.
  return text.trim().replaceAll("</script", "<\\/script");
}

async function smallCss(): Promise<string> {
  const sheets = ["tokens.css", "shell.css", "grid.css"].map((file) =>
    readFile(`${FOLDER}${file}`, "utf8"),
  );
  const result = await build({
    stdin: { contents: (await Promise.all(sheets)).join(""), loader: "css" },
    minify: true,
    write: false,
    logLevel: "silent",
  });
  return (result.outputFiles[0]?.text ?? "").trim();
}

const CARD = (shape: string) =>
  `<div><span class="shell-picture ${shape}"></span><span class="shell-title"><span class="shell-line"></span></span><div class="shell-meta"><span class="shell-face"></span><div class="shell-words"><span class="shell-line short"></span></div></div></div>`;
const LANE = (...shapes: string[]) =>
  `<div class="shell-lane">${shapes.map((shape) => CARD(`shell-${shape}`)).join("")}</div>`;
const SKELETON = `<div class="shell-skeleton" aria-hidden="true">${LANE("tall", "flat", "tall")}${LANE("flat", "tall", "even")}</div>`;

const STYLESHEET = /\s*<link rel="stylesheet"[^>]* href="([^"]+)">/;
const PROGRAM = /<script type="module"[^>]* src="([^"]+)"><\/script>/;
const PARTS = /\s*<link rel="modulepreload"[^>]* href="([^"]+)">/g;
const START = "<script>startProgram()</script>";

export function firstPaint(): Plugin[] {
  return [
    {
      name: "first-paint",
      transformIndexHtml: {
        order: "pre",
        handler: async (html) => {
          const { page, texts } = await sayShell(html);
          const [css, frame, paint] = await Promise.all([
            smallCss(),
            compiled("draw-frame.ts"),
            compiled("paint.ts", { SHELL_TEXTS: JSON.stringify(texts) }),
          ]);
          return page
            .replace("/* first-paint: shell */", () => css)
            .replace("/* first-paint: frame */", () => frame)
            .replace("/* first-paint: paint */", () => paint)
            .replace("<!-- first-paint: skeleton -->", () => SKELETON);
        },
      },
    },
    {
      name: "first-paint-order",
      apply: "build",
      transformIndexHtml: {
        order: "post",
        handler: (html) => {
          const [, styles] = STYLESHEET.exec(html) ?? [];
          const [tag, program] = html.match(PROGRAM) ?? [];
          if (tag === undefined || styles === undefined)
            throw new Error("index.html has no program to start, or no styles for it");
          const parts = [...html.matchAll(PARTS)].map(([, part]) => part);
          const addresses = [...parts, program].join(" ");
          return html
            .replace(STYLESHEET, "")
            .replace(PARTS, "")
            .replace(
              tag,
              () => `<meta name="program" content="${addresses}" data-styles="${styles}" />`,
            )
            .replace("</body>", () => `${START}\n  </body>`);
        },
      },
    },
  ];
}
