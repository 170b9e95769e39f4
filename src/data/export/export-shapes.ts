/** What the archive's lists look like. Pure. */
import { filePath, type RawRecord, textOf } from "@/data/schema/define-schema";
import { slugFromCaption } from "@/domain/paths";

/** A file to fetch, and its name in the archive. */
export interface ExportFile {
  name: string;
  path: string;
  /** Needs a token of the participant's. */
  isPrivate: boolean;
}

/** Fields that say how the server stores a row, and nothing about the person. */
const SERVER_ONLY = new Set([
  "collectionId",
  "collectionName",
  "seq",
  "ord",
  "file",
  "thumbnail",
  "preview",
  "image",
  "thumbhash",
  "profilePicture",
  "profileThumbnail",
  "emailVisibility",
]);

export const withoutFiles = (record: RawRecord): RawRecord =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !SERVER_ONLY.has(name)));

const extensionOf = (name: string): string => name.split(".").at(-1) ?? "bin";
const dayOf = (record: RawRecord): string => textOf(record, "createdAt").slice(0, 10);

/** Own media, oldest first, each naming its file in the archive. */
export function mediaOf(records: readonly RawRecord[]): { rows: RawRecord[]; files: ExportFile[] } {
  const files: ExportFile[] = [];
  const rows = byDate(records).map((record) => {
    const stored = textOf(record, "file");
    if (stored === "") return withoutFiles(record);
    const id = textOf(record, "id");
    const words = [dayOf(record), slugFromCaption(textOf(record, "caption")), id].filter(Boolean);
    const name = `media/${words.join("-")}.${extensionOf(stored)}`;
    files.push({ name, path: filePath("media", id, stored), isPrivate: false });
    return { ...withoutFiles(record), file: name };
  });
  return { rows, files };
}

interface Chats {
  me: string;
  conversations: readonly RawRecord[];
  messages: readonly RawRecord[];
  names: ReadonlyMap<string, string>;
}

/** Chats with their messages in the order in which they were written. */
export function chatsOf({ me, conversations, messages, names }: Chats): {
  rows: RawRecord[];
  files: ExportFile[];
} {
  const files: ExportFile[] = [];
  const rows = conversations.map((conversation) => {
    const id = textOf(conversation, "id");
    const [other = ""] = id.split("_").filter((part) => part !== me);
    const own = messages.filter((message) => textOf(message, "conversationId") === id);
    return {
      id,
      with: { id: other, username: names.get(other) ?? "" },
      createdAt: textOf(conversation, "createdAt"),
      messages: byOrder(own).map((message) => {
        const image = textOf(message, "image");
        const row = {
          ...withoutFiles(message),
          from: textOf(message, "senderId") === me ? "me" : "them",
        };
        if (image === "") return row;
        const messageId = textOf(message, "id");
        const name = `chats/${id}/${messageId}.${extensionOf(image)}`;
        files.push({ name, path: filePath("messages", messageId, image), isPrivate: true });
        return { ...row, image: name };
      }),
    };
  });
  return { rows, files };
}

const byDate = (records: readonly RawRecord[]): RawRecord[] =>
  [...records].sort((a, b) => textOf(a, "createdAt").localeCompare(textOf(b, "createdAt")));

const byOrder = (records: readonly RawRecord[]): RawRecord[] =>
  [...records].sort((a, b) => Number(a["ord"] ?? 0) - Number(b["ord"] ?? 0));
