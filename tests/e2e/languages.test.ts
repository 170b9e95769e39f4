/**
 * One language at a time: a reader of "English (all)" and one of "Deutsch" go through every route and dialog, and every text on
 * the way is one of their catalogue's. What people wrote has no words of any language here.
 */

import { type AdminStage, setAdminStage } from "@tests/support/admin-stage";
import { describePage, openProfile, type Profile } from "@tests/support/browser";
import { CatalogueReader, textsOnPage } from "@tests/support/catalogue-reader";
import { drawPhoto } from "@tests/support/draw-photo";
import { goOn } from "@tests/support/go-on";
import { noisePng } from "@tests/support/noise-png";
import { type SignedIn, signUp } from "@tests/support/pocketbase";
import { IS_THOROUGH } from "@tests/support/thorough";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { LANGUAGE_NAMES } from "@/domain/languages";
import { ChatPage } from "./pages/chat-page";
import { GalleryPage } from "./pages/gallery-page";
import { LoginPage } from "./pages/login-page";
import { SignupPage } from "./pages/signup-page";
import { photoFile, UploadPage } from "./pages/upload-page";

const READERS = ["en-GB", "de"] as const;
type Reader = (typeof READERS)[number];
/** German shares no word with the language of the program. */
const MEMBERS: readonly Reader[] = IS_THOROUGH ? READERS : ["de"];

/** What people wrote. */
const CAPTION = "Xq 1";
const OWN_CAPTION = "Xq 2";
const COMMENT = "Xq 3";
const MESSAGE = "Xq 4";
const REASON = "Xq 5";
const QUEUED = "Xq 6";
const LEGAL = "Xq 7";
const BIO = "Xq 8";

let stage: AdminStage;
let dora: SignedIn;
let photo: Buffer;
let mediaId = "";
let blocked = "";
let ownMedia = "";
let ownFilm = "";
let ownPost = "";
let conversation = "";

beforeAll(async () => {
  stage = await setAdminStage();
  const { ann, ben, admin } = stage;
  dora = await signUp(stage.app, { username: "dora" });
  const drawer = await openProfile();
  photo = await drawPhoto(drawer.context, 30);
  await drawer.close();
  mediaId = await stage.media(ben, CAPTION, photo);
  ownMedia = await stage.media(admin, OWN_CAPTION, photo);
  ownFilm = await stage.media(admin, OWN_CAPTION, photo);
  const inPost = (postIndex: string) =>
    stage.media(admin, OWN_CAPTION, photo, { post: "post00000000000", postIndex });
  ownPost = await inPost("0");
  await inPost("1");
  await stage.media(ann, "", photo);
  await stage.make("comments", { mediaId, userId: ann.id, text: COMMENT }, ann);
  await stage.make("comments", { mediaId: ownMedia, userId: ann.id, text: COMMENT }, ann);
  for (const who of [ann, admin])
    await stage.make("reports", { mediaId, userId: who.id, reason: REASON }, who);
  conversation = await stage.chat(
    [
      [ben, MESSAGE],
      [admin, MESSAGE],
    ],
    admin,
    ben,
  );
  await stage.photo(ben, conversation, photo);
  const other = await stage.chat([[dora, MESSAGE]], dora, admin);
  blocked = other;
  const last = await stage.make(
    "messages",
    { conversationId: other, senderId: dora.id, message: MESSAGE },
    dora,
  );
  await stage.change("messages", last, { deleted: true }, dora);
  await stage.chat([], dora, ben);
  await stage.make(
    "blocks",
    { id: `${admin.id}_${dora.id}`, blockerId: admin.id, blockedId: dora.id },
    admin,
  );
  await stage.change("settings", "terms", { content: `<p>${LEGAL}</p>` }, admin);
  await stage.change("users", ann.id, { chatDisabled: true }, admin);
});

afterAll(async () => {
  await stage?.app.stop();
});

interface Stop {
  name: string;
  /** Opens it, and resolves when all of it is there. */
  open: (page: Page) => Promise<void>;
}

const goto =
  (where: () => string, ...testIds: string[]) =>
  async (page: Page) => {
    await goOn(page, `${stage.app.url}${where()}`);
    for (const id of testIds) await page.getByTestId(id).first().waitFor();
  };

const press = async (page: Page, ...testIds: string[]) => {
  for (const id of testIds) await page.getByTestId(id).first().click();
};

const overlay = (page: Page) =>
  page.locator('[role="dialog"], [role="alertdialog"], [role="menu"]').first().waitFor();

