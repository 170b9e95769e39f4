/** An app with an admin, two people, a chat between them, media and reports, for the tests of the panel. */
import { type App, startApp } from "@tests/support/browser";
import { createSuperuser, type SignedIn, signUp } from "@tests/support/pocketbase";

interface InPost {
  post: string;
  postIndex: string;
}

export interface AdminStage {
  app: App;
  superuser: SignedIn;
  admin: SignedIn;
  ann: SignedIn;
  ben: SignedIn;
  /** Makes a record as `who`; its id. */
  make(collection: string, body: unknown, who: SignedIn): Promise<string>;
  change(collection: string, id: string, body: unknown, who: SignedIn): Promise<void>;
  /** A medium of `owner`'s, with `photo` as its file. */
  media(owner: SignedIn, caption: string, photo: Buffer, more?: InPost): Promise<string>;
  /** A photo that `sender` sent into a chat. */
  photo(sender: SignedIn, conversationId: string, photo: Buffer): Promise<string>;
  /** An upload that was never finished; the server's hourly sweep takes it at minute 17. */
  expiredUpload(): Promise<string>;
  /** A chat between the two, and what they said in order. */
  chat(said: [SignedIn, string][], a: SignedIn, b: SignedIn): Promise<string>;
  /** A record as the database has it, or null. */
  row(collection: string, id: string): Promise<Record<string, unknown> | null>;
}

const records = (collection: string) => `/api/collections/${collection}/records`;

export async function setAdminStage(): Promise<AdminStage> {
  const app = await startApp();
  const superuser = await createSuperuser(app);
  const named = (username: string) => signUp(app, { username });
  const [admin, ann, ben] = [await named("chief"), await named("ann"), await named("ben")];
  const make: AdminStage["make"] = async (collection, body, who) => {
    const { status, body: row } = await app.api("POST", records(collection), body, who.token);
    if (status !== 200) throw new Error(`${collection}: ${status} ${JSON.stringify(row)}`);
    return row.id;
  };
  const change: AdminStage["change"] = async (collection, id, body, who) => {
    const answer = await app.api("PATCH", `${records(collection)}/${id}`, body, who.token);
    if (answer.status !== 200) throw new Error(`${collection}: ${JSON.stringify(answer.body)}`);
  };
  await change("users", admin.id, { isAdmin: true }, superuser);
  // Signed in on another device, too.
  const other = { device: "Chrome on Linux", secretHash: "0".repeat(64) };
  const lastSeenAt = new Date().toISOString();
  await make("sessions", { userId: admin.id, lastSeenAt, ...other }, superuser);
  return {
    app,
    superuser,
    admin,
    ann,
    ben,
    make,
    change,
    expiredUpload() {
      const expiresAt = "2001-01-01 00:00:00.000Z";
      return make("uploads", { owner: ann.id, size: 9, metadata: {}, expiresAt }, superuser);
    },
    media(owner, caption, photo, more) {
      const form = new FormData();
      const fields = { userId: owner.id, type: "photo", caption, tags: "[]", ...more };
      for (const [name, value] of Object.entries(fields)) form.set(name, value);
      const file = new Blob([new Uint8Array(photo)], { type: "image/jpeg" });
      form.set("file", file, "photo.jpg");
      form.set("thumbnail", file, "thumb.jpg");
      return make("media", form, superuser);
    },
    photo(sender, conversationId, photo) {
      const form = new FormData();
      for (const [name, value] of Object.entries({ conversationId, senderId: sender.id }))
        form.set(name, value);
      form.set("type", "photo");
      const file = new Blob([new Uint8Array(photo)], { type: "image/jpeg" });
      form.set("image", file, "photo.jpg");
      form.set("thumbnail", file, "thumb.jpg");
      return make("messages", form, superuser);
    },
    async chat(said, a, b) {
      const id = await make("conversations", { participants: [a.id, b.id] }, a);
      for (const [sender, message] of said) {
        await make("messages", { conversationId: id, senderId: sender.id, message }, sender);
      }
      return id;
    },
    async row(collection, id) {
      const { status, body } = await app.api(
        "GET",
        `${records(collection)}/${id}`,
        undefined,
        superuser.token,
      );
      return status === 200 ? body : null;
    },
  };
}
