/** What a person does on a device, done with its client. Runs in a thread or in a page. */
import type { Client } from "@/data/client";
import { mediaIn } from "@/data/media/posts";
import type { PreparedMedia } from "@/data/shapes";
import { conversationId, TAG_SIGN } from "@/domain/ids";
import type { Result } from "@/domain/result";
import type { Done, Operation, Share } from "./operations";

export interface Acts {
  act(order: Operation): Promise<Done>;
  /** Id of whoever is signed in, or "". */
  me(): string;
  /** Stops looking whether one's own media stay on the screen. */
  unwatchAll(): void;
  /** What the feed shows, as text: two tabs that show the same say the same. */
  screen(): string;
}

type Of<Kind extends Operation["kind"]> = Extract<Operation, { kind: Kind }>;
type Doing = { [Kind in Operation["kind"]]: (order: Of<Kind>) => Promise<Done> };
type Answered = Promise<{ success: boolean }>;

/** Pages of media that are open at the same time. */
const PAGES_MOST = 3;

/** `vanished` takes the media that left the screen though this device had not deleted them. */
export function createActs(client: Client, share: Share, vanished: string[]): Acts {
  const { writes } = client;
  const watches = createWatches(client, vanished);
  const feed = client.reads.watchFeed({ filter: "all", sort: "latest", limit: 200 });
  feed.subscribe(() => undefined);
  const news = client.reads.watchNotifications(20);
  news.subscribe(() => undefined);

  const me = (): string => {
    const session = client.auth.session.getSnapshot();
    return session.state === "signed-in" ? session.user.id : "";
  };
  const items = () => {
    const now = feed.getSnapshot();
    return now.state === "ready" ? mediaIn(now.value.items) : [];
  };
  const pages = createPages(client);
  /** Of those that are this device's to speak about, so that the last word on each is certain. */
  const onMedium = async (pick: number, whose: "any" | "others", job: (id: string) => Answered) => {
    const own = ({ userId }: { userId: string }) => userId === me();
    const shown = items();
    const known = new Set(shown.map(({ id }) => id));
    const opened = pages.items().filter(({ id }) => !known.has(id));
    const all = [...shown, ...opened].filter(
      (item) => isMine(item.id, share) && (whose === "any" || !own(item)),
    );
    const mediaId = all[Math.floor(pick * all.length)]?.id;
    if (mediaId === undefined) return { taken: false };
    const answer = await job(mediaId);
    const made = "value" in answer ? (answer.value as { commentId?: string } | null) : null;
    const commentId = made?.commentId;
    return { taken: answer.success, mediaId, ...(commentId === undefined ? {} : { commentId }) };
  };
  const plain = async (answer: Answered): Promise<Done> => ({ taken: (await answer).success });
  const chatWith = (userId: string) => conversationId(me(), userId);

  const doing: Doing = {
    upload: (order) => upload(client, order, watches.watch),
    like: ({ pick, on }) => onMedium(pick, "any", (id) => writes.setLike(id, on)),
    save: ({ pick, on }) => onMedium(pick, "any", (id) => writes.setSave(id, on)),
    async folder({ name }) {
      const answer = await writes.createFolder(name);
      if (!answer.success) return { taken: false };
      return { taken: true, folderId: answer.value.folderId };
    },
    "file-save": ({ mediaId, folderId }) => plain(writes.moveSave(mediaId, folderId)),
    async "like-comment"({ mediaId, commentId, on }) {
      if (!isMine(commentId, share)) return { taken: false };
      return plain(writes.setCommentLike(mediaId, commentId, on));
    },
    async comment({ pick, text, to }) {
      if (to === null) return onMedium(pick, "any", (id) => writes.addComment(id, text));
      const answer = await writes.addComment(to.mediaId, text, to.commentId);
      if (!answer.success) return { taken: false };
      return { taken: true, mediaId: to.mediaId, commentId: answer.value.commentId };
    },
    report: ({ pick, reason }) =>
      onMedium(pick, "others", (id) =>
        writes.report(
          { kind: "media", id, place: "" },
          { topic: "other", said: "", words: reason },
        ),
      ),
    "report-person": ({ userId, reason }) =>
      plain(
        writes.report(
          { kind: "person", id: userId, place: "" },
          { topic: "hate", said: "", words: reason },
        ),
      ),
    view: ({ pick }) => onMedium(pick, "others", (id) => writes.recordView(id)),
    async look({ mediaId }) {
      pages.open(mediaId);
      return { taken: false };
    },
    async scroll({ pick }) {
      const limit = items().length + Math.ceil(pick * 6);
      await client.reads.pullOlderMedia({ filter: "all", sort: "latest", limit });
      return { taken: false };
    },
    moderate: ({ pick }) => onMedium(pick, "others", (id) => writes.deleteMedia(id)),
    "edit-media": ({ mediaId, alt, on }) =>
      plain(writes.updateMedia(mediaId, { alt, commentsClosed: on })),
    subtitles: ({ mediaId, text, name }) =>
      plain(writes.updateMedia(mediaId, { subtitles: { text, name } })),
    "delete-media"({ mediaId }) {
      watches.stop(mediaId);
      return plain(writes.deleteMedia(mediaId));
    },
    "edit-comment": ({ mediaId, commentId, text }) =>
      plain(writes.editComment(mediaId, commentId, text)),
    "delete-comment": ({ mediaId, commentId }) => plain(writes.deleteComment(mediaId, commentId)),
    follow({ userId, on }) {
      if (userId.startsWith(TAG_SIGN)) return plain(writes.followTag(userId.slice(1), on));
      return plain(on ? writes.followUser(userId) : writes.unfollowUser(userId));
    },
    block: ({ userId, on }) => plain(on ? writes.blockUser(userId) : writes.unblockUser(userId)),
    mute: ({ userId, on }) => plain(writes.muteUser(userId, on)),
    profile: ({ bio }) => plain(writes.updateProfile({ bio })),
    rename: ({ username }) => plain(writes.updateProfile({ username })),
    message: (order) => send(client, order),
    "delete-message": ({ userId, messageId }) =>
      plain(writes.deleteMessage(chatWith(userId), messageId)),
    read: ({ userId }) => plain(writes.markMessagesRead(chatWith(userId))),
    async hear() {
      const now = news.getSnapshot();
      const items = now.state === "ready" ? now.value.items : [];
      const newest = items.find(({ isUnread }) => isUnread);
      if (newest === undefined) return { taken: false };
      const { taken } = await plain(writes.markNotificationsRead(newest.createdAt));
      return { taken, newsId: newest.ids[0] ?? "" };
    },
  };
  return {
    act: async (order) =>
      me() === ""
        ? { taken: false }
        : (doing[order.kind] as (o: Operation) => Promise<Done>)(order),
    me,
    unwatchAll: watches.stopAll,
    screen: () =>
      items()
        .map(({ id, caption, alt, hasSubtitles, likes, comments, liked, pending }) =>
          [id, caption, alt, hasSubtitles, likes, comments, liked, pending?.state].join(" "),
        )
        .join("\n"),
  };
}