/** A stop where something is pressed first. */
const pressed =
  (open: Stop["open"], ...testIds: string[]): Stop["open"] =>
  async (page) => {
    await open(page);
    await press(page, ...testIds);
    await overlay(page);
  };

/** Longer than a caption or a description may be. */
const LONG = "x".repeat(2201);
const view = goto(() => `/view/xq-${mediaId}`, "media-detail", "comment");
const ownView = goto(() => `/view/xq-${ownMedia}`, "media-detail", "comment");
const postView = goto(() => `/view/xq-${ownPost}`, "media-detail", "post-strip");
const settings = goto(
  () => "/profile?tab=settings",
  "delete-account",
  "server-storage",
  "sessions",
);
const inChat = goto(() => `/chat/${conversation}`, "message");
const panel = (query: string, ...testIds: string[]) => goto(() => `/admin${query}`, ...testIds);

const VISITOR: Stop[] = [
  { name: "gallery", open: goto(() => "/", "media-card", "footer-language") },
  {
    name: "search",
    open: async (page) => {
      await goto(() => "/", "media-card")(page);
      await page.getByTestId("search").fill("ben");
      await page.getByTestId("search-person").first().waitFor();
    },
  },
  {
    name: "search for nothing",
    open: async (page) => {
      await goto(() => "/", "media-card")(page);
      await press(page, "filter-videos");
      await page.getByTestId("search").fill("zzzzzz");
      await page.getByTestId("search-nothing").waitFor();
    },
  },
  { name: "empty filter", open: pressedFilter("filter-videos", "gallery-empty") },
  { name: "detail", open: goto(() => `/view/xq-${mediaId}`, "media-detail", "comment") },
  { name: "user", open: goto(() => "/user/ben", "profile-header", "media-card") },
  {
    name: "user's followers",
    open: pressed(
      goto(() => "/user/ben", "media-card"),
      "count-followers",
    ),
  },
  { name: "login", open: goto(() => "/login", "login-form") },
  {
    name: "login, nothing typed",
    open: async (page) => {
      await goto(() => "/login", "login-form")(page);
      await press(page, "submit-login");
      await page.locator('[aria-invalid="true"]').first().waitFor();
    },
  },
  {
    name: "login, unknown",
    open: async (page) => {
      const login = new LoginPage(page);
      await login.open(stage.app.url);
      await login.signIn("nobody@example.com", "whatever-7");
      await page.locator('[aria-invalid="true"]').first().waitFor();
    },
  },
  {
    name: "login, wrong password",
    open: async (page) => {
      const login = new LoginPage(page);
      await login.open(stage.app.url);
      await login.signIn(stage.ann.email, "whatever-7");
      await page.locator('[aria-invalid="true"]').first().waitFor();
    },
  },
  {
    name: "signup, faults",
    open: async (page) => {
      const signup = new SignupPage(page);
      await signup.open(stage.app.url);
      await signup.email.fill("x");
      await signup.username.fill("ben");
      await signup.password.fill("kirschen");
      await signup.submit.click();
      await expect.poll(() => page.locator('[aria-invalid="true"]').count()).toBeGreaterThan(2);
    },
  },
  {
    name: "signup, taken address",
    open: async (page) => {
      const signup = new SignupPage(page);
      await signup.open(stage.app.url);
      await signup.fill({
        email: stage.ann.email,
        username: "fresh.one",
        password: "Kirschkuchen-7",
      });
      await signup.submit.click();
      await page.locator('[aria-invalid="true"]').first().waitFor();
    },
  },
  { name: "forgotten password", open: goto(() => "/forgot-password", "no-mail") },
  { name: "reset password", open: goto(() => "/reset-password#x.y.z", "reset-form") },
  { name: "reset password, dead link", open: goto(() => "/reset-password", "dead-link") },
  { name: "verify", open: goto(() => "/verify#x.y.z", "dead-link") },
  { name: "upload, signed out", open: goto(() => "/upload", "sign-in-required") },
  { name: "profile, signed out", open: goto(() => "/profile", "login-form") },
  { name: "terms", open: goto(() => "/terms", "legal-terms") },
  { name: "privacy", open: goto(() => "/privacy", "legal-privacy") },
  { name: "not found", open: goto(() => "/xq", "not-found") },
  { name: "outbox", open: goto(() => "/outbox", "outbox-empty") },
  { name: "on this device", open: goto(() => "/device", "nothing-kept") },
];

