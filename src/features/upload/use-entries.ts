/** The chosen files: adding, looking at, shrinking, removing. */
import { useCallback, useEffect, useRef, useState } from "react";
import type { Text } from "@/i18n/keys";
import { whenClient } from "@/state/client-store";
import { showToast } from "@/state/toasts";
import { firstFault, shrinkPhoto } from "@/state/upload";
import { isBusy, MOST_FILES, type UploadEntry } from "./upload-entry";

export type Change = (id: number, change: (entry: UploadEntry) => UploadEntry) => void;

export interface Entries {
  list: readonly UploadEntry[];
  /** The same, readable between renders. */
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

export function useEntries(): Entries {
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
      if (all.length > room) {
        showToast({ title: { key: "upload.tooMany" } satisfies Text, variant: "destructive" });
      }
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
  // Outside: object addresses keep their files in memory until they are given back.
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

/** A refused one has a row in the queue: removing it here discards that too. */
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
