/**
 * Vite plugin: puts the first paint into index.html itself (src/app/first-paint): the shell's CSS,
 * the two scripts, the skeleton. The app's own stylesheet moves to the end of the page, where it
 * holds back the program but not the shell, and the program is started by the first paint
 * (src/app/first-paint/paint.ts).
 */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { Plugin } from "vite";

const FOLDER = fileURLToPath(new URL("../src/app/first-paint/", import.meta.url));
const SOURCE = fileURLToPath(new URL("../src", import.meta.url));

async function compiled(file: string): Promise<string> {
  const result = await build({
    entryPoints: [`${FOLDER}${file}`],
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    target: "es2020",
    alias: { "@": SOURCE },
    logLevel: "silent",
    tsconfigRaw: {},
  });
  // The text must not end the element it stands in.
  return (result.outputFiles[0]?.text ?? "").trim().replaceAll("</script", "<\\/script");
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

const STYLESHEETS = /\s*<link rel="stylesheet"[^>]*>/g;
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
          const [css, early, paint] = await Promise.all([
            smallCss(),
            compiled("early.ts"),
            compiled("paint.ts"),
          ]);
          return html
            .replace("/* first-paint: shell */", () => css)
            .replace("/* first-paint: early */", () => early)
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
          const links = html.match(STYLESHEETS) ?? [];
          const [tag, program] = html.match(PROGRAM) ?? [];
          if (tag === undefined) throw new Error("index.html has no program to start");
          const parts = [...html.matchAll(PARTS)].map(([, part]) => part);
          const addresses = [...parts, program].join(" ");
          return html
            .replace(STYLESHEETS, "")
            .replace(PARTS, "")
            .replace(tag, () => `<meta name="program" content="${addresses}" />`)
            .replace("</body>", () => `${links.join("")}\n    ${START}\n  </body>`);
        },
      },
    },
  ];
}