function pressedFilter(testId: string, there: string): Stop["open"] {
  return async (page) => {
    // What was chosen before is chosen still.
    await goto(() => "/", "filter-all")(page);
    await press(page, "filter-all");
    await page.getByTestId("media-card").first().waitFor();
    await press(page, testId);
    await page.getByTestId(there).waitFor();
  };
}

const MEMBER: Stop[] = [
  {
    name: "gallery, of those one follows",
    open: async (page) => {
      await goto(() => "/", "media-card", "profile-menu")(page);
      await new GalleryPage(page).sort("following");
      await page.getByTestId("gallery-empty").or(page.getByTestId("media-card")).first().waitFor();
    },
  },
  {
    name: "gallery",
    open: async (page) => {
      await goto(() => "/", "profile-menu")(page);
      // What was chosen before is chosen still.
      await new GalleryPage(page).sort("latest");
      await page.getByTestId("media-card").first().waitFor();
    },
  },
  {
    name: "account menu",
    open: pressed(
      goto(() => "/", "media-card"),
      "profile-menu",
    ),
  },
  {
    name: "upload",
    open: async (page) => {
      const upload = new UploadPage(page);
      await upload.open(stage.app.url);
      await upload.input.setInputFiles([
        photoFile("xq1.jpg", photo),
        photoFile("xq1.jpg", photo),
        { name: "xq2.txt", mimeType: "text/plain", buffer: Buffer.from("x") },
        { name: "xq3.jpg", mimeType: "image/jpeg", buffer: Buffer.alloc(0) },
        { name: "xq4.avi", mimeType: "video/avi", buffer: Buffer.from("RIFF????AVI LIST") },
        { name: "xq5.raf", mimeType: "", buffer: Buffer.from("FUJIFILMCCD-RAW 0201") },
      ]);
      await upload.error("xq3.jpg").waitFor();
      await upload.submit.click();
      await page.getByRole("alert").first().waitFor();
    },
  },
  {
    name: "upload, each with its own texts",
    open: async (page) => {
      const upload = new UploadPage(page);
      await upload.open(stage.app.url);
      await upload.input.setInputFiles([photoFile("xq1.jpg", photo), photoFile("xq3.jpg", photo)]);
      await upload.sameForAll.click();
      await upload.field("xq3.jpg", "caption").fill(LONG);
      await upload.field("xq3.jpg", "alt").fill(LONG);
      await upload.submit.click();
      await upload.entry("xq3.jpg").getByRole("alert").first().waitFor();
    },
  },
  {
    name: "upload, too large",
    open: async (page) => {
      const upload = new UploadPage(page);
      await upload.open(stage.app.url);
      const buffer = noisePng(1_400, 1_300);
      const some = ["xq1.png", "xq2.png"].map((name) => ({ name, mimeType: "image/png", buffer }));
      await upload.input.setInputFiles(some);
      await page.getByTestId("shrink-all").waitFor();
    },
  },
  { name: "detail", open: view },
  { name: "detail, menu", open: pressed(view, "media-menu") },
  { name: "report", open: pressed(view, "media-menu", "report-media") },
  { name: "own detail, edit", open: pressed(ownView, "media-menu", "edit-media") },
  {
    name: "own film, edit",
    open: async (page) => {
      // Not before: visitors come first, and look for videos where there are none.
      await stage.change("media", ownFilm, { type: "video" }, stage.superuser);
      await pressed(
        goto(() => `/view/xq-${ownFilm}`, "media-detail"),
        "media-menu",
        "edit-media",
      )(page);
      const wrong = { name: "xq.txt", mimeType: "text/plain", buffer: Buffer.from("x") };
      await page.getByTestId("subtitles-input").setInputFiles(wrong);
      await page.getByRole("alert").filter({ hasText: /./ }).first().waitFor();
    },
  },
  { name: "own post, menu", open: pressed(postView, "media-menu") },
  { name: "own post, edit", open: pressed(postView, "media-menu", "edit-media") },
  { name: "own post, delete", open: pressed(postView, "media-menu", "delete-post") },
  { name: "own detail, delete", open: pressed(ownView, "media-menu", "delete-media") },
  { name: "delete a comment", open: pressed(ownView, "delete-comment") },
  { name: "user", open: goto(() => "/user/ben", "profile-header", "media-card") },
  {
    name: "user, block",
    open: pressed(
      goto(() => "/user/ben", "media-card"),
      "more-options",
      "block-user",
    ),
  },
  { name: "user, blocked", open: goto(() => "/user/dora", "blocked-notice") },
  { name: "own profile", open: goto(() => "/profile", "own-profile", "media-card") },
  {
    name: "own followers",
    open: pressed(
      goto(() => "/profile", "media-card"),
      "count-followers",
    ),
  },
  {
    name: "own following",
    open: pressed(
      goto(() => "/profile", "media-card"),
      "count-following",
    ),
  },
  { name: "settings", open: settings },
  { name: "settings, delete account", open: pressed(settings, "delete-account") },
  { name: "settings, sign out elsewhere", open: pressed(settings, "sign-out-everywhere") },
  { name: "settings, end a session", open: pressed(settings, "end-session") },
  {
    name: "settings, crop",
    open: async (page) => {
      await settings(page);
      await page.getByTestId("picture-input").setInputFiles([photoFile("xq.jpg", photo)]);
      await page.getByTestId("use-crop").waitFor();
    },
  },
  { name: "chats", open: goto(() => "/chat", "chat-list-item") },
  { name: "notifications", open: goto(() => "/notifications", "notification") },
  {
    name: "chats, nobody named",
    open: async (page) => {
      await goto(() => "/chat", "chat-list-item")(page);
      await new ChatPage(page).startWith(" ");
      await page.getByTestId("start-chat").getByRole("alert").waitFor();
    },
  },
  {
    name: "chats, nobody of that name",
    open: async (page) => {
      await goto(() => "/chat", "chat-list-item")(page);
      await new ChatPage(page).startWith("xq-nobody");
      await page.getByTestId("start-chat").getByRole("alert").waitFor();
    },
  },
  { name: "chat", open: inChat },
  { name: "chat, menu", open: pressed(inChat, "chat-menu") },
  { name: "chat, delete a message", open: pressed(inChat, "delete-message") },
  {
    name: "chat, a photo",
    open: async (page) => {
      await inChat(page);
      await new ChatPage(page).attach(photoFile("xq.jpg", photo));
      await page.getByTestId("photo-preview").waitFor();
    },
  },
  {
    name: "chat, a photo that was sent",
    open: pressed(
      goto(() => `/chat/${conversation}`, "message-photo"),
      "open-photo",
    ),
  },
  { name: "chat, blocked", open: goto(() => `/chat/${blocked}`, "blocked-bar") },
  { name: "chat, not found", open: goto(() => "/chat/nothing", "chat-not-found") },
  { name: "panel, figures", open: panel("", "admin-stats") },
  { name: "panel, people", open: panel("?tab=users", "user-row") },
  { name: "panel, promote", open: pressed(panel("?tab=users", "user-row"), "toggle-admin") },
  { name: "panel, suspend", open: pressed(panel("?tab=users", "user-row"), "toggle-suspended") },
  { name: "panel, chats", open: panel("?tab=chats", "chat-row", "access-row") },
  {
    name: "panel, a chat",
    open: async (page) => {
      await panel("?tab=chats", "chat-row")(page);
      await press(page, "view-chat");
      await page.getByTestId("admin-message").first().waitFor();
    },
  },
  { name: "panel, delete a chat", open: pressed(panel("?tab=chats", "chat-row"), "delete-chat") },
  { name: "panel, media", open: panel("?tab=media", "admin-media-card") },
  {
    name: "panel, delete a medium",
    open: pressed(panel("?tab=media", "admin-media-card"), "delete-media"),
  },
  { name: "panel, reports", open: panel("?tab=reports", "report-card") },
  { name: "panel, terms", open: panel("?settings=terms", "rich-editor") },
  {
    name: "panel, a link",
    open: async (page) => {
      await pressed(panel("?settings=terms", "rich-editor"), "rich-editor", "tool-link")(page);
      await page.getByTestId("link-address").fill("xq-nobody");
      await press(page, "link-set");
      await page.getByRole("alert").filter({ hasText: /./ }).first().waitFor();
    },
  },
  {
    name: "panel, a draft discarded",
    open: async (page) => {
      await panel("?settings=terms", "rich-editor")(page);
      await page.getByTestId("rich-editor").first().pressSequentially("xq");
      await press(page, "legal-discard");
      await overlay(page);
    },
  },
  {
    name: "panel, cleanup",
    open: async (page) => {
      await panel("?settings=cleanup", "cleanup-look")(page);
      await press(page, "cleanup-look");
      await page.getByTestId("cleanup-state").first().waitFor();
    },
  },
  {
    name: "panel, cleanup, asked",
    open: async (page) => {
      await stage.expiredUpload();
      await panel("?settings=cleanup", "cleanup-look")(page);
      const uploads = page.getByTestId("cleanup-expired-uploads");
      await uploads.getByTestId("cleanup-look").click();
      await uploads.getByTestId("cleanup-remove").click();
      await overlay(page);
    },
  },
  { name: "panel, settings", open: panel("?settings=app", "app-settings") },
  { name: "panel, health", open: panel("?settings=health", "health-findings", "health-charts") },
  { name: "panel, audit", open: panel("?settings=audit", "audit-row") },
];

