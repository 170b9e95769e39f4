/** Ada, a member, and what she has sent. */
import { type App, openProfile, type Profile } from "@tests/support/browser";
import type { Page } from "playwright-core";
import { SignupPage } from "./signup-page";

const PHONE = { width: 390, height: 844 };

export async function signAdaUp(app: App, page: Page): Promise<void> {
  const signup = new SignupPage(page);
  await signup.open(app.url);
  await signup.signUp({ email: "ada@example.com", username: "ada.l", password: "Kirschkuchen-7" });
}

/** A profile in which she has just signed up. Whatever a dialog asks is answered with yes. */
export async function openAsAda(app: App, viewport = PHONE): Promise<Profile> {
  const profile = await openProfile({ viewport });
  profile.page.on("dialog", (dialog) => void dialog.accept());
  await signAdaUp(app, profile.page);
  return profile;
}

/** The server's media with this caption, as everybody sees them. */
export async function rowsWith<Row = { id: string; fileSize: number }>(
  app: App,
  caption: string,
): Promise<Row[]> {
  const filter = encodeURIComponent(`caption = '${caption}'`);
  return (await app.api("GET", `/api/collections/media/records?filter=${filter}`)).body.items;
}
