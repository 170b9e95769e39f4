/**
 * Part of `npm run check`: every text is in every catalogue, with the same placeholders and all the
 * plural forms of its language, and no component holds a text of its own.
 */
import { readdir, readFile } from "node:fs/promises";
import { build } from "esbuild";
import { parseSync } from "vite";
import { inRoot } from "./checkout.mjs";

/** @typedef {Map<string, string>} Catalogue texts by key */
/** @typedef {Record<string, Catalogue>} Catalogues by language */

const CATALOGUES = `
  import { en } from "@/i18n/en/first";
  import { enLater, LATER_GERMAN } from "@/i18n/en/later";
  import { enAdmin, ADMIN_GERMAN } from "@/i18n/en/admin";
  import { enNews } from "@/i18n/en/news";
  import { enExplore } from "@/i18n/en/explore";
  import { enOnline } from "@/i18n/en/online";
  import { enPush } from "@/i18n/en/push";
  import { enGbFirst } from "@/i18n/en-GB/first";
  import { enGbLater } from "@/i18n/en-GB/later";
  import { enGbAdmin } from "@/i18n/en-GB/admin";
  import { deFirst } from "@/i18n/de/first";
  import { deLater } from "@/i18n/de/later";
  import { deAdmin } from "@/i18n/de/admin";
  import { deNews } from "@/i18n/de/news";
  import { deExplore } from "@/i18n/de/explore";
  import { deOnline } from "@/i18n/de/online";
  import { dePush } from "@/i18n/de/push";
  const parts = [en, enLater, enAdmin, enNews, enExplore, enOnline, enPush];
  export const german = [...LATER_GERMAN, ...ADMIN_GERMAN];
  export const trees = {
    en: parts,
    "en-GB": [...parts, enGbFirst, enGbLater, enGbAdmin],
    de: [deFirst, deLater, deAdmin, deNews, deExplore, deOnline, dePush],
  };
`;

/** @param {object} tree @returns {[string, string][]} */
const leaves = (tree, prefix = "") =>
  Object.entries(tree).flatMap(([key, value]) =>
    typeof value === "string"
      ? [/** @type {[string, string]} */ ([prefix + key, value])]
      : leaves(value, `${prefix}${key}.`),
  );

/** @returns {Promise<{ catalogues: Catalogues, german: string[] }>} `german`: such keys of `en` */
export async function readCatalogues() {
  const { outputFiles } = await build({
    stdin: { contents: CATALOGUES, resolveDir: inRoot("src"), loader: "ts" },
    alias: { "@": inRoot("src") },
    bundle: true,
    write: false,
    format: "esm",
    logLevel: "silent",
    tsconfigRaw: {},
  });
  const code = outputFiles[0]?.text ?? "";
  const { trees, german } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  const entries = Object.entries(/** @type {Record<string, object[]>} */ (trees));
  const catalogues = entries.map(([language, parts]) => [
    language,
    new Map(parts.flatMap((part) => leaves(part))),
  ]);
  return { catalogues: Object.fromEntries(catalogues), german };
}

const FORM = /_(?:zero|one|two|few|many|other)$/;
const baseOf = (/** @type {string} */ key) => key.replace(FORM, "");

/** @param {string} text */
const placeholders = (text) =>
  [...new Set([...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name))].sort().join(", ");

/**
 * @param {Catalogue} texts @param {string} language @returns {Set<string>} the keys that have forms
 */
function pluralKeys(texts, language) {
  const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
  const counted = [...texts.keys()].filter((key) => key.endsWith("_other")).map(baseOf);
  return new Set(counted.flatMap((base) => forms.map((form) => `${base}_${form}`)));
}

/**
 * @param {Catalogues} catalogues @param {readonly string[]} german keys of German texts in `en`
 * @returns {string[]} a sentence for each fault
 */
export function compareCatalogues(catalogues, german) {
  const standard = catalogues["en"] ?? new Map();
  const faults = german
    .filter((key) => !standard.has(key))
    .map((key) => `"${key}" is listed as German, and is no key.`);
  for (const [language, texts] of Object.entries(catalogues)) {
    const plurals = pluralKeys(standard, language);
    const plain = [...standard.keys()].filter((key) => !plurals.has(key) && !FORM.test(key));
    const lacking = [...plain, ...plurals].filter((key) => !texts.get(key));
    faults.push(...lacking.map((key) => `${language} lacks "${key}".`));
    faults.push(...comparePlaceholders(standard, language, texts));
  }
  return faults;
}

