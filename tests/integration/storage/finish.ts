/** A file that is sent and becomes a medium, in one call. */

import { type FixtureName, mediaFixture } from "@tests/support/media-fixtures";
import type { Answer, PocketBase, SignedIn } from "@tests/support/pocketbase";
import { upload } from "@tests/support/tus";

export const small = () => new Blob([mediaFixture("photo.jpg")], { type: "image/jpeg" });

/** As a device does it: what is refused for now is sent again. */
export async function finish(
  server: PocketBase,
  who: SignedIn,
  id: string,
  name: FixtureName = "photo.jpg",
): Promise<Answer> {
  const uploadId = await upload(server, who.token, mediaFixture(name));
  for (;;) {
    const form = new FormData();
    form.set("id", id);
    form.set("uploadId", uploadId);
    form.set("thumbnail", small(), "t.jpg");
    form.set("preview", small(), "p.jpg");
    const answer = await server.api("POST", "/api/media", form, who.token);
    if (answer.status !== 503) return answer;
  }
}
