/**
 * The newest media, which index.html itself asks for on a first visit, so that their pictures need
 * not wait for the app. The client takes that answer for its own first request.
 */
import { PAGE_SIZE } from "@/domain/limits";

declare global {
  interface Window {
    /** `stand`: they are in the snapshot of the first screen. */
    firstMedia?: { answer: Promise<Response> | null; stand: boolean };
  }
}

/** Just as the pull asks for them. */
export const FIRST_MEDIA_PATH = `/api/collections/media/records?sort=-createdAt%2C-id&perPage=${PAGE_SIZE}&skipTotal=1`;

/** The answer to a visitor's first question for the newest media; null for every other one. */
export function takeFirstMedia(url: string, init: RequestInit = {}): Promise<Response> | null {
  const first = window.firstMedia;
  if (first === undefined || first.answer === null) return null;
  const isSame = url === location.origin + FIRST_MEDIA_PATH && (init.method ?? "GET") === "GET";
  if (!isSame || new Headers(init.headers).has("Authorization")) return null;
  const { answer } = first;
  first.answer = null;
  return answer;
}