/** What is done without a network lies in the queue, with its kind, its state and its questions. */
async function queueOffline(page: Page): Promise<void> {
  await goto(() => `/user/ben`, "follow", "media-card")(page);
  await view(page);
  await page.context().setOffline(true);
  await press(page, "like");
  await page.getByTestId("comment-text").fill(QUEUED);
  await press(page, "send-comment");
  await page.getByTestId("waiting-mark").waitFor();
}

const OFFLINE: Stop[] = [
  { name: "offline, detail", open: async () => undefined },
  {
    name: "offline, outbox",
    open: async (page) => {
      await press(page, "waiting-mark");
      await page.getByTestId("outbox-item").nth(1).waitFor();
    },
  },
  {
    name: "offline, discard",
    open: async (page) => {
      await press(page, "discard-intent");
      await overlay(page);
    },
  },
  {
    name: "offline, sign out",
    open: async (page) => {
      await page.keyboard.press("Escape");
      await press(page, "profile-menu", "logout");
      await page.getByTestId("sign-out-dialog").waitFor();
    },
  },
];

async function readerOf(language: Reader): Promise<CatalogueReader> {
  const { admin, ann, ben } = stage;
  const people = ["chief", "ann", "ben", "dora", "nobody", "xq-nobody"];
  const written = [
    CAPTION,
    OWN_CAPTION,
    COMMENT,
    MESSAGE,
    REASON,
    QUEUED,
    LEGAL,
    BIO,
    LONG,
    "zzzzzz",
  ];
  const files = [
    "xq1.jpg",
    "xq2.txt",
    "xq3.jpg",
    "xq4.avi",
    "xq5.raf",
    "xq.jpg",
    "xq1.png",
    "xq2.png",
  ];
  const emails = [admin, ann, ben, dora].map(({ email }) => email);
  const devices = ["Chrome", "Linux"];
  const names = [...devices, ...Object.values(LANGUAGE_NAMES), "Augenblick", "F8", stage.app.url];
  // The first letter of a name stands for a face.
  const faces = people.map((name) => name[0] ?? "");
  return CatalogueReader.of(language, [
    ...people,
    ...faces,
    ...written,
    ...files,
    ...emails,
    ...names,
  ]);
}