function createPages({ reads }: Client) {
  const open = new Map<string, { live: ReturnType<typeof reads.watchMedia>; leave: () => void }>();
  return {
    open(mediaId: string): void {
      if (open.has(mediaId)) return;
      const live = reads.watchMedia(mediaId);
      open.set(mediaId, { live, leave: live.subscribe(() => undefined) });
      const [oldest] = open.keys();
      if (open.size <= PAGES_MOST || oldest === undefined) return;
      open.get(oldest)?.leave();
      open.delete(oldest);
    },
    items: () =>
      [...open.values()].flatMap(({ live }) => {
        const now = live.getSnapshot();
        return now.state === "found" ? [now.value] : [];
      }),
  };
}

const isMine = (mediaId: string, share: Share): boolean =>
  [...mediaId].reduce((sum, sign) => sum + sign.charCodeAt(0), 0) % share.of === share.index;

function createWatches(client: Client, vanished: string[]) {
  const stops = new Map<string, () => void>();
  const stop = (mediaId: string) => {
    stops.get(mediaId)?.();
    stops.delete(mediaId);
  };
  return {
    /** From the moment it is queued until it is deleted, one's own medium never leaves the screen. */
    watch(mediaId: string): void {
      const live = client.reads.watchMedia(mediaId);
      let shown = false;
      const unsubscribe = live.subscribe(() => {
        const { state } = live.getSnapshot();
        if (state === "found") shown = true;
        else if (shown) vanished.push(mediaId);
      });
      stops.set(mediaId, unsubscribe);
    },
    stop,
    stopAll(): void {
      for (const mediaId of [...stops.keys()]) stop(mediaId);
    },
  };
}

async function upload(
  client: Client,
  { bytes, type, caption, post }: Of<"upload">,
  watch: (mediaId: string) => void,
): Promise<Done> {
  const isPhoto = type === "photo";
  const contentType = isPhoto ? "image/png" : "video/mp4";
  const media: PreparedMedia = {
    file: new Blob([bytes], { type: contentType }),
    type,
    contentType,
    originalFilename: isPhoto ? "photo.png" : "video.mp4",
    thumbnail: null,
    preview: null,
    width: 10,
    height: 10,
    duration: isPhoto ? 0 : 1,
    thumbhash: "",
  };
  const queued = await client.writes.uploadMedia({
    media,
    caption,
    tags: ["a"],
    ...(post && { post }),
  });
  if (!queued.success) return { taken: false };
  watch(queued.value.mediaId);
  return { taken: true, mediaId: queued.value.mediaId };
}

async function send({ writes }: Client, order: Of<"message">): Promise<Done> {
  const chat = await writes.createOrGetConversation(order.userId);
  if (!chat.success) return { taken: false };
  const { conversationId: chatId } = chat.value;
  if (order.bytes === null) return doneOf(await writes.sendTextMessage(chatId, order.text));
  const file = new Blob([order.bytes], { type: "image/png" });
  const photo = { file, thumbnail: null, contentType: file.type, originalFilename: "photo.png" };
  return doneOf(await writes.sendPhotoMessage(chatId, photo, order.text));
}

const doneOf = (written: Result<{ messageId: string }>): Done =>
  written.success ? { taken: true, ...written.value } : { taken: false };
