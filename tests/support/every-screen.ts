/** Every route and dialog of the app, with what opens it: for tests that hold all of them to one rule. */
import type { AdminStage } from "@tests/support/admin-stage";
import type { Profile } from "@tests/support/browser";
import { drawPhoto } from "@tests/support/draw-photo";
import { goOn } from "@tests/support/go-on";
import { noisePng } from "@tests/support/noise-png";
import { type SignedIn, signUp } from "@tests/support/pocketbase";
import type { Page } from "playwright-core";

export interface Screen {
  name: string;
  who: "visitor" | "member";
  open: (page: Page) => Promise<void>;
  /** Puts right what `open` changed, where the next screen would suffer from it. */
  leave?: (page: Page) => Promise<void>;
  /** Selector of what lies over the page, which is then looked at alone. */
  over?: string;
}

export interface FullStage {
  screens: Screen[];
  /** Of a medium of somebody else's, with description, tags and two lines of caption. */
  mediaId: string;
  chatId: string;
}

const DIALOG = '[role="dialog"]';
const ALERT = '[role="alertdialog"]';
const MENU = '[role="menu"]';

interface Filled {
  url: string;
  photo: Buffer;
  mediaId: string;
  ownId: string;
  filmId: string;
  postId: string;
  chatId: string;
  photoChatId: string;
  blockedChatId: string;
  expiredUpload: AdminStage["expiredUpload"];
}

interface Message {
  id: string;
  senderId: string;
}

/** Fills the community around `admin`, who sees all of it, and lists the screens. */
export async function setFullStage(stage: AdminStage, drawer: Profile): Promise<FullStage> {
  const { admin, ann, ben, superuser } = stage;
  const photo = await drawPhoto(drawer.context, 30);
  const post = (collection: string, body: object, who: SignedIn) =>
    stage.make(collection, body, who);
  const mediaId = await stage.media(ben, "Evening light over the old harbour", photo);
  const ownId = await stage.media(admin, "One's own", await drawPhoto(drawer.context, 200));
  const filmId = await stage.media(admin, "One's own film", photo);
  const inPost = (postIndex: string) =>
    stage.media(admin, "A post of one's own", photo, { post: "post00000000000", postIndex });
  const postId = await inPost("0");
  await inPost("1");
  await stage.change("media", filmId, { type: "video" }, superuser);
  await stage.change("media", mediaId, { alt: "A warm light", tags: ["light", "evening"] }, ben);
  await stage.media(ann, "Harbour", await drawPhoto(drawer.context, 120));
  await post("comments", { mediaId: ownId, userId: admin.id, text: "A word of one's own" }, admin);
  await post("reports", { mediaId, userId: ann.id, reason: "Nobody asked me" }, ann);
  await post("comments", { mediaId: ownId, userId: ben.id, text: "A word of another's" }, ben);
  await post("follows", { followerId: ann.id, followingId: admin.id }, ann);
  const chatId = await stage.chat(
    [
      [ben, "A first word"],
      [admin, "And an answer, that does not fit on one line of a phone held upright"],
    ],
    admin,
    ben,
  );
  const heard = await stage.app.api(
    "GET",
    "/api/collections/messages/records",
    undefined,
    ben.token,
  );
  const { id: targetId } = heard.body.items.find((one: Message) => one.senderId === admin.id);
  await post("reports", { kind: "message", targetId, userId: ben.id, topic: "hate" }, ben);
  await stage.chat([[ann, "Between two others"]], ann, ben);
  const photoChatId = await stage.chat([[ann, "Look"]], ann, admin);
  await stage.photo(ann, photoChatId, photo);
  const cid = await signUp(stage.app, { username: "cid" });
  const blockedChatId = await stage.chat([[cid, "Before"]], cid, admin);
  const block = { id: `${admin.id}_${cid.id}`, blockerId: admin.id, blockedId: cid.id };
  await post("blocks", block, admin);
  const dan = await signUp(stage.app, { username: "dan" });
  await post("blocks", { blockerId: admin.id, mutedId: dan.id }, admin);
  await post("blocks", { blockerId: admin.id, word: "spoilers" }, admin);
  const terms = "<h2>Be kind</h2><p>Only your own pictures.</p>";
  await stage.change("settings", "terms", { content: terms }, superuser);
  const chats = { chatId, photoChatId, blockedChatId };
  const { expiredUpload } = stage;
  const made = { mediaId, ownId, filmId, postId, expiredUpload, ...chats };
  const filled = { url: stage.app.url, photo, ...made };
  return { screens: [...visitorScreens(filled), ...memberScreens(filled)], mediaId, chatId };
}

