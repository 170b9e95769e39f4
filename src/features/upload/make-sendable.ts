/**
 * What happens to a chosen file until it can be sent: it is looked at, gets a small picture of
 * itself, and is converted by itself or shrunk when that is asked for.
 */
import type { PreparedMedia } from "@/data/shapes";
import type { ConvertiblePicture } from "@/domain/media-files";
import { failed, ok, type Result } from "@/domain/result";
import {
  type FirstLook,
  firstLook,
  judgePicture,
  lookAtVideo,
  prepareMedia,
  shrinkPhoto,
  shrinkVideo,
  smallPicture,
} from "@/state/upload";
import { type EntryPhase, isShrinkable, type UploadEntry, videoEdge } from "./upload-entry";

/** What stands for the file from now on, and is shown where the file itself cannot be. */
function withPrepared(
  entry: UploadEntry,
  prepared: PreparedMedia,
  converted: ConvertiblePicture | null,
): UploadEntry {
  const { size } = prepared.file;
  const ready = { ...entry, prepared, converted, size, phase: { state: "ready" } as const };
  if (converted === null) return ready;
  if (entry.preview) URL.revokeObjectURL(entry.preview);
  return { ...ready, preview: URL.createObjectURL(prepared.preview ?? prepared.file) };
}

/** A large picture itself would take a gigabyte as its own preview. "" where there is none yet. */
async function previewOf(file: File, look: FirstLook): Promise<Result<string>> {
  if (look.state === "video") return ok(URL.createObjectURL(file));
  if (look.state !== "picture") return ok("");
  const small = await smallPicture(file).catch(() => failed("internal"));
  return small.success ? ok(URL.createObjectURL(small.value)) : small;
}

/**
 * As `judgePicture`, and broken where it cannot be drawn; what breaks off needs an end first. Of
 * many files all are drawn first, because people look at them.
 */
async function judgeDrawn(file: File, drawing: Promise<Result<string>>) {
  const drawn = await drawing;
  const judged = await judgePicture(file).catch(() => failed("internal"));
  if (!judged.success || judged.value.isCut) return judged;
  return !drawn.success && drawn.error === "file_broken" ? drawn : judged;
}

/** Decides whether a chosen file can be sent, and converts it where it cannot as it is. */
export async function firstPhase(
  { id, file }: UploadEntry,
  changeEntry: Shrinkable["change"],
): Promise<void> {
  const change = (how: (entry: UploadEntry) => UploadEntry) => changeEntry(id, how);
  const setPhase = (phase: EntryPhase) => change((now) => ({ ...now, phase }));
  const look = await firstLook(file);
  const drawing = previewOf(file, look);
  void drawing.then((drawn) => {
    const preview = drawn.success ? drawn.value : "";
    let isUsed = false;
    change((now) => {
      isUsed = true;
      return { ...now, preview };
    });
    if (!isUsed) URL.revokeObjectURL(preview);
  });
  if (look.state === "picture") {
    const judged = await judgeDrawn(file, drawing);
    if (!judged.success) return setPhase({ state: "unfit", code: judged.error });
    const missing = judged.value.isCut ? "upload.cutShort" : null;
    return change((now) => ({ ...now, missing, phase: { state: "ready" } }));
  }
  if (look.state === "unfit") return setPhase(look);
  if (look.state === "video") {
    const seen = await lookAtVideo(file).catch(() => failed("internal"));
    if (!seen.success) return setPhase({ state: "unfit", code: seen.error });
    const { tooLarge } = seen.value;
    if (tooLarge) return setPhase({ state: "unfit", code: "video_too_large", video: tooLarge });
    const rarelyPlays = !seen.value.playsEverywhere;
    return change((now) => ({
      ...now,
      rarelyPlays: now.rarelyPlays || rarelyPlays,
      phase: { state: "ready" },
    }));
  }
  setPhase({ state: "converting" });
  // Where the code that prepares files does not come, nothing is known of the file.
  const made = await prepareMedia(file).catch(() => failed("internal"));
  const missing = look.isAnimation ? "upload.firstPicture" : null;
  if (made.success) change((now) => ({ ...withPrepared(now, made.value, look.format), missing }));
  else
    change((now) => ({
      ...now,
      converted: look.format,
      phase: { state: "unfit", code: made.error },
    }));
}

interface Shrinkable {
  current: () => readonly UploadEntry[];
  find: (id: number) => UploadEntry | undefined;
  change: (id: number, how: (entry: UploadEntry) => UploadEntry) => void;
  check: (id: number, over: Promise<void>) => void;
}

/** What makes smaller copies of what is too large. */
export function shrinking({ current, find, change, check }: Shrinkable) {
  const setPhase = (id: number, phase: EntryPhase) => change(id, (now) => ({ ...now, phase }));
  /** What calls off the making of a smaller video, by the id of its entry. */
  const stops = new Map<number, AbortController>();
  const shrinkEntry = async ({ id, file }: UploadEntry): Promise<void> => {
    setPhase(id, { state: "shrinking" });
    const answer = await shrinkPhoto(file).catch(() => failed("internal"));
    if (!answer.success) return setPhase(id, { state: "unfit", code: answer.error });
    change(id, (now) => withPrepared(now, answer.value, now.converted));
  };
  const shrinkFilm = async ({ id, file, phase: before }: UploadEntry): Promise<void> => {
    const stop = new AbortController();
    stops.set(id, stop);
    const onProgress = (progress: number) => setPhase(id, { state: "shrinking", progress });
    onProgress(0);
    const watch = { signal: stop.signal, onProgress };
    const answer = await shrinkVideo(file, watch).catch(() => failed("internal"));
    stops.delete(id);
    if (stop.signal.aborted) return setPhase(id, before);
    if (!answer.success) return setPhase(id, { ...before, state: "unfit", code: answer.error });
    change(id, (now) => ({ ...withPrepared(now, answer.value, null), rarelyPlays: false }));
  };
  const shrink = (id: number) => {
    const entry = find(id);
    if (entry === undefined) return;
    if (isShrinkable(entry)) check(id, shrinkEntry(entry));
    else if (videoEdge(entry) !== null) check(id, shrinkFilm(entry));
  };
  return {
    shrink,
    stopShrinking: (id: number) => stops.get(id)?.abort(),
    stopAll() {
      for (const stop of stops.values()) stop.abort();
    },
    /** The worker takes one after another, so that only one large picture is in memory. */
    shrinkAll() {
      for (const { id } of current().filter(isShrinkable)) shrink(id);
    },
  };
}
