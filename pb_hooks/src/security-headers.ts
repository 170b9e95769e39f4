/**
 * The headers of everything the app itself is made of. Scripts run only from this origin or when they stand in
 * the page the server sends (by hash), so that text which slips into a page can never run.
 */
import { sha256Base64 } from "./digest";

const INLINE = /<(script|style)\b([^>]*)>([\s\S]*?)<\/\1>/gi;

/** CSP sources for the inline elements `tag` of `page`. */
function inlineHashes(page: string, tag: "script" | "style"): string[] {
  const hashes = new Set<string>();
  for (const [, name = "", attributes = "", text = ""] of page.matchAll(INLINE)) {
    const isFile = /\bsrc\s*=/i.test(attributes);
    if (name.toLowerCase() === tag && !isFile && text !== "") {
      hashes.add(`'sha256-${sha256Base64(text)}'`);
    }
  }
  return [...hashes];
}

/** The policy for `page`, the text of index.html as it is sent. */
export function contentSecurityPolicy(page: string): string {
  return [
    "default-src 'none'",
    ["script-src 'self'", ...inlineHashes(page, "script")].join(" "),
    ["style-src 'self'", ...inlineHashes(page, "style")].join(" "),
    // Sizes and placeholder colours of pictures are attributes in the snapshot that paints first.
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "form-action 'self'",
  ].join("; ");
}

/** Sets the headers that page, scripts, worker and pictures of the app share. */
export function setSecurityHeaders(e: core.RequestEvent, policy: string): void {
  const headers = e.response.header();
  headers.set("Content-Security-Policy", policy);
  headers.set("X-Content-Type-Options", "nosniff");
  headers.set("X-Frame-Options", "DENY");
  headers.set("Referrer-Policy", "strict-origin-when-cross-origin");
  headers.set(
    "Permissions-Policy",
    "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
  );
  headers.set("Cross-Origin-Opener-Policy", "same-origin");
  headers.set("Cross-Origin-Resource-Policy", "same-origin");
}
