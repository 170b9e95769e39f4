/**
 * The chosen files of an upload form: added, looked at, followed through the queue. Each also lies
 * in the inbox (media-cache/inbox.ts) until it is queued, so that the next form finds what this one
 * has not sent, and takes from there what was shared or dropped.
 */
import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import type { Client } from "@/data/client";
import type { ErrorCode } from "@/domain/error-codes";
import { createCell } from "@/lib/cell";
import {
  BROUGHT,
  dropFromInbox,
  type InboxFile,
  keepInInbox,
  letGo,
  takeFromInbox,
  takeInboxText,
} from "@/media-cache/inbox";
import { discardIntent } from "@/state/outbox";
import { showFailure } from "@/state/toasts";
import { followUpload, type QueuedUpload, type UploadOutcome } from "@/state/upload";
import { firstPhase, shrinking } from "./make-sendable";
import {
  type EntryPhase,
  isBusy,
  isShrinkable,
  MOST_FILES,
  tick,
  type UploadEntry,
  videoEdge,
  withEntryAt,
  withFate,
} from "./upload-entry";

let lastId = 0;

function newEntry(file: File, brought?: InboxFile): UploadEntry {
  lastId += 1;
  return {
    id: lastId,
    file,
    preview: null,
    size: file.size,
    phase: brought?.fault ? { state: "unfit", code: brought.fault } : { state: "checking" },
    prepared: null,
    converted: null,
    rarelyPlays: false,
    missing: null,
    queued: null,
    inbox: brought?.key ?? null,
    caption: null,
    tags: null,
    alt: "",
  };
}

interface Inbox {
  current: () => readonly UploadEntry[];
  find: (id: number) => UploadEntry | undefined;
  change: (id: number, how: (entry: UploadEntry) => UploadEntry) => void;
}

/** What may be well the next time: the code that would look at it did not come. */
const PASSING: readonly ErrorCode[] = ["internal", "converter_missing"];

/** Nothing can become of it: the next form would show it in vain. */
function isHopeless(entry: UploadEntry): boolean {
  const { phase } = entry;
  if (phase.state !== "unfit" || isShrinkable(entry) || videoEdge(entry) !== null) return false;
  return !PASSING.includes(phase.code) && phase.video?.way !== "missing";
}

/** The form's side of the inbox. */
function inboxOf({ current, find, change }: Inbox) {
  let isOpen = false;
  let isSending = false;
  let isDiscarded = false;
  const spared: string[] = [];
  const keys = () => current().flatMap(({ inbox }) => inbox ?? []);
  const letAllGo = () => letGo(keys());
  const drop = (dropped: string[]) => void dropFromInbox(dropped).catch(() => undefined);
  return {
    /** The next form would find it. */
    async keep({ id, file }: UploadEntry): Promise<void> {
      const inbox = await keepInInbox(file);
      if (inbox === null) return;
      const entry = find(id);
      if (isDiscarded || entry?.queued !== null || isHopeless(entry)) drop([inbox]);
      else if (isOpen || isSending) change(id, (now) => ({ ...now, inbox }));
      else letGo([inbox]);
    },
    forget(id: number): void {
      const inbox = find(id)?.inbox;
      if (inbox) drop([inbox]);
    },
    /** Once it is clear what becomes of it. */
    judge(id: number): void {
      const entry = find(id);
      if (entry?.inbox && isHopeless(entry)) drop([entry.inbox]);
    },
    /** The next form has room for them. */
    spare(keys: string[]): void {
      spared.push(...keys);
      letGo(keys);
    },
    /** The next form is to begin with nothing. */
    discard(): void {
      isDiscarded = true;
      drop([...keys(), ...spared]);
    },
    /** A form that is left goes on sending: until then no other one may take its files. */
    async whileSending(send: () => Promise<void>): Promise<void> {
      isSending = true;
      await send();
      isSending = false;
      if (!isOpen) letAllGo();
    },
    isOpen: () => isOpen,
    begin(): void {
      isOpen = true;
    },
    end(): void {
      isOpen = false;
      if (!isSending && !isDiscarded) letAllGo();
    },
  };
}

interface Adding extends Pick<Inbox, "current" | "change"> {
  set: (entries: readonly UploadEntry[]) => void;
  check: (id: number, over: Promise<void>) => void;
  inbox: ReturnType<typeof inboxOf>;
}

/** What joins the list, as far as there is room. */
function adding({ current, set, check, change, inbox }: Adding) {
  const roomFor = (files: readonly unknown[]): number => {
    const room = Math.max(0, MOST_FILES - current().length);
    if (files.length > room) showFailure("upload.tooMany");
    return room;
  };
  const begin = (fresh: readonly UploadEntry[]) => {
    set([...current(), ...fresh]);
    for (const entry of fresh) {
      if (entry.phase.state === "checking") check(entry.id, firstPhase(entry, change));
      else inbox.judge(entry.id);
    }
  };
  return {
    add(files: readonly File[]) {
      const fresh = files.slice(0, roomFor(files)).map((file) => newEntry(file));
      begin(fresh);
      for (const entry of fresh) void inbox.keep(entry);
    },
    addBrought(files: readonly InboxFile[]) {
      const room = roomFor(files);
      begin(files.slice(0, room).map((brought) => newEntry(brought.file, brought)));
      inbox.spare(files.slice(room).map(({ key }) => key));
    },
  };
}

/** What is found out of many files within so long is drawn together, milliseconds. */
const TOGETHER_MS = 50;

const isUnseen = ({ preview }: UploadEntry): boolean => preview === null;

