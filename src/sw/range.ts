/** One byte range of a cached answer (RFC 9110, section 14). Players seek with it. */

/** First and last byte that `header` asks for, or null where a file of `size` bytes has none of them. */
export function rangeOf(header: string, size: number): { first: number; last: number } | null {
  const [, from = "", to = ""] = /^bytes=(\d*)-(\d*)$/.exec(header.trim()) ?? [];
  if (from === "" && to === "") return null;
  const first = from === "" ? Math.max(0, size - Number(to)) : Number(from);
  const last = from === "" || to === "" ? size - 1 : Math.min(Number(to), size - 1);
  return first <= last && first < size ? { first, last } : null;
}

/** The part of `whole` that `header` asks for. */
export async function partOf(whole: Response, header: string): Promise<Response> {
  const blob = await whole.blob();
  const range = rangeOf(header, blob.size);
  if (range === null) {
    return new Response(null, {
      status: 416,
      headers: { "Content-Range": `bytes */${blob.size}` },
    });
  }
  const part = blob.slice(range.first, range.last + 1);
  const headers = new Headers(whole.headers);
  headers.set("Content-Range", `bytes ${range.first}-${range.last}/${blob.size}`);
  headers.set("Content-Length", String(part.size));
  headers.set("Accept-Ranges", "bytes");
  return new Response(part, { status: 206, headers });
}
