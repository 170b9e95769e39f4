/** Digests in the form that browsers and tus speak: base64 of the raw bytes. The engine has no btoa. */
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Base64 of the bytes that `hex` spells. */
export function base64FromHex(hex: string): string {
  let out = "";
  for (let at = 0; at < hex.length; at += 6) {
    const piece = hex.slice(at, at + 6);
    const bits = Number.parseInt(piece.padEnd(6, "0"), 16);
    const bytes = piece.length / 2;
    for (let i = 0; i < 4; i++) {
      out += i <= bytes ? ALPHABET.charAt((bits >> (18 - 6 * i)) & 63) : "=";
    }
  }
  return out;
}

/** SHA-256 of `text` (as UTF-8) in base64. */
export const sha256Base64 = (text: string): string => base64FromHex($security.sha256(text));
