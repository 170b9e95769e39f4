/** Where a resumable upload stands, by its intent's id, so that it goes on after a reload. */
import { count, defineSchema, id, text } from "./define-schema";

export interface UploadRow {
  /** The intent's id. */
  id: string;
  /** Address of the upload on the server. */
  uploadUrl: string;
  sentBytes: number;
  totalBytes: number;
}

export const uploadsSchema = defineSchema<UploadRow>({
  id: id(),
  uploadUrl: text(),
  sentBytes: count(),
  totalBytes: count(),
});
