/** Addresses of the app's pages (specification §2): built here, never spelled elsewhere. */
import { mediaSlug } from "./slugs";

export const paths = {
  home: "/",
  login: "/login",
  signup: "/signup",
  upload: "/upload",
  outbox: "/outbox",
  terms: "/terms",
  privacy: "/privacy",
  media: (media: { id: string; caption: string }): string => `/view/${mediaSlug(media)}`,
};
