/** What the server itself says, to readers whose choice it does not know: in the language that the operator has set. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { inRoot } from "@scripts/checkout.mjs";
import { type Mailbox, openMailbox, runSchedule, setMail } from "@tests/support/mailbox";
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

const PAGE = `<!doctype html><html lang="en"><head><title>Augenblick</title>
<meta name="description" content="Photos and videos, with you wherever you are." />
</head><body>Augenblick</body></html>`;

let server: PocketBase;
let superuser: SignedIn;
let ann: SignedIn;
let box: Mailbox;
let mediaId = "";

beforeAll(async () => {
  const publicDir = path.join(temporaryFolder(), "dist");
  mkdirSync(publicDir, { recursive: true });
  writeFileSync(path.join(publicDir, "index.html"), PAGE);
  const manifest = readFileSync(inRoot("public/manifest.webmanifest"));
  writeFileSync(path.join(publicDir, "manifest.webmanifest"), manifest);
  server = await startPocketBase({ publicDir });
  superuser = await createSuperuser(server);
  box = await openMailbox();
  await setMail(server, superuser, box.port);
  ann = await signUp(server, { username: "ann" });
  await runSchedule(server, superuser);
  const form = new FormData();
  const picture = new Blob([new Uint8Array(mediaFixture("photo.jpg"))], { type: "image/jpeg" });
  for (const [name, value] of Object.entries({ userId: ann.id, type: "photo", caption: "" }))
    form.set(name, value);
  form.set("file", picture, "photo.jpg");
  const made = await server.api("POST", "/api/collections/media/records", form, superuser.token);
  mediaId = made.body.id;
});
afterAll(async () => {
  await server?.stop();
  await box?.close();
});

const speak = async (defaultLanguage: string) => {
  const address = "/api/collections/settings/records/app";
  const { status } = await server.api("PATCH", address, { defaultLanguage }, superuser.token);
  expect(status).toBe(200);
};

const get = async (where: string) => (await fetch(server.url + where)).text();

test.each([
  ["", "en", "Photos and videos, with you wherever you are.", "Photo by ann"],
  ["en-GB", "en-GB", "Photos and videos, with you wherever you are.", "Photo by ann"],
  ["de", "de", "Fotos und Videos, überall dabei.", "Foto von ann"],
])(
  "the page, its previews and the manifest with the setting '%s'",
  async (set, lang, words, author) => {
    await speak(set);
    const page = await get("/");
    expect(page).toContain(`<html lang="${lang}">`);
    expect(page).toContain(`content="${words}"`);
    expect(await get("/nowhere")).toContain(`<html lang="${lang}">`);
    expect(await get(`/view/xq-${mediaId}`)).toContain(`property="og:title" content="${author}"`);
    const manifest = JSON.parse(await get("/manifest.webmanifest"));
    expect(manifest).toMatchObject({
      description: words,
      lang: set === "de" ? "de" : "en",
      shortcuts:
        set === "de"
          ? [
              { name: "Hochladen", url: "/upload" },
              { name: "Chats", url: "/chat" },
              { name: "Suche", url: "/?q=" },
              { name: "Noch nicht gesendet", url: "/outbox" },
            ]
          : [
              { name: "Upload", url: "/upload" },
              { name: "Chats", url: "/chat" },
              { name: "Search", url: "/?q=" },
              { name: "Waiting to be sent", url: "/outbox" },
            ],
    });
  },
);

test("a language that there is none of is refused, whoever sets it", async () => {
  const address = "/api/collections/settings/records/app";
  const answer = await server.api("PATCH", address, { defaultLanguage: "tlh" }, superuser.token);
  expect(answer).toMatchObject({ status: 400, body: { code: "invalid" } });
});

test("mails are in both languages, the community's first, there and back", async () => {
  // PocketBase sends one person no second link within two minutes.
  const mail = async ({ email }: SignedIn) => {
    await server.api("POST", "/api/collections/users/request-password-reset", { email });
    return box.arrived(email);
  };
  await box.arrived(ann.email);
  const ben = await signUp(server, { username: "ben" });
  await speak("de");
  const german = await mail(ann);
  expect(german.subject).toMatch(/^Ein neues Passwort \/ A new password for Augenblick$/);
  expect(german.html).toMatch(/Hallo ann,[\s\S]*<div lang="en">[\s\S]*Hello ann,/);
  expect(german.html).not.toContain('<div lang="de">');
  await speak("en");
  const english = await mail(ben);
  expect(english.subject).toMatch(/^A new password for Augenblick \/ Ein neues Passwort$/);
  expect(english.html).toMatch(/Hello ben,[\s\S]*<div lang="de">[\s\S]*Hallo ben,/);
});

test("what the server says on its own begins in the community's language too", async () => {
  await speak("de");
  const email = `${ann.record.id}@example.com`;
  const body = { email, password: ann.password };
  await server.api("POST", "/api/account/email", body, ann.token);
  await runSchedule(server, superuser);
  const notice = await box.arrived(ann.email);
  expect(notice.subject).toBe(
    "Ihre Adresse wurde geändert / Your address for Augenblick was changed",
  );
  expect(notice.html).toMatch(/^\s*<p>Hallo ann,[\s\S]*<div lang="en">[\s\S]*Hello ann,/);
});
