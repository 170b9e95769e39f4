/** What each kind of intent carries. Rows with these words are on users' devices: add, never rename. */
import type { MediaKind } from "@/domain/media-files";

/** The files of a queued medium, by their keys in the device store. */
export interface QueuedFiles {
  file: string;
  thumbnail: string;
  preview: string;
}

export interface IntentBodies {
  "media.create": {
    mediaId: string;
    userId: string;
    username: string;
    caption: string;
    tags: string[];
    alt: string;
    type: MediaKind;
    contentType: string;
    originalFilename: string;
    width: number;
    height: number;
    duration: number;
    thumbhash: string;
    fileSize: number;
    /** Keys in the device store; "" for a rendition that could not be made. */
    files: QueuedFiles;
  };
  "media.update": { mediaId: string; changes: { caption?: string; tags?: string[]; alt?: string } };
  "media.delete": { mediaId: string };
  "like.set": { mediaId: string; userId: string; on: boolean };
  "comment.create": {
    commentId: string;
    mediaId: string;
    userId: string;
    username: string;
    text: string;
  };
  "comment.delete": { commentId: string; mediaId: string };
  "follow.set": { userId: string; otherId: string; on: boolean };
  "block.set": { userId: string; otherId: string; on: boolean };
  "report.create": { mediaId: string; userId: string; reason: string };
  "conversation.create": { conversationId: string; userId: string; otherId: string };
  "message.send": {
    messageId: string;
    conversationId: string;
    userId: string;
    text: string;
    /** When it was written, seconds. */
    timestamp: number;
  };
  "message.photo": {
    messageId: string;
    conversationId: string;
    userId: string;
    text: string;
    timestamp: number;
    contentType: string;
    originalFilename: string;
    /** Keys in the device store; "" for a thumbnail that could not be made. */
    files: Pick<QueuedFiles, "file" | "thumbnail">;
  };
  "message.delete": { messageId: string; conversationId: string };
  /** `seen`: ids of what had been read when the server's history changed. */
  "conversation.read": { conversationId: string; seen?: string[] };
  "profile.update": {
    userId: string;
    changes: { username?: string; bio?: string };
    /** Keys in the device store; "" leaves the picture, "delete" removes it. */
    picture: string;
    thumbnail: string;
    /** The picture's address when the server's history changed. */
    stood?: string;
  };
  "view.record": { mediaId: string; session: string };
}
