/** What can be done about people offline: the kinds of intent, and the writes at the end. */
import { combineLatest, filter, firstValueFrom } from "rxjs";
import type { Answer } from "@/data/engine/answers";
import type { OverlayContext } from "@/data/engine/context";
import { type Acts, keysOf } from "@/data/engine/enqueue";
import { changesAgain } from "@/data/engine/keep";
import { rowOf } from "@/data/engine/live";
import { defineChange, defineKind, type Replica, type Sending } from "@/data/engine/noun";
import { dropIntents } from "@/data/engine/outbox";
import type { OutboxRow } from "@/data/engine/outbox-row";

import { records, togglePair } from "@/data/engine/remote";
import type { ProfileChanges, Queued } from "@/data/shapes";
import { usernameFault } from "@/domain/accounts";
import type { ErrorCode } from "@/domain/error-codes";
import { followId, muteId, newId, pairId, TAG_SIGN, WORD_SIGN } from "@/domain/ids";
import { BIO_MAX, PROFILE_PICTURE_MAX_BYTES, WORD_MAX } from "@/domain/limits";
import { judgeProfilePicture, profilePictureText } from "@/domain/pictures";
import { failed, ok, type Result } from "@/domain/result";
import { foldText } from "@/domain/search-terms";
import { isBlank } from "@/domain/texts";
import type { ProfileRow } from "./row";

interface Toggle {
  userId: string;
  otherId: string;
  on: boolean;
  /** A tag as it was written; its `otherId` is `#` and the tag without case and accents. */
  tag?: string;
}

interface Mute {
  userId: string;
  /** A person's id, or `"` and a word without case and accents. */
  muted: string;
  on: boolean;
  /** As it was written. */
  word?: string;
}

interface ProfileUpdate {
  userId: string;
  changes: { username?: string; bio?: string };
  /** Keys in the device store; "" leaves the picture, "delete" removes it. */
  picture: string;
  thumbnail: string;
  /** The picture's address when the server's history changed. */
  stood?: string;
}

declare module "@/data/engine/noun" {
  interface IntentBodies {
    "follow.set": Toggle;
    "block.set": Toggle;
    "mute.set": Mute;
    "profile.update": ProfileUpdate;
  }
  interface Overlay {
    follows: ReadonlyMap<string, boolean>;
    blocks: ReadonlyMap<string, boolean>;
    /** By what is muted, or no longer. */
    mutes: ReadonlyMap<string, Mute>;
    /** By user id: what is to change, the latest on top. */
    profiles: ReadonlyMap<string, Waiting<ProfileUpdate>>;
  }
}

export const emptyPeopleOverlay = () => ({
  follows: new Map(),
  blocks: new Map(),
  mutes: new Map(),
  profiles: new Map(),
});

/** Of what is done to a person. */
export const personLane = (otherId: string): string => `person:${otherId}`;

const towardsPerson = {
  needs: ["userId", "otherId"] satisfies (keyof Toggle)[] as (keyof Toggle)[],
  toggle: true,
  lane: ({ otherId }: Toggle) => personLane(otherId),
  target: ({ otherId }: Toggle) => otherId,
  subject: ({ otherId }: Toggle) => ({ name: "profiles", id: otherId }) as const,
  goneSettles: ({ on }: Toggle) => !on,
  duplicateSettles: () => true as const,
} as const;

const follow = defineKind<"follow.set">({
  ...towardsPerson,
  kind: "follow.set",
  request: ({ userId, otherId, on, tag }) =>
    togglePair("follows", followId(userId, otherId), on, {
      followerId: userId,
      ...(tag === undefined ? { followingId: otherId } : { tag }),
    }),
  label: ({ tag }) => (tag === undefined ? "" : `#${tag}`),
  lay: (overlay, { body }) => overlay.follows.set(body.otherId, body.on),
  makes: ({ userId, otherId, on }) => ({ name: "follows", id: followId(userId, otherId), on }),
});

const block = defineKind<"block.set">({
  ...towardsPerson,
  kind: "block.set",
  request: ({ userId, otherId, on }) =>
    togglePair("blocks", pairId(userId, otherId), on, { blockerId: userId, blockedId: otherId }),
  lay: (overlay, { body }) => overlay.blocks.set(body.otherId, body.on),
  makes: ({ userId, otherId, on }) => ({ name: "blocks", id: pairId(userId, otherId), on }),
});

const mute = defineKind<"mute.set">({
  kind: "mute.set",
  needs: ["userId", "muted"],
  toggle: true,
  lane: ({ muted }) => `mute:${muted}`,
  target: ({ muted }) => muted,
  subject: ({ muted }) => ({ name: "profiles", id: muted }),
  request: ({ userId, muted, on, word }) =>
    togglePair("blocks", muteId(userId, muted), on, {
      blockerId: userId,
      ...(word === undefined ? { mutedId: muted } : { word }),
    }),
  // Nothing to take back, or whoever is muted is gone.
  goneSettles: () => true,
  duplicateSettles: () => true,
  label: ({ word = "" }) => word,
  lay: (overlay, { body }) => overlay.mutes.set(body.muted, body),
  makes: ({ userId, muted, on }) => ({ name: "blocks", id: muteId(userId, muted), on }),
});

