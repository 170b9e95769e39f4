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
    pending: null,
  };
}

interface ProfileContext {
  /** Who is signed in; "" is nobody. */
  me: string;
  blobUrl: (key: string) => string;
  /** Whether the server says that this person follows them. */
  follows: (userId: string) => boolean;
}

/** With the person's own changes that wait, and the follow that is to come or to go. */
export function foldProfile(
  view: ProfileView,
  overlay: Pick<Overlay, "profiles" | "follows">,
  context: ProfileContext,
): ProfileView {
  const queued = overlay.profiles.get(view.id);
  const body = queued?.body;
  return {
    ...view,
    ...body?.changes,
    ...(body === undefined ? {} : picturesOf(view, body, context.blobUrl)),
    followers: Math.max(0, view.followers + followMore(overlay, context, view.id)),
    following: Math.max(
      0,
      view.following + (view.id === context.me ? sumMore(overlay, context) : 0),
    ),
    pending: queued?.mark ?? null,
  };
}

type Follows = Pick<Overlay, "follows">;

/** +1, 0 or -1: what the queued follow of `id` changes in what the server counted. */
function followMore({ follows }: Follows, context: ProfileContext, id: string): number {
  const wanted = follows.get(id);
  return wanted === undefined ? 0 : Number(wanted) - Number(context.follows(id));
}

const sumMore = (overlay: Follows, context: ProfileContext): number =>
  [...overlay.follows.keys()].reduce((sum, id) => sum + followMore(overlay, context, id), 0);

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
