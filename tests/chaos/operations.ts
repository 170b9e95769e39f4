/** What the people of a chaos run do on their devices. Types only: the thread of a device and the run share them. */

export type Operation =
  | {
      kind: "upload";
      caption: string;
      bytes: Uint8Array<ArrayBuffer>;
      type: "photo" | "video";
      post: { id: string; index: number } | null;
    }
  /** `pick` in [0, 1) chooses among the media that the device shows. */
  | { kind: "like"; pick: number; on: boolean }
  | { kind: "save"; pick: number; on: boolean }
  | { kind: "folder"; name: string }
  /** Into a folder of one's own, or out of all. */
  | { kind: "file-save"; mediaId: string; folderId: string }
  | { kind: "like-comment"; mediaId: string; commentId: string; on: boolean }
  /** On one of those that the device shows; or a reply to what anybody has said. */
  | { kind: "comment"; pick: number; text: string; to: Said | null }
  | { kind: "report"; pick: number; reason: string }
  | { kind: "report-person"; userId: string; reason: string }
  | { kind: "view"; pick: number }
  /** Opens a medium by its address, held or not. */
  | { kind: "look"; mediaId: string }
  /** Scrolls down to older media. */
  | { kind: "scroll"; pick: number }
  /** An admin deletes what is another's; anybody may try. */
  | { kind: "moderate"; pick: number }
  /** `on`: its comments are closed. */
  | { kind: "edit-media"; mediaId: string; alt: string; on: boolean }
  /** Of a video; an empty text removes them. */
  | { kind: "subtitles"; mediaId: string; text: string; name: string }
  | { kind: "delete-media"; mediaId: string }
  | { kind: "edit-comment"; mediaId: string; commentId: string; text: string }
  | { kind: "delete-comment"; mediaId: string; commentId: string }
  /** A person, or a tag with its sign. */
  | { kind: "follow"; userId: string; on: boolean }
  | { kind: "block"; userId: string; on: boolean }
  | { kind: "mute"; userId: string; on: boolean }
  | { kind: "profile"; bio: string }
  | { kind: "rename"; username: string }
  /** Starts the chat where there is none. A photo where there are bytes. */
  | { kind: "message"; userId: string; text: string; bytes: Uint8Array<ArrayBuffer> | null }
  | { kind: "delete-message"; userId: string; messageId: string }
  | { kind: "read"; userId: string }
  /** Opens the list of what one is told of. */
  | { kind: "hear" };

/** A comment that answers none. */
export interface Said {
  mediaId: string;
  commentId: string;
}

export type OperationKind = Operation["kind"];

/** What became of an operation on the device where it was made. */
export interface Done {
  /** Queued, or with `profile` answered; false: refused on the device, or there was nothing to do it to. */
  taken: boolean;
  /** What it turned out to be about. */
  mediaId?: string;
  commentId?: string;
  folderId?: string;
  messageId?: string;
  /** The newest that was read. */
  newsId?: string;
}

/** Which of a person's devices this is: a target belongs to one of them alone, so that the last word on it is certain. */
export interface Share {
  index: number;
  of: number;
}
