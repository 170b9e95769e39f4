/**
 * tus checksums of the bytes that one request added to a partial file. SHA-256, SHA-512 and MD5 are the engine's
 * host's own; it has no SHA-1, which tus asks for, and the engine would take two seconds a megabyte: the system's
 * `sha1sum` (or `shasum`) does it, and where there is neither, SHA-1 is not offered.
 */
import { base64FromHex } from "./digest";
import { openPartialAt } from "./partial-files";

type Algorithm = "sha1" | "sha256" | "sha512" | "md5";

/** These bytes stand in memory while they are digested; a larger request must go without a checksum. */
const CHECKSUM_MAX_BYTES = 16 * 1024 * 1024;

export interface Checksum {
  algorithm: Algorithm;
  /** Base64. */
  value: string;
}

const SHA1_TOOLS: readonly (readonly string[])[] = [["sha1sum"], ["shasum", "-a", "1"]];

/** The command line that digests its input with SHA-1, or null. */
function sha1Tool(): readonly string[] | null {
  const folders = $os.getenv("PATH").split(":").filter(Boolean);
  const exists = (name: string) =>
    folders.some((folder) => {
      try {
        return !$os.stat($filepath.join(folder, name)).isDir();
      } catch {
        return false;
      }
    });
  return SHA1_TOOLS.find(([name = ""]) => exists(name)) ?? null;
}

/** For `Tus-Checksum-Algorithm`. */
export const algorithms = (): Algorithm[] =>
  sha1Tool() === null ? ["sha256", "sha512", "md5"] : ["sha1", "sha256", "sha512", "md5"];

/** The parsed `Upload-Checksum` of a request of `length` bytes; null when we cannot check it. */
export function parseChecksum(text: string, length: number): Checksum | null {
  const [name = "", value = ""] = text.trim().split(" ");
  const algorithm = algorithms().find((known) => known === name);
  if (!algorithm || !/^[A-Za-z0-9+/]+={0,2}$/.test(value)) return null;
  if (algorithm !== "sha1" && length > CHECKSUM_MAX_BYTES) return null;
  return { algorithm, value };
}

function hexDigest(file: os.File, algorithm: Algorithm): string {
  if (algorithm === "sha1") {
    const [name = "", ...args] = sha1Tool() ?? [];
    const command = $os.cmd(name, ...args);
    command.stdin = file;
    return toString(command.output()).slice(0, 40);
  }
  // A Go string passes through the engine untouched as long as no script looks into it.
  const bytes = readerToString(file, CHECKSUM_MAX_BYTES);
  return $security[algorithm](bytes);
}

/** Whether the bytes from `offset` to the end of the partial file have this checksum. */
export const matchesChecksum = (
  app: CoreApp,
  id: string,
  offset: number,
  { algorithm, value }: Checksum,
): boolean =>
  openPartialAt(app, id, offset, (file) => base64FromHex(hexDigest(file, algorithm)) === value);
