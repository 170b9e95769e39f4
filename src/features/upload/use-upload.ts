/** The upload form's state: checks the files, queues them one by one, follows them to the end. */
import { useCallback, useEffect, useRef, useState } from "react";
import { CAPTION_MAX, UPLOAD_REDIRECT_MS, UPLOAD_TICK_MS } from "@/domain/limits";
import { parseTags, tagsFault } from "@/domain/texts";
import { errorKey } from "@/i18n/error-text";
import type { TextKey } from "@/i18n/keys";
import { whenClient } from "@/state/client-store";
import { showFailure, showToast } from "@/state/toasts";
import { readUploadDraft, writeUploadDraft } from "@/state/unsent-text";
import { firstFault, followUpload, prepareMedia, retryUpload, shrinkPhoto } from "@/state/upload";
import { useFocusFirstFault } from "@/ui/field";
import {
  isBusy,
  isSendable,
  MOST_FILES,
  tally,
  tick,
  type UploadEntry,
  withFate,
} from "./upload-entry";

type UploadForm = { caption: string; tags: string; rights: boolean };
type UploadFaults = Partial<Record<keyof UploadForm | "files", TextKey>>;

export function useUpload(userId: string, onDone: () => void) {
  const entries = useEntries();
  const [form, setForm] = useState<UploadForm>(() => ({ ...readUploadDraft(), rights: false }));
  const [faults, setFaults] = useState<UploadFaults>({});
  const [run, setRun] = useState<Run>("idle");
  const { form: element, focusFirstFault } = useFocusFirstFault();
  useTicks(entries, run === "running");
  useEnding({ entries, run, setRun, onDone });

  const set = useCallback(<K extends keyof UploadForm>(field: K, value: UploadForm[K]) => {
    setForm((now) => {
      const next = { ...now, [field]: value };
      writeUploadDraft({ caption: next.caption, tags: next.tags });
      return next;
    });
    setFaults(({ [field]: _gone, ...others }) => others);
  }, []);

  const submit = () => {
    if (run !== "idle") return;
    const next = uploadFaults(form, entries.list, userId);
    setFaults(next);
    if (userId === "") showFailure("upload.authRequired", "upload.authRequiredText");
    else if (next.files !== undefined) showFailure("upload.noFiles", next.files);
    else if (next.rights !== undefined) showFailure("upload.termsNotAccepted", next.rights);
    if (Object.keys(next).length > 0) return focusFirstFault();
    setRun("running");
    void sendAll(entries, form);
  };
  return { element, entries, form, set, faults, run, submit };
}

/** Specification §5, Upload. */
export function uploadFaults(
  form: UploadForm,
  entries: readonly UploadEntry[],
  userId: string,
): UploadFaults {
  const faults: UploadFaults = {};
  const tags = tagsFault(parseTags(form.tags));
  if (userId === "") faults.files = "upload.userMissing";
  else if (!entries.some(isSendable)) faults.files = "errors.file_missing";
  if (form.caption.length > CAPTION_MAX) faults.caption = "errors.caption_long";
  if (tags !== null) faults.tags = errorKey(tags);
  if (!form.rights) faults.rights = "upload.termsNotAcceptedText";
  return faults;
}

/** One after another: each is stored in the queue before the next is touched. */
async function sendAll(entries: Entries, form: UploadForm): Promise<void> {
  for (const { id } of entries.current().filter(isSendable)) {
    const entry = entries.current().find((one) => one.id === id);
    if (entry === undefined) continue;
    try {
      await sendOne(entries, entry, form);
    } catch {
      entries.change(id, (now) => ({
        ...now,
        phase: { state: "failed", code: "server", message: "" },
      }));
    }
  }
}

async function sendOne(entries: Entries, entry: UploadEntry, form: UploadForm): Promise<void> {
  const { id } = entry;
  const fail = (code: Parameters<typeof errorKey>[0], message = "") =>
    entries.change(id, (now) => ({ ...now, phase: { state: "failed", code, message } }));
  entries.change(id, (now) => ({ ...now, phase: { state: "preparing" } }));
  const client = await whenClient();
  if (entry.queued !== null) {
    await retryUpload(client, entry.queued);
  } else {
    const media =
      entry.shrunk === null
        ? await prepareMedia(entry.file)
        : { success: true as const, value: entry.shrunk };
    if (!media.success) return fail(media.error, media.message);
    const queued = await client.writes.uploadMedia({
      media: media.value,
      caption: form.caption.trim(),
      tags: parseTags(form.tags),
    });
    if (!queued.success) return fail(queued.error, queued.message);
    entries.change(id, (now) => ({ ...now, queued: queued.value }));
  }
  entries.change(id, (now) => ({ ...now, phase: { state: "uploading", progress: 0 } }));
}

/** Every 200 ms while sending without a real figure (specification §4). */
function useTicks(entries: Entries, running: boolean): void {
  const { change, current } = entries;
  const latest = useRef(current);
  latest.current = current;
  // Outside: the clock.
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => {
      for (const entry of latest.current()) {
        if (entry.phase.state === "uploading") change(entry.id, tick);
      }
    }, UPLOAD_TICK_MS);
    return () => clearInterval(timer);
  }, [running, change]);
}

type Run = "idle" | "running" | "ended";
type Ending = { entries: Entries; run: Run; setRun: (run: Run) => void; onDone: () => void };

