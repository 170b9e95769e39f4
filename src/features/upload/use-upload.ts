/** The upload form's state: checks the files, queues them one by one, follows them to the end. */
import { useEffect, useRef, useState } from "react";
import { newId } from "@/domain/ids";
import {
  ALT_MAX,
  CAPTION_MAX,
  POST_MAX,
  UPLOAD_REDIRECT_MS,
  UPLOAD_TICK_MS,
} from "@/domain/limits";
import { type Failure, ok } from "@/domain/result";
import { parseTags, tagsFault } from "@/domain/texts";
import { errorKey } from "@/i18n/error-text";
import type { TextKey } from "@/i18n/keys";
import { whenClient } from "@/state/client-store";
import { showFailure, showToast } from "@/state/toasts";
import { readUploadDraft, writeUploadDraft } from "@/state/unsent-text";
import { prepareMedia, retryUpload } from "@/state/upload";
import { useFocusFirstFault } from "@/ui/field";
import {
  type CommonTexts,
  isDescribed,
  isSendable,
  isUndecided,
  tally,
  textsOf,
  type UploadEntry,
} from "./upload-entry";
import { type Entries, useEntries, useInbox } from "./use-entries";

type UploadForm = CommonTexts & { rights: boolean; together: boolean };
type UploadFaults = Partial<Record<keyof UploadForm | "files", TextKey>>;

export interface UploadFormProps {
  userId: string;
  onDone: () => void;
  onCancel: () => void;
}

/** What is written of one file. */
export type OwnTexts = ReturnType<typeof textsOf>;
type OwnFaults = ReadonlyMap<number, Partial<Record<keyof OwnTexts, TextKey>>>;

export function useUpload({ userId, onDone, onCancel }: UploadFormProps) {
  const entries = useEntries();
  const [filled, setForm] = useState<UploadForm>(() => ({
    ...readUploadDraft(),
    each: false,
    rights: false,
    together: false,
  }));
  const [post] = useState(createPost);
  const [faults, setFaults] = useState<UploadFaults>({});
  const [ownFaults, setOwnFaults] = useState<OwnFaults>(new Map());
  const [run, setRun] = useState<Run>("idle");
  const { form: element, focusFirstFault } = useFocusFirstFault();
  useTicks(entries, run === "running");
  useWakeLock(run === "running" && entries.list.length > 1);
  useEnding({ entries, run, setRun, onDone });
  const isPost = filled.together && mayBePost(entries.list);
  // A post has one caption.
  const form = { ...filled, each: filled.each && !isPost };

  const set = <K extends keyof UploadForm>(field: K, value: UploadForm[K]) => {
    setForm((now) => {
      const next = { ...now, [field]: value };
      writeUploadDraft({ caption: next.caption, tags: next.tags });
      return next;
    });
    setFaults(({ [field]: _gone, ...others }) => others);
  };
  const setOwn = (id: number, field: keyof OwnTexts, text: string) => {
    entries.change(id, (now) => ({ ...now, [field]: text }));
    setOwnFaults((now) => new Map(now).set(id, { ...now.get(id), [field]: undefined }));
  };

  const submit = () => {
    if (run !== "idle") return;
    const next = uploadFaults(form, entries.list, userId);
    const own = faultsOfEach(form, entries.list);
    setFaults(next);
    setOwnFaults(own);
    if (userId === "") showFailure("upload.authRequired", "upload.authRequiredText");
    if (Object.keys(next).length > 0 || own.size > 0) return focusFirstFault();
    setRun("running");
    void entries.whileSending(() => sendAll(entries, form, isPost ? post : null));
  };
  const addFiles = (files: File[]) => {
    entries.add(files);
    setFaults(({ files: _gone, ...others }) => others);
  };
  const onText = (text: string) => set("caption", [form.caption, text].filter(Boolean).join("\n"));
  useInbox({ entries, isIdle: run === "idle", onFiles: addFiles, onText });
  const typed = { form, set, setOwn, isPost };
  const cancel = () => {
    // What is being sent goes on.
    if (run !== "running") entries.discard();
    onCancel();
  };
  return { element, entries, addFiles, ...typed, faults, ownFaults, run, submit, cancel };
}

/** Specification §5, Upload. */
export function uploadFaults(
  form: Omit<UploadForm, "together">,
  entries: readonly UploadEntry[],
  userId: string,
): UploadFaults {
  const faults: UploadFaults = {};
  if (userId === "") faults.files = "upload.userMissing";
  else if (!entries.some((entry) => isSendable(entry) || isUndecided(entry)))
    faults.files = "errors.file_missing";
  if (!form.each) Object.assign(faults, textFaults(form));
  if (!form.rights) faults.rights = "upload.termsNotAcceptedText";
  return faults;
}

