/** A person as a screen shows them: the server's row with what is queued about it on top. */
import type { ProfileView } from "@/data/client-api";
import type { Overlay } from "@/data/outbox/read-overlay";
import type { ProfileRow } from "@/data/schema/profiles";

export function profileView(row: ProfileRow, address: (path: string) => string): ProfileView {
  const { nameKey, seq, ...shown } = row;
  return {
    ...shown,
    profilePictureUrl: address(row.profilePictureUrl),
    profileThumbnailUrl: address(row.profileThumbnailUrl || row.profilePictureUrl),
  };
}

/** With the person's own changes that wait, and the follow that is to come or to go. */
export function foldProfile(
  view: ProfileView,
  overlay: Pick<Overlay, "profiles" | "follows">,
  context: { blobUrl: (key: string) => string; follows: (userId: string) => boolean },
): ProfileView {
  const body = overlay.profiles.get(view.id)?.body;
  const wanted = overlay.follows.get(view.id);
  const change = wanted === undefined ? 0 : Number(wanted) - Number(context.follows(view.id));
  return {
    ...view,
    ...body?.changes,
    ...(body === undefined ? {} : picturesOf(view, body, context.blobUrl)),
    followers: Math.max(0, view.followers + change),
  };
}

function picturesOf(
  view: ProfileView,
  { picture, thumbnail }: { picture: string; thumbnail: string },
  blobUrl: (key: string) => string,
): Pick<ProfileView, "profilePictureUrl" | "profileThumbnailUrl"> {
  const { profilePictureUrl, profileThumbnailUrl } = view;
  if (picture === "") return { profilePictureUrl, profileThumbnailUrl };
  if (picture === "delete") return { profilePictureUrl: "", profileThumbnailUrl: "" };
  const whole = blobUrl(picture);
  return {
    profilePictureUrl: whole,
    profileThumbnailUrl: blobUrl(thumbnail === "delete" ? "" : thumbnail) || whole,
  };
}