/** Follows the queued files; once all are settled, reports it, and goes home unless one failed. */
function useEnding({ entries, run, setRun, onDone }: Ending): void {
  const { list, change } = entries;
  const followed = list
    .filter((entry) => entry.phase.state === "uploading" || entry.phase.state === "queued")
    .map((entry) => `${entry.id} ${entry.queued?.mediaId} ${entry.queued?.intentId}`)
    .join(",");
  // Outside: the queue of the client.
  useEffect(() => {
    if (followed === "") return;
    const leaves: (() => void)[] = [];
    let left = false;
    void whenClient().then((client) => {
      for (const line of left ? [] : followed.split(",")) {
        const [id = "", mediaId = "", intentId = ""] = line.split(" ");
        const watch = followUpload(client, { mediaId, intentId }, (fate) =>
          change(Number(id), (entry) => withFate(entry, fate)),
        );
        leaves.push(watch);
      }
    });
    return () => {
      left = true;
      for (const leave of leaves) leave();
    };
  }, [followed, change]);

  const counts = tally(list);
  const settled =
    run === "running" && counts.busy === 0 && !list.some((one) => one.phase.state === "ready");
  const { uploaded, queued, failed } = counts;
  // Outside: the clock. All messages have been shown when it fires.
  useEffect(() => {
    if (!settled) return;
    showEnd({ uploaded, queued, failed });
    setRun(failed > 0 ? "idle" : "ended");
    if (failed === 0) writeUploadDraft({ caption: "", tags: "" });
  }, [settled, uploaded, queued, failed, setRun]);
  const done = useRef(onDone);
  done.current = onDone;
  // Outside: the clock.
  useEffect(() => {
    if (run !== "ended") return;
    const timer = setTimeout(() => done.current(), UPLOAD_REDIRECT_MS);
    return () => clearTimeout(timer);
  }, [run]);
}

/** 'Upload successful!' only for what the server has (resolutions). */
function showEnd(counts: Record<"uploaded" | "queued" | "failed", number>): void {
  const { uploaded, queued, failed } = counts;
  const [kind, count] =
    failed > 0
      ? (["errors", failed] as const)
      : queued > 0
        ? (["queued", queued] as const)
        : (["success", uploaded] as const);
  showToast({
    title: { key: `upload.${kind}Title` },
    description: { key: `upload.${kind}Text`, params: { count } },
    variant: failed > 0 ? "destructive" : "default",
  });
}

type Change = (id: number, change: (entry: UploadEntry) => UploadEntry) => void;

interface Entries {
  list: readonly UploadEntry[];
  current: () => readonly UploadEntry[];
  add: (files: Iterable<File>) => void;
  remove: (id: number) => void;
  shrink: (id: number) => void;
  change: Change;
}

let lastId = 0;

function newEntry(file: File): UploadEntry {
  lastId += 1;
  return {
    id: lastId,
    file,
    preview: URL.createObjectURL(file),
    size: file.size,
    phase: { state: "checking" },
    shrunk: null,
    queued: null,
  };
}

function useEntries(): Entries {
  const ref = useRef<readonly UploadEntry[]>([]);
  const [list, setList] = useState<readonly UploadEntry[]>([]);
  const set = useCallback((next: readonly UploadEntry[]) => {
    ref.current = next;
    setList(next);
  }, []);
  const change = useCallback<Change>(
    (id, how) => set(ref.current.map((entry) => (entry.id === id ? how(entry) : entry))),
    [set],
  );
  const add = useCallback(
    (files: Iterable<File>) => {
      const room = MOST_FILES - ref.current.length;
      const all = [...files];
      if (all.length > room) showFailure("upload.tooMany");
      const fresh = all.slice(0, Math.max(0, room)).map(newEntry);
      set([...ref.current, ...fresh]);
      for (const entry of fresh) void look(entry, change);
    },
    [change, set],
  );
  const remove = useCallback(
    (id: number) => {
      const gone = ref.current.find((entry) => entry.id === id);
      if (gone === undefined || isBusy(gone)) return;
      set(ref.current.filter((entry) => entry.id !== id));
      void forget(gone);
    },
    [set],
  );
  const shrink = useCallback((id: number) => void shrinkEntry(id, ref.current, change), [change]);
  // Outside: object addresses, which keep their files in memory until they are revoked.
  useEffect(
    () => () => {
      for (const entry of ref.current) URL.revokeObjectURL(entry.preview);
    },
    [],
  );
  return { list, current: () => ref.current, add, remove, shrink, change };
}

async function look(entry: UploadEntry, change: Change): Promise<void> {
  const code = await firstFault(entry.file);
  change(entry.id, (now) => ({
    ...now,
    phase: code === null ? { state: "ready" } : { state: "unfit", code },
  }));
}

/** A refused file has a row in the queue: removing it here discards that too. */
async function forget(entry: UploadEntry): Promise<void> {
  URL.revokeObjectURL(entry.preview);
  if (entry.phase.state !== "failed" || entry.queued === null) return;
  await (await whenClient()).outbox.discard(entry.queued.intentId);
}

async function shrinkEntry(
  id: number,
  list: readonly UploadEntry[],
  change: Change,
): Promise<void> {
  const entry = list.find((one) => one.id === id);
  if (entry === undefined || entry.phase.state !== "unfit") return;
  change(id, (now) => ({ ...now, phase: { state: "shrinking" } }));
  const answer = await shrinkPhoto(entry.file);
  change(id, (now) =>
    answer.success
      ? { ...now, shrunk: answer.value, size: answer.value.file.size, phase: { state: "ready" } }
      : { ...now, phase: { state: "unfit", code: answer.error } },
  );
}
