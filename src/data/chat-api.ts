/** What the chat's screens read, as plain values. Types only. */

import type { Result } from "@/domain/result";
import type { Found, Live, Loaded, PendingMark } from "./client-api";

/** Somebody else: known here, gone by the server's word, or not on this device yet. */
export type Counterpart =
  | { state: "known"; username: string; thumbnailUrl: string }
  | { state: "gone" }
  | { state: "unknown" };

export interface ConversationView {
  id: string;
  otherId: string;
  other: Counterpart;
  /** Text of the newest message, what is queued among them; "" while nothing was written. */
  lastMessage: string;
  lastKind: "none" | "text" | "photo" | "deleted";
  lastByMe: boolean;
  /** Milliseconds since 1970 of the newest message, or of the conversation's beginning. */
  lastAt: number;
  /** Messages of the other that this person has not read. */
  unread: number;
  /** By the signed-in person: neither can write, and what was said stays. */
  blocked: boolean;
  /** Fate of the newest message, or of the conversation itself, while it waits or when it was refused. */
  pending: PendingMark | null;
}

export interface MessageView {
  id: string;
  conversationId: string;
  senderId: string;
  mine: boolean;
  message: string;
  type: "text" | "photo";
  /** Addresses of protected files, for `fileUrl`; object URLs while the photo waits; "" where there is none. */
  imageUrl: string;
  thumbnailUrl: string;
  /** Seconds since 1970 (specification §3). */
  timestamp: number;
  read: boolean;
  deleted: boolean;
  /** Set while it has not come back from the server, and when it was refused. */
  pending: PendingMark | null;
}

export interface MessagePage {
  /** Oldest first. */
  items: MessageView[];
  /** There are, or may be, older ones: here or on the server. */
  hasOlder: boolean;
}

/** Somebody whom this device has met: a chat with them can be started without a network. */
export interface KnownPerson {
  id: string;
  username: string;
  thumbnailUrl: string;
}

export interface ChatReads {
  /** Newest first. */
  watchConversations(): Live<Loaded<ConversationView[]>>;
  watchConversation(conversationId: string): Live<Found<ConversationView>>;
  /** The newest `limit` messages. What the device lacks of the first page is asked for by itself. */
  watchMessages(conversationId: string, limit: number): Live<Loaded<MessagePage>>;
  /** Brings older messages until `limit` are here; `more` says whether there are still older ones. */
  pullOlderMessages(conversationId: string, limit: number): Promise<Result<{ more: boolean }>>;
  /** Unread messages of everybody (resolution 37). */
  watchUnread(): Live<number>;
  /** People on this device, by name, without oneself and those one has blocked. */
  watchKnownPeople(): Live<KnownPerson[]>;
  /** Address under which this person may read a protected file, now or out of this device's cache. */
  fileUrl(url: string): Promise<string>;
}
