/** Made-up people and pictures for the client's tests. */
import { randomBytes } from "node:crypto";
import { mediaFixture } from "@tests/support/media-fixtures";
import type { Client } from "@/data/client";
import type { PreparedMedia, SignUpForm, UploadDraft } from "@/data/shapes";

export const PASSWORD = "Sunny-Meadow-42";

export function newPerson(): SignUpForm {
  const username = `p${randomBytes(6).toString("hex")}`;
  return {
    email: `${username}@example.com`,
    username,
    password: PASSWORD,
    passwordConfirm: PASSWORD,
    termsAccepted: true,
  };
}

/** Signs a new person up on this client. */
export async function signUp(client: Client): Promise<SignUpForm & { id: string }> {
  const person = newPerson();
  const signedUp = await client.auth.signUp(person);
  if (!signedUp.success) throw new Error(`No sign-up: ${signedUp.error} ${signedUp.message}`);
  return { ...person, id: signedUp.value.id };
}

export function photo(caption: string): UploadDraft {
  return { caption, tags: ["sky", "sea"], media: prepared("photo.jpg", "photo", "image/jpeg") };
}

export function video(caption: string): UploadDraft {
  return { caption, tags: [], media: prepared("video.mp4", "video", "video/mp4") };
}

function prepared(
  name: "photo.jpg" | "video.mp4",
  type: PreparedMedia["type"],
  contentType: string,
): PreparedMedia {
  const file = new Blob([mediaFixture(name)], { type: contentType });
  const small = new Blob([mediaFixture("photo.jpg")], { type: "image/jpeg" });
  return {
    file,
    type,
    contentType,
    originalFilename: name,
    thumbnail: small,
    preview: small,
    width: 64,
    height: 48,
    duration: type === "video" ? 1 : 0,
    thumbhash: "1QcSHQRnh493V4dIh4eXh1h4kJUI",
  };
}