const updateProfile = defineKind<"profile.update">({
  kind: "profile.update",
  needs: ["userId"],
  lane: () => "profile",
  target: ({ userId }) => userId,
  send: sendProfile,
  // The name in the session may be another now.
  onSent: ({ refresh }) => refresh(),
  lay(overlay, { body, ...waiting }) {
    const before = overlay.profiles.get(body.userId)?.body;
    overlay.profiles.set(body.userId, {
      ...waiting,
      body: {
        ...body,
        changes: { ...before?.changes, ...body.changes },
        picture: body.picture || (before?.picture ?? ""),
        thumbnail: body.picture === "" ? (before?.thumbnail ?? "") : body.thumbnail,
      },
    });
  },
  change: defineChange<ProfileUpdate, ProfileRow | undefined>({
    before: ({ replica }, { userId }) => readProfile(replica, userId),
    remember: (before, body) =>
      before !== undefined && isAs(before, body) ? { stood: before.profilePictureUrl } : null,
    async isLost({ replica }, body, { before, isAcked }) {
      const now = await readProfile(replica, body.userId);
      if (now === undefined) return false;
      if (!isAcked && (before === undefined || !isAs(before, body))) return false;
      // The server names the file, so another name is another picture. Unknown ones are sent again.
      const address = isAcked ? body.stood : before?.profilePictureUrl;
      const wanted = body.picture === "delete" ? "" : address;
      return !hasNames(now, body) || (body.picture !== "" && now.profilePictureUrl !== wanted);
    },
  }),
  undoes: (later, row) => {
    const keepsPicture = (row.body["picture"] ?? "") === "" || later.body["picture"] !== "";
    return keepsPicture && changesAgain(later, row);
  },
  label: ({ changes }) => changes.username ?? "",
  files: ({ picture, thumbnail }) => [picture, thumbnail].filter(isKey),
});

export const peopleKinds = [follow, block, mute, updateProfile];

const isKey = (key: string): boolean => key !== "" && key !== "delete";

async function sendProfile({ remote, device }: Sending, body: ProfileUpdate): Promise<Answer> {
  const form = new FormData();
  for (const [name, value] of Object.entries(body.changes)) form.set(name, value);
  const parts = { profilePicture: body.picture, profileThumbnail: body.thumbnail };
  for (const [name, key] of Object.entries(parts)) {
    if (key === "delete") form.set(name, "");
    const blob = isKey(key) ? await device.readBlob(key) : null;
    if (blob !== null) form.set(name, blob, name);
  }
  return remote.request(records("users", body.userId), { method: "PATCH", body: form });
}

async function readProfile({ profiles }: Pick<Replica, "profiles">, id: string) {
  return (await profiles.findOne(id).exec())?.toJSON();
}

const hasNames = ({ username, bio }: ProfileRow, { changes }: ProfileUpdate): boolean =>
  (changes.username ?? username) === username && (changes.bio ?? bio) === bio;

const isAs = (row: ProfileRow, body: ProfileUpdate): boolean =>
  hasNames(row, body) &&
  (body.picture === "" || (body.picture === "delete") === (row.profilePictureUrl === ""));

const setPair = async (
  acts: Acts,
  kind: "follow.set" | "block.set",
  otherId: string,
  on: boolean,
): Promise<Result<Queued>> =>
  acts.user()?.id === otherId
    ? failed("self")
    : acts.enqueueAs(({ id: userId }) => ({ kind, body: { userId, otherId, on } }));

const followTag = (acts: Acts, tag: string, on: boolean): Promise<Result<Queued>> =>
  acts.enqueueAs(({ id: userId }) => {
    const body = { userId, otherId: TAG_SIGN + foldText(tag), on, tag };
    return { kind: "follow.set", body };
  });

async function muteWord(acts: Acts, written: string, on: boolean): Promise<Result<Queued>> {
  const word = written.trim();
  if (isBlank(word)) return failed("text_empty");
  if (word.length > WORD_MAX) return failed("text_long");
  return acts.enqueueAs(({ id: userId }) => ({
    kind: "mute.set",
    body: { userId, muted: WORD_SIGN + foldText(word), on, word },
  }));
}