const goto = (url: string, where: string, testId: string) => async (page: Page) => {
  await goOn(page, `${url}${where}`);
  await page.getByTestId(testId).first().waitFor();
};

/** Opens the page, then clicks one after another, until the last thing is there. */
const then =
  (open: Screen["open"], clicks: string[], there: string): Screen["open"] =>
  async (page) => {
    await open(page);
    for (const testId of clicks) await page.getByTestId(testId).first().click();
    await page.locator(there).first().waitFor();
  };

function visitorScreens({ url, mediaId, postId }: Filled): Screen[] {
  const at = (name: string, where: string, testId: string): Screen => ({
    name,
    who: "visitor",
    open: goto(url, where, testId),
  });
  return [
    // The pictures of a post take the stop of the link below them when they come.
    at("gallery", "/", "post-track"),
    at("search", "/?q=evening", "search-results"),
    at("search-nothing", "/?q=qqqqqq", "search-nothing"),
    at("login", "/login", "login-form"),
    at("signup", "/signup", "signup-form"),
    at("forgot", "/forgot-password", "no-mail"),
    at("reset", "/reset-password", "dead-link"),
    at("verify", "/verify#no-token", "dead-link"),
    at("upload-signed-out", "/upload", "sign-in-required"),
    at("terms", "/terms", "legal-terms"),
    at("privacy", "/privacy", "legal-none-privacy"),
    at("not-found", "/nowhere", "not-found"),
    at("view", `/view/${mediaId}`, "media-detail"),
    at("view-post", `/view/${postId}`, "post-strip"),
    at("user", "/user/ben", "public-profile"),
    at("tag", "/tag/light", "tag-page"),
    at("explore", "/explore", "explore"),
  ];
}

function memberScreens(filled: Filled): Screen[] {
  const { url, mediaId, chatId, blockedChatId } = filled;
  const at = (name: string, where: string, testId: string): Screen => ({
    name,
    who: "member",
    open: goto(url, where, testId),
  });
  const ADMIN_TABS = [
    ["stats", "admin-stats"],
    ["users", "user-row"],
    ["chats", "chat-row"],
    ["media", "admin-media-card"],
    ["reports", "report-card"],
  ] as const;
  const SECTIONS = [
    ["terms", "rich-editor"],
    ["privacy", "rich-editor"],
    ["cleanup", "cleanup"],
    ["app", "app-settings"],
    ["audit", "audit-row"],
    ["health", "health-charts"],
  ] as const;
  return [
    at("gallery-member", "/", "post-track"),
    at("outbox", "/outbox", "outbox-empty"),
    at("device", "/device", "storage"),
    at("notifications", "/notifications", "notification"),
    at("chats", "/chat", "chat-list-item"),
    at("chat", `/chat/${chatId}`, "message"),
    at("chat-blocked", `/chat/${blockedChatId}`, "blocked-bar"),
    at("chat-not-found", "/chat/nothing", "chat-not-found"),
    at("profile", "/profile", "own-profile"),
    at("saved", "/profile?tab=saved", "saved"),
    at("settings", "/profile?tab=settings", "danger-zone"),
    at("user-member", "/user/ben", "person-actions"),
    at("user-blocked", "/user/cid", "blocked-notice"),
    at("user-muted", "/user/dan", "muted-notice"),
    at("view-member", `/view/${mediaId}`, "media-menu"),
    ...ADMIN_TABS.map(([tab, there]) => at(`admin-${tab}`, `/admin?tab=${tab}`, there)),
    ...SECTIONS.map(([one, there]) => at(`admin-${one}`, `/admin?settings=${one}`, there)),
    ...dialogs(filled),
  ];
}

