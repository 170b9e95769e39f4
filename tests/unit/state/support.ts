/** A medium and a storage for tests of what the screens remember. */
import type { MediaView } from "@/data/shapes";

export const mediaView = (over: Partial<MediaView> = {}): MediaView => ({
  id: "media0000000001",
  userId: "user00000000001",
  username: "ada.l",
  caption: "By the sea",
  tags: [],
  type: "photo",
  url: "/api/files/media/1/a.jpg",
  thumbnailUrl: "/api/files/media/1/t.jpg",
  previewUrl: "/api/files/media/1/p.jpg",
  subtitlesUrl: "",
  hasSubtitles: false,
  width: 900,
  height: 600,
  duration: 0,
  thumbhash: "",
  alt: "",
  originalFilename: "a.jpg",
  fileSize: 1000,
  contentType: "image/jpeg",
  likes: 0,
  comments: 0,
  commentsClosed: false,
  views: 0,
  liked: false,
  post: "",
  postIndex: 0,
  createdAt: 1,
  updatedAt: 1,
  pending: null,
  ...over,
});

/** What a browser's storage does, without one. */
export function memoryStorage(): Storage {
  const rows = new Map<string, string>();
  return {
    get length() {
      return rows.size;
    },
    clear: () => rows.clear(),
    getItem: (key) => rows.get(key) ?? null,
    key: (i) => [...rows.keys()][i] ?? null,
    removeItem: (key) => void rows.delete(key),
    setItem: (key, value) => void rows.set(key, value),
  };
}
