/** Bytes free for us on the disk that holds `dir`, or null where the system does not say (`df` is missing). */
export function freeDiskBytes(dir: string): number | null {
  try {
    // POSIX format: one line per file system, 1,024-byte blocks, the fourth column is what is available.
    const lines = toString($os.cmd("df", "-Pk", dir).output())
      .trim()
      .split("\n");
    const blocks = Number((lines[lines.length - 1] ?? "").split(/\s+/)[3]);
    return Number.isFinite(blocks) ? blocks * 1024 : null;
  } catch {
    return null;
  }
}