/** The upload form as it begins: without what the form before was left with. */
const emptyForm = (url: string) => async (page: Page) => {
  await goto(url, "/terms", "legal-terms")(page);
  await page.evaluate(() => caches.delete("upload-inbox"));
  await goto(url, "/upload", "upload-form")(page);
};

function dialogs(filled: Filled): Screen[] {
  const { url, photo, mediaId, ownId, filmId, postId, chatId, photoChatId, expiredUpload } = filled;
  const over = (name: string, selector: string, open: Screen["open"]): Screen => ({
    name,
    who: "member",
    over: selector,
    open,
  });
  const files = (name: string) => [{ name, mimeType: "image/jpeg", buffer: photo }];
  const form = emptyForm(url);
  const home = goto(url, "/", "media-card");
  const own = goto(url, `/view/${ownId}`, "media-menu");
  const film = goto(url, `/view/${filmId}`, "media-menu");
  const post = goto(url, `/view/${postId}`, "post-strip");
  const theirs = goto(url, `/view/${mediaId}`, "media-menu");
  const settings = goto(url, "/profile?tab=settings", "danger-zone");
  const chat = goto(url, `/chat/${chatId}`, "message");
  const photoChat = goto(url, `/chat/${photoChatId}`, "message-photo");
  const user = goto(url, "/user/ben", "more-options");
  const terms = goto(url, "/admin?settings=terms", "rich-editor");
  const cleanup = goto(url, "/admin?settings=cleanup", "cleanup-look");
  const reports = goto(url, "/admin?tab=reports", "report-context");
  const admin = (tab: string, there: string) => goto(url, `/admin?tab=${tab}`, there);
  return [
    {
      name: "upload",
      who: "member",
      open: async (page) => {
        await form(page);
        await page.getByTestId("file-input").setInputFiles(files("a-rather-long-name.jpg"));
        await page.getByTestId("entry-alt").waitFor();
      },
    },
    {
      name: "upload-each",
      who: "member",
      open: async (page) => {
        await form(page);
        const chosen = [...files("a-rather-long-name.jpg"), ...files("another.jpg")];
        await page.getByTestId("file-input").setInputFiles(chosen);
        await page.getByTestId("same-for-all").click();
        await page.getByTestId("entry-caption").nth(1).waitFor();
      },
    },
    {
      name: "upload-together",
      who: "member",
      open: async (page) => {
        await form(page);
        const some = [...files("one.jpg"), ...files("two.jpg")];
        await page.getByTestId("file-input").setInputFiles(some);
        await page.getByTestId("together").click();
        await page.getByTestId("upload-entry").nth(1).waitFor();
      },
    },
    {
      name: "upload-too-large",
      who: "member",
      open: async (page) => {
        await form(page);
        const large = noisePng(1_400, 1_300);
        const some = ["wide-meadow.png", "wide-meadow-again.png"].map((name) => ({
          name,
          mimeType: "image/png",
          buffer: large,
        }));
        await page.getByTestId("file-input").setInputFiles(some);
        await page.getByTestId("shrink-all").waitFor();
      },
    },
    over("profile-menu", MENU, then(home, ["profile-menu"], MENU)),
    over("card-actions", DIALOG, async (page) => {
      await home(page);
      const link = page.getByTestId("open-media").first();
      await link.focus();
      await link.dispatchEvent("contextmenu");
      await page.locator(DIALOG).waitFor();
    }),
    over("keys", DIALOG, async (page) => {
      await home(page);
      await page.getByTestId("profile-menu").waitFor();
      await page.keyboard.press("?");
      await page.locator(DIALOG).waitFor();
    }),
    over("media-menu", MENU, then(own, ["media-menu"], MENU)),
    over("edit-media", DIALOG, then(own, ["media-menu", "edit-media"], DIALOG)),
    over("edit-film", DIALOG, then(film, ["media-menu", "edit-media"], DIALOG)),
    over("edit-post", DIALOG, then(post, ["media-menu", "edit-media"], DIALOG)),
    over("delete-post", ALERT, then(post, ["media-menu", "delete-post"], ALERT)),
    over("delete-media", ALERT, then(own, ["media-menu", "delete-media"], ALERT)),
    over("delete-comment", ALERT, then(own, ["delete-comment"], ALERT)),
    over("choose-folder", DIALOG, then(theirs, ["media-menu", "choose-folder"], DIALOG)),
    over("report-media", DIALOG, then(theirs, ["media-menu", "report-media"], DIALOG)),
    over("report-comment", DIALOG, then(own, ["report-comment"], DIALOG)),
    over("report-person", DIALOG, then(user, ["more-options", "report-person"], DIALOG)),
    over("report-message", DIALOG, async (page) => {
      await chat(page);
      await page.getByTestId("report-message").first().focus();
      await page.keyboard.press("Enter");
      await page.locator(DIALOG).waitFor();
    }),
    over("report-context", DIALOG, then(reports, ["report-context"], DIALOG)),
    over("more-options", MENU, then(user, ["more-options"], MENU)),
    over("share-profile", DIALOG, then(user, ["share-profile"], DIALOG)),
    over("block-user", ALERT, then(user, ["more-options", "block-user"], ALERT)),
    over("followers", DIALOG, then(settings, ["count-followers"], DIALOG)),
    over("delete-account", DIALOG, then(settings, ["delete-account"], DIALOG)),
    over("sign-out-everywhere", ALERT, then(settings, ["sign-out-everywhere"], ALERT)),
    over("crop", DIALOG, async (page) => {
      await settings(page);
      await page.getByTestId("picture-input").setInputFiles(files("face.jpg"));
      await page.getByTestId("crop-stage").waitFor();
    }),
    over("end-session", ALERT, then(settings, ["end-session"], ALERT)),
    over("view-photo", DIALOG, then(photoChat, ["open-photo"], DIALOG)),
    over("chat-menu", MENU, then(chat, ["chat-menu"], MENU)),
    over("chat-block", ALERT, then(chat, ["chat-menu", "block-user"], ALERT)),
    over("send-photo", DIALOG, async (page) => {
      await chat(page);
      await page.getByTestId("attach-photo").setInputFiles(files("pier.jpg"));
      await page.getByTestId("photo-preview").waitFor();
    }),
    over("delete-message", ALERT, async (page) => {
      await chat(page);
      await page.getByTestId("delete-message").first().focus();
      await page.keyboard.press("Enter");
      await page.locator(ALERT).waitFor();
    }),
    over("link", DIALOG, then(terms, ["rich-editor", "tool-link"], DIALOG)),
    over("discard-draft", ALERT, async (page) => {
      await terms(page);
      await page.getByTestId("rich-editor").first().pressSequentially("And be calm. ");
      await page.getByTestId("legal-discard").click();
      await page.locator(ALERT).waitFor();
    }),
    over("cleanup-confirm", ALERT, async (page) => {
      await expiredUpload();
      await cleanup(page);
      const uploads = page.getByTestId("cleanup-expired-uploads");
      await uploads.getByTestId("cleanup-look").click();
      await uploads.getByTestId("cleanup-remove").click();
      await page.locator(ALERT).waitFor();
    }),
    over("admin-suspend", ALERT, then(admin("users", "user-row"), ["toggle-suspended"], ALERT)),
    over("admin-delete-chat", ALERT, then(admin("chats", "chat-row"), ["delete-chat"], ALERT)),
    over("admin-confirm", ALERT, then(admin("users", "user-row"), ["toggle-admin"], ALERT)),
    over("admin-chat", DIALOG, then(admin("chats", "chat-row"), ["view-chat"], DIALOG)),
    over(
      "admin-delete-media",
      ALERT,
      then(admin("media", "delete-media"), ["delete-media"], ALERT),
    ),
    {
      ...over("sign-out", DIALOG, async (page) => {
        await theirs(page);
        await page.context().setOffline(true);
        await page.getByTestId("like").first().click();
        await page.getByTestId("waiting-mark").waitFor();
        await page.getByTestId("profile-menu").click();
        await page.getByTestId("logout").click();
        await page.getByTestId("sign-out-dialog").waitFor();
      }),
      leave: async (page) => {
        await page.keyboard.press("Escape");
        await page.context().setOffline(false);
        await page.getByTestId("waiting-mark").waitFor({ state: "detached" });
      },
    },
    over(
      "report-delete",
      ALERT,
      then(admin("reports", "report-card"), ["report-delete-media"], ALERT),
    ),
  ];
}