function createList() {
  const shown = createCell<readonly UploadEntry[]>([]);
  let list = shown.getSnapshot();
  let soon: ReturnType<typeof setTimeout> | undefined;
  const show = () => {
    clearTimeout(soon);
    soon = undefined;
    shown.set(list);
  };
  const set = (entries: readonly UploadEntry[]) => {
    list = entries;
    show();
  };
  const setSoon = (entries: readonly UploadEntry[]) => {
    const isLast = list.some(isUnseen) && !entries.some(isUnseen);
    list = entries;
    // The last picture has nothing to wait for.
    if (isLast) show();
    else soon ??= setTimeout(show, TOGETHER_MS);
  };
  return {
    subscribe: shown.subscribe,
    /** What is on the screen; `current` is what is known. */
    getSnapshot: shown.getSnapshot,
    current: () => list,
    set,
    setSoon,
  };
}

function createEntries() {
  const cell = createList();
  /** Functions that stop following a queued file, by the id of its entry. */
  const leaves = new Map<number, () => void>();
  /** Checks and conversions that are not over, by the id of the entry. */
  const checks = new Map<number, Promise<unknown>>();
  const { current } = cell;
  const find = (id: number) => current().find((entry) => entry.id === id);
  const changed = (id: number, how: (entry: UploadEntry) => UploadEntry) =>
    current().map((entry) => (entry.id === id ? how(entry) : entry));
  const change: Inbox["change"] = (id, how) => cell.set(changed(id, how));
  const changeSoon: Inbox["change"] = (id, how) => cell.setSoon(changed(id, how));
  const setPhase = (id: number, phase: EntryPhase) => change(id, (now) => ({ ...now, phase }));
  const leave = (id: number) => {
    leaves.get(id)?.();
    leaves.delete(id);
  };
  /** An upload that is asked for meanwhile waits until it is over. */
  const check = (id: number, over: Promise<void>) =>
    void checks.set(
      id,
      over.finally(() => {
        checks.delete(id);
        inbox.judge(id);
      }),
    );
  const inbox = inboxOf({ ...cell, find, change });
  const smaller = shrinking({ current, find, change, check });
  return {
    ...cell,
    find,
    change,
    setPhase,
    leave,
    follow(id: number, client: Client, queued: QueuedUpload) {
      leave(id);
      if (!inbox.isOpen()) return;
      const onOutcome = (fate: UploadOutcome) => change(id, (entry) => withFate(entry, fate));
      leaves.set(id, followUpload(client, queued, onOutcome));
    },
    tickAll: () => cell.set(current().map(tick)),
    ...adding({ ...cell, check, change: changeSoon, inbox }),
    decided: async (id: number): Promise<void> => void (await checks.get(id)),
    remove(id: number) {
      const gone = find(id);
      if (gone === undefined || isBusy(gone)) return;
      inbox.forget(id);
      cell.set(current().filter((entry) => entry.id !== id));
      leave(id);
      if (gone.preview) URL.revokeObjectURL(gone.preview);
      // A refused file has a row in the queue: removing it here discards that too.
      if (gone.phase.state === "failed" && gone.queued) void discardIntent(gone.queued.intentId);
    },
    ...smaller,
    ...inbox,
    /** An effect. Object addresses keep their files in memory until they are revoked. */
    open() {
      inbox.begin();
      return () => {
        smaller.stopAll();
        inbox.end();
        for (const { id, preview } of current()) {
          leave(id);
          if (preview) URL.revokeObjectURL(preview);
        }
      };
    },
  };
}

/** What the system opens with the app. TypeScript's library does not know it yet. */
interface LaunchQueue {
  setConsumer(take: (launch: { files: readonly FileSystemFileHandle[] }) => void): void;
}

const wasReloaded = (): boolean => {
  const [start] = performance.getEntriesByType("navigation");
  return start instanceof PerformanceNavigationTiming && start.type === "reload";
};

interface InboxOptions {
  entries: Entries;
  /** Nothing joins what is being sent. */
  isIdle: boolean;
  onFiles: (files: File[]) => void;
  onText: (text: string) => void;
}

/** Takes what was shared, dropped, or left by a form that was not sent; and its words. */
export function useInbox({ entries, ...options }: InboxOptions): void {
  const { addBrought, isOpen } = entries;
  const { isIdle } = options;
  const latest = useRef(options);
  latest.current = options;
  // Outside: the device's storage, and the system.
  useEffect(() => {
    if (!isIdle) return;
    const take = async () => {
      const files = await takeFromInbox();
      if (!isOpen() || !latest.current.isIdle) return letGo(files.map(({ key }) => key));
      if (files.length > 0) addBrought(files);
      const text = await takeInboxText();
      if (text !== "") latest.current.onText(text);
    };
    void take().catch(() => undefined);
    const add = (files: File[]) => {
      if (latest.current.isIdle) latest.current.onFiles(files);
    };
    const onBrought = (event: Event) => add((event as CustomEvent<File[]>).detail);
    window.addEventListener(BROUGHT, onBrought);
    const { launchQueue } = window as { launchQueue?: LaunchQueue };
    // A reload gives the files of the launch again.
    if (!wasReloaded()) {
      launchQueue?.setConsumer(({ files }) => {
        const opening = Promise.all(files.map((handle) => handle.getFile()));
        void opening.then(add, () => showFailure("errors.file_missing"));
      });
    }
    return () => window.removeEventListener(BROUGHT, onBrought);
  }, [addBrought, isOpen, isIdle]);
}

export function useEntries() {
  const [entries] = useState(createEntries);
  // Outside: object addresses and the queue of the client.
  useEffect(() => entries.open(), [entries]);
  const move = (id: number, to: number) => entries.set(withEntryAt(entries.current(), id, to));
  return { ...entries, move, list: useSyncExternalStore(entries.subscribe, entries.getSnapshot) };
}

export type Entries = ReturnType<typeof useEntries>;
