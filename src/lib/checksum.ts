/**
 * The checksum of some bytes in the words of `Upload-Checksum`; "" where the browser has no such
 * functions: on a page that came without TLS.
 */
export async function checksumOf(bytes: Blob): Promise<string> {
  const subtle = crypto.subtle as SubtleCrypto | undefined;
  if (subtle === undefined) return "";
  const digest = await subtle.digest("SHA-256", await bytes.arrayBuffer());
  return `sha256 ${btoa(String.fromCharCode(...new Uint8Array(digest)))}`;
}
