/** Addresses of the app's pages (specification §2): built here, never spelled elsewhere. */
import { mediaSlug } from "./slugs";

export const paths = {
  home: "/",
  login: "/login",
  signup: "/signup",
  upload: "/upload",
  outbox: "/outbox",
  chats: "/chat",
  terms: "/terms",
  privacy: "/privacy",
  /** Encoded: the name stands in the address as it is (specification §2). */
  user: (username: string): string => `/user/${encodeURIComponent(username)}`,
  admin: "/admin",
  profile: "/profile",
  settings: "/profile?tab=settings",
  chat: (conversationId: string): string => `/chat/${conversationId}`,
  /** The gallery with what `text` finds; a word behind `#` is a tag. */
  search: (text: string): string => `/?q=${encodeURIComponent(text)}`,
  tag: (tag: string): string => `/?q=${encodeURIComponent(`#${tag}`)}`,
  slug: (slug: string): string => `/view/${slug}`,
  media: (media: { id: string; caption: string }): string => `/view/${mediaSlug(media)}`,
};
