/**
 * Every screen in both themes on a phone and on a desktop: axe finds nothing, nothing scrolls sideways, no policy is broken.
 */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { type App, openProfile, type Profile, startApp } from "@tests/support/browser";
import { drawPhoto } from "@tests/support/draw-photo";
import { goOn } from "@tests/support/go-on";
import { lookInAllSizes } from "@tests/support/look-at-page";
import { createSuperuser, RATES } from "@tests/support/pocketbase";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { signAdaUp } from "./pages/ada";
import { GalleryPage } from "./pages/gallery-page";
import { LoginPage } from "./pages/login-page";
import { SignupPage } from "./pages/signup-page";
import { photoFile, UploadPage } from "./pages/upload-page";

const CLIP = fileURLToPath(new URL("../support/fixtures/clip.mp4", import.meta.url));
let app: App;
let visitor: Profile;
let member: Profile;
/** A member whose upload was refused. */
let waiting: Profile;
let slug = "";

beforeAll(async () => {
  app = await startApp();
  [visitor, member] = [await openProfile(), await openProfile()];
  waiting = await openProfile();
  const { page } = member;
  await signAdaUp(app, page);
  const upload = new UploadPage(page);
  await upload.open(app.url);
  const files = [
    photoFile("photo-20.jpg", await drawPhoto(visitor.context, 20)),
    photoFile("photo-200.jpg", await drawPhoto(visitor.context, 200, { width: 600, height: 800 })),
    photoFile("photo-300.jpg", await drawPhoto(visitor.context, 300, { width: 800, height: 800 })),
  ];
  for (const one of [visitor, member, waiting])
    one.page.on("dialog", (dialog) => void dialog.accept());
  await upload.upload(
    [...files, { name: "clip.mp4", mimeType: "video/mp4", buffer: await readFile(CLIP) }],
    {
      caption: "Evening by the sea",
      tags: "sea, Küste, 🌊",
    },
  );
  await page.getByText("Upload successful!").first().waitFor();
  const gallery = new GalleryPage(page);
  await gallery.cards.nth(3).waitFor();
  await refuseAnUpload();
  slug = (await page.getByTestId("open-media").first().getAttribute("href")) ?? "";
});

afterAll(async () => {
  await Promise.allSettled([visitor?.close(), member?.close(), waiting?.close()]);
  await app?.stop();
});

/** An upload of a second person's that the server has no room for. */
async function refuseAnUpload(): Promise<void> {
  const { page } = waiting;
  const { token } = await createSuperuser(app);
  const address = "/api/collections/settings/records/app";
  const limit = (limits: object) =>
    app.api("PATCH", address, { limits: { ...RATES, ...limits } }, token);
  const signup = new SignupPage(page);
  await signup.open(app.url);
  await signup.signUp({
    email: "grace@example.com",
    username: "grace",
    password: "Kirschkuchen-7",
  });
  const upload = new UploadPage(page);
  await upload.open(app.url);
  await limit({ minFreeDiskBytes: Number.MAX_SAFE_INTEGER });
  const file = photoFile("photo-40.jpg", await drawPhoto(visitor.context, 40));
  await upload.upload([file], { caption: "A long walk along the harbour, in the rain" });
  await upload.error("photo-40.jpg").waitFor();
  await limit({});
}

interface Screen {
  name: string;
  who: "visitor" | "member" | "waiting";
  /** Opens it; the page is the person's own. */
  open: (page: Page) => Promise<void>;
  /** Selector of what lies over the page; the page behind is then hidden from assistive technology, and is not looked at. */
  over?: string;
}

const goto = (where: string, testId: string) => async (page: Page) => {
  await goOn(page, `${app.url}${where}`);
  await page.getByTestId(testId).first().waitFor();
};

const SCREENS: Screen[] = [
  { name: "gallery", who: "visitor", open: goto("/", "media-card") },
  { name: "login", who: "visitor", open: goto("/login", "login-form") },
  {
    name: "login-errors",
    who: "visitor",
    open: async (page) => {
      const login = new LoginPage(page);
      await login.open(app.url);
      await login.signIn("nobody@example.com", "whatever-7");
      await page.getByText("No account found with this email address").waitFor();
    },
  },
  {
    name: "signup-errors",
    who: "visitor",
    open: async (page) => {
      const signup = new SignupPage(page);
      await signup.open(app.url);
      await signup.fill({ email: "ada", username: "ADA.L", password: "kirschen" });
      await page.getByText("This username is already taken").waitFor();
      await signup.terms.uncheck();
      await signup.submit.click();
      await page.getByText("Schwaches Passwort.").waitFor();
    },
  },
  { name: "upload-signed-out", who: "visitor", open: goto("/upload", "sign-in-required") },
  { name: "terms", who: "visitor", open: goto("/terms", "legal-terms") },
  { name: "privacy", who: "visitor", open: goto("/privacy", "legal-privacy") },
  { name: "not-found", who: "visitor", open: goto("/nowhere", "not-found") },
  {
    name: "detail",
    who: "visitor",
    open: async (page) => goto(slug, "media-detail")(page),
  },
  { name: "outbox", who: "waiting", open: goto("/outbox", "intent-reason") },
  {
    name: "outbox-discard",
    who: "waiting",
    over: '[role="alertdialog"]',
    open: async (page) => {
      await goto("/outbox", "intent-reason")(page);
      await page.getByTestId("discard-intent").click();
      await page.getByTestId("confirm").waitFor();
    },
  },
  { name: "outbox-empty", who: "member", open: goto("/outbox", "outbox-empty") },
  { name: "gallery-member", who: "member", open: goto("/", "media-card") },
  {
    name: "profile-menu",
    who: "member",
    over: '[role="menu"]',
    open: async (page) => {
      await goto("/", "media-card")(page);
      await page.getByTestId("profile-menu").click();
      await page.getByTestId("logout").waitFor();
    },
  },
  {
    name: "upload",
    who: "member",
    open: async (page) => {
      const upload = new UploadPage(page);
      await upload.open(app.url);
      await upload.input.setInputFiles([
        photoFile("photo-90.jpg", await drawPhoto(visitor.context, 90)),
        { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("not a picture") },
        { name: "empty.jpg", mimeType: "image/jpeg", buffer: Buffer.alloc(0) },
      ]);
      await upload.error("empty.jpg").waitFor();
    },
  },
  {
    name: "delete-dialog",
    who: "member",
    over: '[role="alertdialog"]',
    open: async (page) => {
      await goto(slug, "media-detail")(page);
      await page.getByTestId("media-menu").click();
      await page.getByTestId("delete-media").click();
      await page.getByText(/^Really delete (photo|video)\?$/).waitFor();
    },
  },
];

const pageOf = (who: Screen["who"]): Profile => ({ visitor, member, waiting })[who];

test("every screen is fit to be shown on a phone and on a desktop, in both themes", async () => {
  const broken: string[] = [];
  for (const { name, who, open, over } of SCREENS) {
    const { page } = pageOf(who);
    page.removeAllListeners("console");
    page.on("console", (message) => {
      if (message.text().includes("Content Security Policy"))
        broken.push(`${name}: ${message.text()}`);
    });
    broken.push(...(await lookInAllSizes(page, { name, over, open })));
  }
  expect(broken).toEqual([]);
  expect([...visitor.errors, ...member.errors, ...waiting.errors]).toEqual([]);
});