/** @param {Catalogue} standard @param {string} language @param {Catalogue} texts */
function comparePlaceholders(standard, language, texts) {
  const wanted = new Map([...standard].map(([key, text]) => [baseOf(key), placeholders(text)]));
  return [...texts].flatMap(([key, text]) => {
    const [there, expected] = [placeholders(text), wanted.get(baseOf(key))];
    if (expected === undefined) return [`${language} has "${key}", which no other has.`];
    if (there === expected) return [];
    return [`${language} "${key}" has {{${there}}}, and en has {{${expected}}}.`];
  });
}

/** Attributes and properties of components whose texts are read or heard. */
const SAID =
  /^(?:aria-(?:label|description|roledescription|valuetext|placeholder)|title|alt|placeholder|label|hint|text|description|action|closeLabel|submit|question)$/;
const LETTERS = /\p{L}{2,}/u;

/** @typedef {{ type: string, start: number, [name: string]: unknown }} Node */

/** @param {unknown} value @returns {value is Node} */
const isNode = (value) =>
  typeof value === "object" &&
  value !== null &&
  typeof (/** @type {Node} */ (value).type) === "string";

/** @param {Node} node @returns {Node[]} */
const children = (node) => Object.values(node).flat().filter(isNode);

/**
 * The texts that an expression may give: its own, those of both branches, none of what it calls.
 * @param {unknown} node @returns {{ at: number, text: string }[]}
 */
function textsOf(node) {
  if (!isNode(node)) return [];
  switch (node.type) {
    case "JSXText":
    case "Literal": {
      const text = typeof node["value"] === "string" ? node["value"] : "";
      return [{ at: node.start, text }];
    }
    case "TemplateLiteral":
      return /** @type {Node[]} */ (node["quasis"]).map(({ start, value }) => ({
        at: start,
        text: /** @type {{ cooked: string }} */ (value).cooked,
      }));
    case "JSXExpressionContainer":
      return textsOf(node["expression"]);
    case "ConditionalExpression":
      return [...textsOf(node["consequent"]), ...textsOf(node["alternate"])];
    case "LogicalExpression":
    case "BinaryExpression":
      return node["operator"] === "===" || node["operator"] === "!=="
        ? []
        : [...textsOf(node["left"]), ...textsOf(node["right"])];
    default:
      return [];
  }
}

/** @param {Node} node @returns {{ at: number, text: string }[]} */
function saidBy(node) {
  if (node.type === "JSXElement" || node.type === "JSXFragment")
    return /** @type {Node[]} */ (node["children"]).flatMap(textsOf);
  if (node.type !== "JSXAttribute") return [];
  const { name } = /** @type {{ name: unknown }} */ (node["name"]);
  return typeof name === "string" && SAID.test(name) ? textsOf(node["value"]) : [];
}

/**
 * Texts in components, which no catalogue holds. Some components take a key as their text.
 * @param {ReadonlyMap<string, string>} files code by path
 * @param {{ has: (text: string) => boolean }} keys
 * @returns {string[]} a sentence for each
 */
export function findLiteralTexts(files, keys) {
  return [...files].flatMap(([name, code]) => {
    const { program } = parseSync(name, code);
    const faults = [];
    const open = [/** @type {Node} */ (/** @type {unknown} */ (program))];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      for (const { at, text } of saidBy(node)) {
        if (!LETTERS.test(text) || keys.has(text)) continue;
        const line = code.slice(0, at).split("\n").length;
        faults.push(`${name}:${line} says "${text.trim()}" itself: texts belong into src/i18n.`);
      }
      open.push(...children(node));
    }
    return faults;
  });
}

const FOLDERS = ["app", "features", "routes", "state", "ui", "i18n"];

/** @returns {Promise<string[]>} a sentence for each fault */
export async function checkTexts() {
  const { catalogues, german } = await readCatalogues();
  const files = new Map();
  for (const folder of FOLDERS) {
    for (const name of await readdir(inRoot(`src/${folder}`), { recursive: true })) {
      const path = `src/${folder}/${name}`;
      if (path.endsWith(".tsx")) files.set(path, await readFile(inRoot(path), "utf8"));
    }
  }
  return [
    ...compareCatalogues(catalogues, german),
    ...findLiteralTexts(files, catalogues["en"] ?? new Map()),
  ];
}