export const createPeopleWrites = (acts: Acts) => ({
  followUser: (userId: string) => setPair(acts, "follow.set", userId, true),
  unfollowUser: (userId: string) => setPair(acts, "follow.set", userId, false),
  /** `tag` as it is written, without its sign. */
  followTag: (tag: string, on: boolean) => followTag(acts, tag, on),
  async blockUser(userId: string) {
    const blocked = await setPair(acts, "block.set", userId, true);
    // The server ends the follow with the block; the queue must not bring it back.
    const follows = blocked.success && (await isFollowedHere(acts, userId));
    return follows ? setPair(acts, "follow.set", userId, false) : blocked;
  },
  /** Hides what they post and say, on this person's devices alone. */
  muteUser: async (muted: string, on: boolean): Promise<Result<Queued>> =>
    acts.user()?.id === muted
      ? failed("self")
      : acts.enqueueAs(({ id: userId }) => ({ kind: "mute.set", body: { userId, muted, on } })),
  /** Hides what has this word. `text_empty`, `text_long`. */
  muteWord: (word: string, on: boolean) => muteWord(acts, word, on),
  unblockUser: (userId: string) => setPair(acts, "block.set", userId, false),
  /** Sends only what is given. A refusal within ten seconds is returned and leaves no intent. */
  updateProfile: (changes: ProfileChanges) => changeProfile(acts, changes),
  deleteProfilePicture: () => queueProfile(acts, {}, "delete"),
});

/** By what this device has or has yet to send, without asking the server. */
async function isFollowedHere({ scope }: Acts, otherId: string): Promise<boolean> {
  const { replica, overlay$, userId } = await scope();
  if (userId === null) return false;
  const wanted = (await firstValueFrom(overlay$)).follows.get(otherId);
  return wanted ?? (await replica.follows.findOne(pairId(userId, otherId)).exec()) !== null;
}

async function changeProfile(acts: Acts, changes: ProfileChanges): Promise<Result<null>> {
  const { username, bio, picture } = changes;
  if (username === undefined && bio === undefined && picture === undefined) return ok(null);
  const fault = username === undefined ? null : usernameFault(username);
  if (fault !== null) return failed(fault);
  if (bio !== undefined && bio.length > BIO_MAX) return failed("text_long");
  const code = picture === undefined ? null : await pictureFault(picture.file);
  if (code !== null) return failed(code, profilePictureText(code));
  return queueProfile(acts, changes, "");
}

async function pictureFault(file: Blob): Promise<ErrorCode | null> {
  if (file.size > PROFILE_PICTURE_MAX_BYTES) return "too_large";
  const bytes = new Uint8Array(await file.arrayBuffer());
  const read = (offset: number, length: number) => bytes.subarray(offset, offset + length);
  const judged = judgeProfilePicture(read, bytes.length);
  return "code" in judged ? judged.code : null;
}

async function queueProfile(
  acts: Acts,
  { username, bio, picture }: ProfileChanges,
  none: "" | "delete",
): Promise<Result<null>> {
  const user = acts.user();
  if (user === null) return failed("unauthenticated");
  const { keys, blobs } = keysOf(`profile/${newId(acts.shared.deps.random)}`, {
    picture: picture?.file ?? null,
    thumbnail: picture?.thumbnail ?? null,
  });
  const body: ProfileUpdate = {
    userId: user.id,
    changes: {
      ...(username === undefined ? {} : { username }),
      ...(bio === undefined ? {} : { bio }),
    },
    picture: keys.picture || none,
    thumbnail: keys.thumbnail || none,
  };
  const queued = await acts.enqueue({ kind: "profile.update", body }, blobs);
  return queued.success ? firstOutcome(acts, queued.value.intentId) : queued;
}

/** How long the person looks on; after that it is queued like anything else, milliseconds. */
const PATIENCE_MS = 10_000;

/**
 * Waits a moment, so that a taken name is shown in the form. A refusal in that time is returned and
 * leaves the queue; success means sent or waiting.
 */
async function firstOutcome({ shared, scope }: Acts, intentId: string): Promise<Result<null>> {
  const { replica, device, context$ } = await scope();
  const patience = new AbortController();
  const row$ = rowOf<OutboxRow>(replica.outbox.findOne(intentId));
  const settled = firstValueFrom(
    combineLatest([row$, context$]).pipe(
      filter(([row, context]) => row === null || isSettled(row, context)),
    ),
  ).then(([row]) => row);
  const waited = shared.deps.delay(PATIENCE_MS, patience.signal).then(() => null);
  const row = await Promise.race([settled, waited]);
  patience.abort();
  if (row?.state !== "refused") return ok(null);
  await dropIntents(replica, device, [row]);
  return failed(row.code === "" ? "invalid" : row.code, row.message);
}

/** It has left the device, was refused, or will not be tried for a while. */
function isSettled(row: OutboxRow, { offline, needsLogin }: OverlayContext): boolean {
  if (row.state === "sending") return false;
  return row.state !== "pending" || offline || needsLogin || row.attempts > 0;
}
