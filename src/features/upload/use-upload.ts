/** The upload form's doing: checks, queueing one file after another, following them, and going home. */
import { useCallback, useEffect, useRef, useState } from "react";
import { CAPTION_MAX, UPLOAD_REDIRECT_MS, UPLOAD_TICK_MS } from "@/domain/limits";
import { parseTags, tagsFault } from "@/domain/tags";
import { errorKey } from "@/i18n/error-text";
import type { TextKey } from "@/i18n/keys";
import { whenClient } from "@/state/client-store";
import { showToast } from "@/state/toasts";
import { readUploadDraft, writeUploadDraft } from "@/state/unsent-text";
import { followUpload, prepareMedia, retryUpload } from "@/state/upload";
import { useFocusFirstFault } from "@/ui/use-focus-first-fault";
import { isSendable, tally, tick, type UploadEntry, withFate } from "./upload-entry";
import { type Entries, useEntries } from "./use-entries";

export interface UploadFaults {
  files?: TextKey;
  caption?: TextKey;
  tags?: TextKey;
  rights?: TextKey;
}

export interface UploadForm {
  caption: string;
  tags: string;
  rights: boolean;
}

export function useUpload(userId: string, onDone: () => void) {
  const entries = useEntries();
  const [form, setForm] = useState<UploadForm>(() => ({
    ...readUploadDraft(),
    rights: false,
  }));
  const [faults, setFaults] = useState<UploadFaults>({});
  const [run, setRun] = useState<"idle" | "running" | "ended">("idle");
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
    if (userId === "") toast("upload.authRequired", "upload.authRequiredText");
    else if (next.files !== undefined) toast("upload.noFiles", next.files);
    else if (next.rights !== undefined)
      toast("upload.termsNotAccepted", "upload.termsNotAcceptedText");
    if (Object.keys(next).length > 0) return focusFirstFault();
    setRun("running");
    void sendAll(entries, form);
  };
  return { element, entries, form, set, faults, run, submit };
}

const toast = (title: TextKey, description: TextKey): void =>
  showToast({ title: { key: title }, description: { key: description }, variant: "destructive" });

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

/** One after another; each is safe on this device before the next is touched. */
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

/** Every 200 ms while something is sent without a figure (specification §4). */
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

interface Ending {
  entries: Entries;
  run: "idle" | "running" | "ended";
  setRun: (run: "idle" | "running" | "ended") => void;
  onDone: () => void;
}

/** Follows what is queued; when everything has its fate, says so, and goes home unless something failed. */
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
  // Outside: the clock; everything has been said when it rings.
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
function showEnd({
  uploaded,
  queued,
  failed,
}: {
  uploaded: number;
  queued: number;
  failed: number;
}) {
  if (failed > 0) {
    showToast({
      title: { key: "upload.errorsTitle" },
      description: { key: "upload.errorsText", params: { count: failed } },
      variant: "destructive",
    });
  } else if (queued > 0) {
    showToast({
      title: { key: "upload.queuedTitle" },
      description: { key: "upload.queuedText", params: { count: queued } },
    });
  } else {
    showToast({
      title: { key: "upload.successTitle" },
      description: { key: "upload.successText", params: { count: uploaded } },
    });
  }
}
