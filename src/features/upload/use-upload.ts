/** The upload form's state: checks the files, queues them one by one, follows them to the end. */
import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import type { Client } from "@/data/client";
import { CAPTION_MAX, UPLOAD_REDIRECT_MS, UPLOAD_TICK_MS } from "@/domain/limits";
import { type Failure, ok } from "@/domain/result";
import { parseTags, tagsFault } from "@/domain/texts";
import { errorKey } from "@/i18n/error-text";
import type { TextKey } from "@/i18n/keys";
import { createCell } from "@/lib/cell";
import { whenClient } from "@/state/client-store";
import { discardIntent } from "@/state/outbox";
import { showFailure, showToast } from "@/state/toasts";
import { readUploadDraft, writeUploadDraft } from "@/state/unsent-text";
import {
  firstFault,
  followUpload,
  prepareMedia,
  type QueuedUpload,
  retryUpload,
  shrinkPhoto,
  type UploadOutcome,
} from "@/state/upload";
import { useFocusFirstFault } from "@/ui/field";
import {
  type EntryPhase,
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

  const set = <K extends keyof UploadForm>(field: K, value: UploadForm[K]) => {
    setForm((now) => {
      const next = { ...now, [field]: value };
      writeUploadDraft({ caption: next.caption, tags: next.tags });
      return next;
    });
    setFaults(({ [field]: _gone, ...others }) => others);
  };

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
    const entry = entries.find(id);
    if (entry === undefined) continue;
    try {
      await sendOne(entries, entry, form);
    } catch {
      entries.setPhase(id, { state: "failed", code: "server", message: "" });
    }
  }
}

async function sendOne(entries: Entries, entry: UploadEntry, form: UploadForm): Promise<void> {
  const { id } = entry;
  const fail = ({ error: code, message = "" }: Failure) =>
    entries.setPhase(id, { state: "failed", code, message });
  entries.leave(id);
  entries.setPhase(id, { state: "preparing" });
  const client = await whenClient();
  let { queued } = entry;
  if (queued !== null) await retryUpload(client, queued);
  else {
    const media = entry.shrunk ? ok(entry.shrunk) : await prepareMedia(entry.file);
    if (!media.success) return fail(media);
    const { caption, tags } = form;
    const draft = { media: media.value, caption: caption.trim(), tags: parseTags(tags) };
    const answer = await client.writes.uploadMedia(draft);
    if (!answer.success) return fail(answer);
    queued = answer.value;
    entries.change(id, (now) => ({ ...now, queued: answer.value }));
  }
  entries.setPhase(id, { state: "uploading", progress: 0 });
  entries.follow(id, client, queued);
}

/** Every 200 ms while sending without a real figure (specification §4). */
function useTicks({ tickAll }: Entries, running: boolean): void {
  // Outside: the clock.
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(tickAll, UPLOAD_TICK_MS);
    return () => clearInterval(timer);
  }, [running, tickAll]);
}

type Run = "idle" | "running" | "ended";
type Ending = { entries: Entries; run: Run; setRun: (run: Run) => void; onDone: () => void };

/** Once all files are settled, reports it, and goes home unless one failed. */
function useEnding({ entries: { list }, run, setRun, onDone }: Ending): void {
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

function createEntries() {
  const cell = createCell<readonly UploadEntry[]>([]);
  /** Functions that stop following a queued file, by the id of its entry. */
  const leaves = new Map<number, () => void>();
  let isOpen = false;
  const current = cell.getSnapshot;
  const find = (id: number) => current().find((entry) => entry.id === id);
  const change = (id: number, how: (entry: UploadEntry) => UploadEntry) =>
    cell.set(current().map((entry) => (entry.id === id ? how(entry) : entry)));
  const setPhase = (id: number, phase: EntryPhase) => change(id, (now) => ({ ...now, phase }));
  const leave = (id: number) => {
    leaves.get(id)?.();
    leaves.delete(id);
  };
  return {
    subscribe: cell.subscribe,
    current,
    find,
    change,
    setPhase,
    leave,
    follow(id: number, client: Client, queued: QueuedUpload) {
      leave(id);
      if (!isOpen) return;
      const onOutcome = (fate: UploadOutcome) => change(id, (entry) => withFate(entry, fate));
      leaves.set(id, followUpload(client, queued, onOutcome));
    },
    tickAll: () => cell.set(current().map(tick)),
    add(files: Iterable<File>) {
      const room = Math.max(0, MOST_FILES - current().length);
      const all = [...files];
      if (all.length > room) showFailure("upload.tooMany");
      const fresh = all.slice(0, room).map(newEntry);
      cell.set([...current(), ...fresh]);
      for (const { id, file } of fresh) {
        void firstFault(file).then((code) =>
          setPhase(id, code === null ? { state: "ready" } : { state: "unfit", code }),
        );
      }
    },
    remove(id: number) {
      const gone = find(id);
      if (gone === undefined || isBusy(gone)) return;
      cell.set(current().filter((entry) => entry.id !== id));
      leave(id);
      URL.revokeObjectURL(gone.preview);
      // A refused file has a row in the queue: removing it here discards that too.
      if (gone.phase.state === "failed" && gone.queued) void discardIntent(gone.queued.intentId);
    },
    async shrink(id: number) {
      const entry = find(id);
      if (entry?.phase.state !== "unfit") return;
      setPhase(id, { state: "shrinking" });
      const answer = await shrinkPhoto(entry.file);
      if (!answer.success) return setPhase(id, { state: "unfit", code: answer.error });
      const { value: shrunk } = answer;
      const size = shrunk.file.size;
      change(id, (now) => ({ ...now, shrunk, size, phase: { state: "ready" } }));
    },
    /** An effect. Object addresses keep their files in memory until they are revoked. */
    open() {
      isOpen = true;
      return () => {
        isOpen = false;
        for (const { id, preview } of current()) {
          leave(id);
          URL.revokeObjectURL(preview);
        }
      };
    },
  };
}

function useEntries() {
  const [entries] = useState(createEntries);
  // Outside: object addresses and the queue of the client.
  useEffect(() => entries.open(), [entries]);
  return { ...entries, list: useSyncExternalStore(entries.subscribe, entries.current) };
}

type Entries = ReturnType<typeof useEntries>;