async function visit(
  page: Page,
  stops: readonly Stop[],
  reader: CatalogueReader,
): Promise<string[]> {
  const strange: string[] = [];
  for (const { name, open } of stops) {
    try {
      await open(page);
    } catch (error) {
      const why = String(error).split("\n")[0];
      strange.push(`${name} did not open: ${why}\n${await describePage(page)}`);
      continue;
    }
    const texts = await textsOnPage(page);
    for (const text of texts) if (!reader.knows(text)) strange.push(`${name}: ${text.trim()}`);
  }
  return [...new Set(strange)];
}

const openIn = async (language: Reader): Promise<Profile> => {
  const profile = await openProfile({ viewport: { width: 1280, height: 800 } });
  profile.page.on("dialog", (dialog) => void dialog.accept());
  await profile.page.goto(stage.app.url);
  await profile.page.getByTestId("footer-language").selectOption(language);
  await expect
    .poll(() => profile.page.evaluate(() => document.documentElement.lang))
    .toBe(language);
  return profile;
};

test.each(READERS)("a visitor who reads %s meets no word of another language", async (language) => {
  const profile = await openIn(language);
  expect(await visit(profile.page, VISITOR, await readerOf(language))).toEqual([]);
  expect(profile.errors).toEqual([]);
  await profile.close();
});

test.each(MEMBERS)(
  "a member and admin who reads %s meets no word of another language",
  async (language) => {
    const profile = await openIn(language);
    const { page } = profile;
    await new LoginPage(page).enter(stage.app.url, stage.admin);
    const reader = await readerOf(language);
    const strange = await visit(page, MEMBER, reader);
    await queueOffline(page);
    strange.push(...(await visit(page, OFFLINE, reader)));
    await page.context().setOffline(false);
    expect(strange).toEqual([]);
    expect(profile.errors).toEqual([]);
    await profile.close();
  },
);
