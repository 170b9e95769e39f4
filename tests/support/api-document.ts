/** docs/openapi.yaml, and whether what the server answers is what it says. */
import { readFileSync } from "node:fs";
import { runInNewContext } from "node:vm";
import { inRoot } from "@scripts/checkout.mjs";
import type { Answer, PocketBase, SignedIn } from "@tests/support/pocketbase";
import Ajv2020 from "ajv/dist/2020";
import { expect } from "vitest";
import { parse } from "yaml";

type Schema = Record<string, unknown>;
interface Content {
  content?: Record<string, { schema?: Schema }>;
}
interface Operation {
  tags: string[];
  requestBody?: Content;
  responses: Record<string, Content & { $ref?: string }>;
}

export const apiText = readFileSync(inRoot("docs/openapi.yaml"), "utf8");
export const apiDocument: {
  paths: Record<string, Record<string, Operation>>;
  components: { responses: Record<string, Content> };
} = parse(apiText);
const ajv = new Ajv2020({ strict: false, allErrors: true });
ajv.addSchema(apiDocument, "api");

const PLACE = "#/components/responses/";
const responseOf = (operation: string, status: number): Content | undefined => {
  const [method = "", path = ""] = operation.split(" ");
  const response = apiDocument.paths[path]?.[method.toLowerCase()]?.responses[status];
  const name = response?.$ref?.replace(PLACE, "");
  return name === undefined ? response : apiDocument.components.responses[name];
};

/** References in it are into the document. */
function faultsOf(schema: Schema | undefined, value: unknown): unknown {
  const absolute = JSON.stringify(schema ?? {}).replaceAll('"#/', '"api#/');
  const isRight = ajv.compile(JSON.parse(absolute));
  return isRight(value) ? [] : isRight.errors;
}

export function formOf(fields: Record<string, string | Uint8Array>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === "string") form.set(name, value);
    else form.set(name, new Blob([value as BlobPart]), name);
  }
  return form;
}

export interface Asked {
  path?: Record<string, string>;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  /** JSON, a form, or bytes. */
  body?: object;
  as?: SignedIn | string;
}

/** What succeeds is asked as the document says. */
function expectDocumented(operation: string, body: object): void {
  const [method = "", path = ""] = operation.split(" ");
  const content = apiDocument.paths[path]?.[method.toLowerCase()]?.requestBody?.content;
  const type = body instanceof FormData ? "multipart/form-data" : "application/json";
  if (body instanceof Uint8Array) return;
  const fields = body instanceof FormData ? Object.fromEntries(body) : body;
  expect([operation, faultsOf(content?.[type]?.schema, fields)]).toEqual([operation, []]);
}

async function answerTo(server: PocketBase, operation: string, asked: Asked): Promise<Answer> {
  const [method = "", template = ""] = operation.split(" ");
  const path = template.replace(/\{(\w+)\}/g, (_all, name: string) => asked.path?.[name] ?? name);
  const query = asked.query ? `?${new URLSearchParams(asked.query)}` : "";
  const { body, as } = asked;
  const headers = new Headers(asked.headers);
  if (as !== undefined) headers.set("authorization", typeof as === "string" ? as : as.token);
  const init: RequestInit = { method, headers };
  if (body instanceof FormData || body instanceof Uint8Array) init.body = body as BodyInit;
  else if (body !== undefined) {
    headers.set("content-type", "application/json");
    init.body = JSON.stringify(body);
  }
  const answer = await fetch(`${server.url}${path}${query}`, init);
  const words = await answer.text();
  const isJson = answer.headers.get("content-type")?.startsWith("application/json");
  const given = isJson && words !== "" ? JSON.parse(words) : words;
  return { status: answer.status, headers: answer.headers, body: given };
}

/** Asks a server, and expects what the document says of each answer. */
export function meeting(server: () => PocketBase) {
  /** "GET /api/sync 200": what was met. */
  const met = new Set<string>();
  async function meet(operation: string, status: number, asked: Asked = {}): Promise<Answer> {
    const answer = await answerTo(server(), operation, asked);
    expect({ operation, ...answer }).toMatchObject({ operation, status });
    const response = responseOf(operation, status);
    expect([operation, status, response]).not.toContain(undefined);
    const schema = response?.content?.["application/json"]?.schema;
    if (schema === undefined)
      expect([operation, typeof answer.body]).toEqual([operation, "string"]);
    else
      expect([operation, status, faultsOf(schema, answer.body)]).toEqual([operation, status, []]);
    if (status < 300 && asked.body !== undefined) expectDocumented(operation, asked.body);
    met.add(`${operation} ${status}`);
    return answer;
  }
  return { met, meet };
}

/** "GET /api/sync 200": what is documented under these tags. */
export const documentedAnswers = (isOurs: (tag: string) => boolean): string[] =>
  Object.entries(apiDocument.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { tags, responses }]) =>
      tags.some(isOurs)
        ? Object.keys(responses).map((status) => `${method.toUpperCase()} ${path} ${status}`)
        : [],
    ),
  );

/** What hooks.pb.js adds. The app's pages, what only the dashboard asks, and the second step of signing in, which is PocketBase's, are no part of it. */
export function ownRoutes(): string[] {
  const found: string[] = [];
  const nothing = () => () => {};
  const source = readFileSync(inRoot("pb_hooks/hooks.pb.js"), "utf8");
  const names = [...source.matchAll(/^\s*(on[A-Z]\w+|cronAdd|routerUse)\(/gm)].map(
    (found) => found[1],
  );
  runInNewContext(source, {
    ...Object.fromEntries(names.map((name) => [name, nothing])),
    $apis: { bodyLimit: nothing, gzip: nothing },
    Middleware: class {},
    routerAdd: (method: string, path: string) => found.push(`${method} ${path}`),
  });
  return found.filter((route) => !/^GET \/\{path|\/truncate$|\/auth-with-otp$/.test(route));
}
