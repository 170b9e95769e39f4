/** What those read who do not run the app: crawlers, chats that show a link, search engines. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { mediaFixture } from "@tests/support/media-fixtures";
import {
  createSuperuser,
  type PocketBase,
  type SignedIn,
  signUp,
  startPocketBase,
  temporaryFolder,
} from "@tests/support/pocketbase";
import { afterAll, beforeAll, expect, test } from "vitest";

const SCRIPT = "document.title;";
const PAGE = `<!doctype html><html><head><title>Augenblick</title>
<meta name="description" content="Photos and videos." />
<script>${SCRIPT}</script></head><body>Augenblick</body></html>`;

let server: PocketBase;
let superuser: SignedIn;
let owner: SignedIn;
let policy: string | null;

beforeAll(async () => {
  const publicDir = path.join(temporaryFolder(), "dist");
  mkdirSync(publicDir, { recursive: true });
  writeFileSync(path.join(publicDir, "index.html"), PAGE);
  server = await startPocketBase({ publicDir });
  superuser = await createSuperuser(server);
  owner = await signUp(server, { username: "ada.l" });
  policy = (await fetch(server.url)).headers.get("content-security-policy");
});
afterAll(() => server?.stop());

async function publish(fields: Record<string, string>, preview = true) {
  const form = new FormData();
  const picture = new Blob([mediaFixture("photo.jpg")], { type: "image/jpeg" });
  form.set("userId", owner.id);
  form.set("username", "ada.l");
  form.set("type", "photo");
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set("file", picture, "photo.jpg");
  if (preview) form.set("preview", picture, "preview.jpg");
  const address = "/api/collections/media/records";
  const { status, body } = await server.api("POST", address, form, superuser.token);
  expect(status).toBe(200);
  return body as { id: string; file: string; preview: string };
}

/** The page at `where`, and what its meta elements say, unescaped. */
async function read(where: string, headers: Record<string, string> = {}) {
  const answer = await fetch(server.url + where, { headers });
  const text = await answer.text();
  const plain = (value: string) =>
    value
      .replaceAll("&lt;", "<")
      .replaceAll("&gt;", ">")
      .replaceAll("&quot;", '"')
      .replaceAll("&#39;", "'")
      .replaceAll("&amp;", "&");
  const metas = [...text.matchAll(/<meta (?:name|property)="([^"]+)" content="([^"]*)"/g)];
  const said = Object.fromEntries(metas.map(([, key = "", value = ""]) => [key, plain(value)]));
  const title = plain(/<title>([^<]*)</.exec(text)?.[1] ?? "");
  return { answer, text, said, title };
}

test("a photo tells its caption, its owner and its picture, all by whole addresses", async () => {
  const { id, preview } = await publish({ caption: "Kühle  Luft\nam See", alt: "A lake at dawn" });
  const { said, title, text, answer } = await read(`/view/anything-${id}`);
  expect(answer.status).toBe(200);
  expect(title).toBe("Kühle Luft am See · Augenblick");
  const address = `${server.url}/view/kuehle-luft-am-see-${id}`;
  expect(said).toMatchObject({
    description: "Photo by ada.l: Kühle Luft am See",
    "og:title": "Kühle Luft am See",
    "og:description": "Photo by ada.l: Kühle Luft am See",
    "og:type": "article",
    "og:site_name": "Augenblick",
    "og:url": address,
    "og:image": `${server.url}/api/files/media/${id}/${preview}`,
    "og:image:alt": "A lake at dawn",
    "twitter:card": "summary_large_image",
  });
  expect(text).toContain(`<link rel="canonical" href="${address}" />`);
  expect((await fetch(said["og:image"] ?? "")).status).toBe(200);
});

test("a video tells its file besides, and without a picture names none", async () => {
  const { id, file } = await publish(
    { caption: "", type: "video", contentType: "video/mp4" },
    false,
  );
  const { said, title } = await read(`/view/${id}`);
  expect(title).toBe("Video by ada.l · Augenblick");
  expect(said).toMatchObject({
    "og:type": "video.other",
    "og:video": `${server.url}/api/files/media/${id}/${file}`,
    "og:video:type": "video/mp4",
  });
  expect(said).not.toHaveProperty("og:image");
});

test("no caption breaks out of the page, and the policy of the page still fits", async () => {
  const caption = `"><script>alert(1)</script></title></head> $& $1 'x' <!--`;
  const { id } = await publish({ caption, alt: `"/><img src=x onerror=alert(1)>` });
  const { text, title, answer } = await read(`/view/${id}`);
  expect(title).toBe(`${caption} · Augenblick`);
  expect(text.match(/<script/g)).toHaveLength(1);
  expect(text).toContain(`<script>${SCRIPT}</script>`);
  expect(text).not.toMatch(/<img|<!--/);
  expect(text.match(/<\/head>/g)).toHaveLength(1);
  expect(answer.headers.get("content-security-policy")).toBe(policy);
});

test("the addresses are those by which the server was called, with the TLS that a proxy ended", async () => {
  const { id } = await publish({ caption: "Proxy" });
  const secure = await read(`/view/${id}`, { "x-forwarded-proto": "https" });
  expect(secure.said["og:url"]).toBe(`${server.url.replace("http:", "https:")}/view/proxy-${id}`);
});

test("what is not there, every other page and the page that is kept have none of it", async () => {
  const { id } = await publish({ caption: "Gone soon" });
  expect((await read(`/view/${id}`)).text).toContain("og:title");
  await server.api("DELETE", `/api/collections/media/records/${id}`, undefined, superuser.token);
  for (const where of [`/view/${id}`, "/view/nothing", "/", "/index.html", "/user/ada.l"]) {
    expect((await read(where)).text).toBe(PAGE);
  }
});

test("the page of a medium or a person that does not exist is the app, with status 404", async () => {
  const { id } = await publish({ caption: "Here" });
  const statusOf = async (where: string) => (await fetch(server.url + where)).status;
  for (const where of [`/view/here-${id}`, `/view/${id}`, "/user/ada.l", "/user/ADA.L"]) {
    expect([where, await statusOf(where)]).toEqual([where, 200]);
  }
  await server.api("DELETE", `/api/collections/media/records/${id}`, undefined, superuser.token);
  for (const where of [`/view/here-${id}`, "/view/nothing", "/user/nobody", "/user/%C3%BC%27"]) {
    expect([where, await statusOf(where)]).toEqual([where, 404]);
    expect((await read(where)).text).toBe(PAGE);
  }
});

test("a changed caption is a changed page, also for who kept the last one", async () => {
  const { id } = await publish({ caption: "Before" });
  const etag = (await read(`/view/${id}`)).answer.headers.get("etag") ?? "";
  expect((await read(`/view/${id}`, { "if-none-match": etag })).answer.status).toBe(304);
  const address = `/api/collections/media/records/${id}`;
  await server.api("PATCH", address, { caption: "After" }, superuser.token);
  const { said } = await read(`/view/${id}`, { "if-none-match": etag });
  expect(said["og:title"]).toBe("After");
});