/** Of the files that have any, by the ids of their entries. */
export function faultsOfEach(form: CommonTexts, entries: readonly UploadEntry[]): OwnFaults {
  const found = entries.filter(isDescribed).map((entry) => {
    const texts = textsOf(entry, form);
    const isLong = texts.alt.trim().length > ALT_MAX;
    const faults = {
      ...(form.each && textFaults(texts)),
      ...(isLong && { alt: "upload.altLong" as const }),
    };
    return [entry.id, faults] as const;
  });
  return new Map(found.filter(([, faults]) => Object.keys(faults).length > 0));
}

function textFaults(texts: Record<"caption" | "tags", string>) {
  const tags = tagsFault(parseTags(texts.tags));
  return {
    ...(texts.caption.length > CAPTION_MAX && { caption: "errors.caption_long" as const }),
    ...(tags !== null && { tags: errorKey(tags) }),
  };
}

/** How many of the files could come under one caption. */
export const countForPost = (entries: readonly UploadEntry[]): number =>
  entries.filter((one) => one.queued !== null || isSendable(one) || isUndecided(one)).length;

/** With as many as a post may have. */
const mayBePost = (entries: readonly UploadEntry[]): boolean => {
  const count = countForPost(entries);
  return count > 1 && count <= POST_MAX;
};

/**
 * Gives each file its place in one post, which stays when the form is sent again. The place of a
 * file that was taken out of the form is free again: the server has never had it.
 */
export function createPost() {
  const id = newId(Math.random);
  const places = new Map<number, number>();
  return {
    /** `chosen`: the ids of all entries that are in the form. */
    placeOf(entry: number, chosen: readonly number[]): { id: string; index: number } {
      for (const known of places.keys()) if (!chosen.includes(known)) places.delete(known);
      const before = places.get(entry);
      if (before !== undefined) return { id, index: before };
      const taken = new Set(places.values());
      let index = 0;
      while (taken.has(index)) index += 1;
      places.set(entry, index);
      return { id, index };
    },
  };
}

type Post = ReturnType<typeof createPost>;

/** One after another: each is stored in the queue before the next is touched. */
async function sendAll(entries: Entries, form: UploadForm, post: Post | null): Promise<void> {
  for (const { id } of entries.current()) {
    // At once where nothing is waited for: what failed before would look like the end of this run.
    const chosen = entries.find(id);
    if (chosen !== undefined && isUndecided(chosen)) await entries.decided(id);
    const entry = entries.find(id);
    if (entry === undefined || !isSendable(entry)) continue;
    try {
      await sendOne(entries, entry, { form, post });
    } catch {
      entries.setPhase(id, { state: "failed", code: "server", message: "" });
    }
  }
}

async function sendOne(
  entries: Entries,
  entry: UploadEntry,
  { form, post }: { form: UploadForm; post: Post | null },
): Promise<void> {
  const { id } = entry;
  const fail = ({ error: code, message = "" }: Failure) =>
    entries.setPhase(id, { state: "failed", code, message });
  entries.leave(id);
  entries.setPhase(id, { state: "preparing" });
  const client = await whenClient();
  let { queued } = entry;
  if (queued !== null) await retryUpload(client, queued);
  else {
    const media = entry.prepared ? ok(entry.prepared) : await prepareMedia(entry.file);
    if (!media.success) return fail(media);
    const { caption, tags, alt } = textsOf(entry, form);
    const placed = entries.current().map((one) => one.id);
    const answer = await client.writes.uploadMedia({
      media: media.value,
      caption: caption.trim(),
      tags: parseTags(tags),
      alt: alt.trim(),
      ...(post && { post: post.placeOf(id, placed) }),
    });
    if (!answer.success) return fail(answer);
    queued = answer.value;
    entries.change(id, (now) => ({ ...now, queued: answer.value }));
    entries.forget(id);
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

/** A phone that sleeps sends no more: while several files are sent it stays awake. */
function useWakeLock(isWanted: boolean): void {
  // Outside: the device's screen.
  useEffect(() => {
    if (!isWanted) return;
    let lock: Promise<WakeLockSentinel | undefined> | undefined;
    // Let go by itself in the background, and refused where the battery is low.
    const ask = () => {
      if (document.hidden) return;
      lock = navigator.wakeLock?.request("screen").catch(() => undefined);
    };
    ask();
    document.addEventListener("visibilitychange", ask);
    return () => {
      document.removeEventListener("visibilitychange", ask);
      void lock?.then((held) => held?.release());
    };
  }, [isWanted]);
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
