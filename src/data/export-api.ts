/** Everything of one's own as one archive. Types only. */
import type { Result } from "@/domain/result";

export interface ExportProgress {
  /** Files fetched so far, of `files`; 0 of 0 while it is still being looked up what there is. */
  done: number;
  files: number;
}

export interface ExportOptions {
  signal: AbortSignal;
  onProgress: (progress: ExportProgress) => void;
}

export interface ExportedData {
  /** A ZIP archive. */
  archive: Blob;
  /** How many files could not be fetched; `missing.json` in the archive names them. */
  missing: number;
}

/** Asks the server; `canceled` when `signal` fired. */
export type ExportData = (options: ExportOptions) => Promise<Result<ExportedData>>;
