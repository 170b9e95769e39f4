/** What screens show of what one has saved. Types only. */
import type { MediaView } from "@/data/shapes";

export interface Folder {
  id: string;
  name: string;
  /** How many are in it. */
  count: number;
}

export interface Folders {
  /** By name. */
  folders: Folder[];
  /** The one that the medium asked about is in; "" for none. */
  folderId: string;
}

export interface SavedPage {
  /** Those on this device, newest save first. */
  items: MediaView[];
  hasMore: boolean;
  /** Some may be missing, because the server could not be asked. */
  incomplete: boolean;
}
