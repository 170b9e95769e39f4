/** What a page sees to from its first paint until it closes, and shows nothing of. */
import { useEffect, useSyncExternalStore } from "react";
import { useNavigate } from "react-router-dom";
import { paths } from "@/domain/paths";
import { failedParts } from "@/lib/failed-part";
import { BROUGHT, putInInbox } from "@/media-cache/inbox";
import type { FromSender } from "@/media-cache/worker-messages";
import { canKeep, storedLists } from "@/state/keep-wish";
import { reloadOnce } from "@/state/reload-once";
import { useUser } from "@/state/session";
import { showFailure } from "@/state/toasts";
import { useWatch } from "@/state/use-watch";
import { keepSanitiser } from "@/ui/rich-text";
import { keepFrames } from "./keep-frame";

/** What a page begins with comes first. */
const CALM_MS = 3_000;

export function useLateEffects(): void {
  useFailedParts();
  useKeepFrames();
  useKeepSanitiser();
  useBroughtFiles();
  useOpenedNote();
  useOneFilmAtATime();
  useKeptLists();
  useKeepSaved();
}

/** From the first paint of the app until its page closes. */
function useKeepFrames(): void {
  // Outside: the page as it is drawn, and the device's storage.
  useEffect(() => {
    const root = document.getElementById("root");
    return root === null ? undefined : keepFrames(root);
  }, []);
}

/** Once there is a worker that answers for this page, and so keeps it. */
function useKeepSanitiser(): void {
  // Outside: the browser, which may have none.
  useEffect(() => {
    const { serviceWorker } = navigator;
    const keep = () => void keepSanitiser();
    if (serviceWorker?.controller) keep();
    else serviceWorker?.addEventListener("controllerchange", keep, { once: true });
    return () => serviceWorker?.removeEventListener("controllerchange", keep);
  }, []);
}

/** A tap on a notification, whose page is shown in this window (sw/sender.ts). */
function useOpenedNote(): void {
  const navigate = useNavigate();
  // Outside: the worker that shows notifications.
  useEffect(() => {
    const { serviceWorker } = navigator;
    const open = ({ data, ports }: MessageEvent<Partial<FromSender> | null>) => {
      if (data?.type !== "OPEN" || !data.path?.startsWith("/")) return;
      ports[0]?.postMessage("opened");
      void navigate(data.path);
    };
    serviceWorker?.addEventListener("message", open);
    return () => serviceWorker?.removeEventListener("message", open);
  }, [navigate]);
}

/** Cells of a table, for one, come as text and as a picture. A chat takes pictures itself. */
function isForText({ target, clipboardData }: ClipboardEvent): boolean {
  const { pathname } = window.location;
  const isField =
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches("textarea, input:not([type=file])"));
  if (pathname === paths.upload)
    return isField && clipboardData?.types.includes("text/plain") === true;
  return isField || pathname.startsWith(paths.chats);
}

/** What is dropped or pasted anywhere, and nothing else takes, goes to the upload form. */
function useBroughtFiles(): void {
  const navigate = useNavigate();
  // Outside: the page as a whole, and the device's storage.
  useEffect(() => {
    const bring = (event: Event, data: DataTransfer | null) => {
      const files = [...(data?.files ?? [])];
      const isUpload = window.location.pathname === paths.upload;
      if (event.defaultPrevented || files.length === 0) return;
      if (!isUpload && !("caches" in window)) return;
      event.preventDefault();
      if (isUpload) window.dispatchEvent(new CustomEvent(BROUGHT, { detail: files }));
      else
        void putInInbox(files).then(
          () => navigate(paths.upload),
          () => showFailure("uploadErrors.deviceFull"),
        );
    };
    // A picture of the page itself that somebody drags comes as a file, too.
    let isOurs = false;
    const listeners = {
      dragstart: () => {
        isOurs = true;
      },
      dragend: () => {
        isOurs = false;
      },
      dragover: (event: DragEvent) => {
        if (!isOurs && event.dataTransfer?.types.includes("Files")) event.preventDefault();
      },
      drop: (event: DragEvent) => {
        if (!isOurs) bring(event, event.dataTransfer);
        isOurs = false;
      },
      paste: (event: ClipboardEvent) => {
        if (!isForText(event)) bring(event, event.clipboardData);
      },
    };
    const ending = new AbortController();
    for (const [type, listener] of Object.entries(listeners))
      window.addEventListener(type, listener as EventListener, { signal: ending.signal });
    return () => ending.abort();
  }, [navigate]);
}

/** Goes on with what is to be kept on this device, where there is anything. */
function useKeptLists(): void {
  const userId = useUser()?.id;
  // Outside: the device's storage, once the page is calm; another person's go with the session.
  useEffect(() => {
    void userId;
    if (storedLists.read() === null) return;
    // Ignoring a failure: the next start tries again.
    const begin = () =>
      void import("@/state/kept-lists").then((file) => file.beginKeeping()).catch(() => undefined);
    const timer = setTimeout(begin, CALM_MS);
    return () => clearTimeout(timer);
  }, [userId]);
}

const NONE: readonly string[] = [];

/** What somebody saves, on whichever device, is kept on this one. */
function useKeepSaved(): void {
  const userId = useUser()?.id;
  const ids = useWatch(({ reads }) => reads.watchSavedIds(), [], NONE);
  // Outside: the device's storage, once the page is calm.
  useEffect(() => {
    const isNothing = ids.length === 0 && storedLists.read() === null;
    if (userId === undefined || isNothing || !canKeep()) return;
    // Ignoring a failure: the next start tries again.
    const keep = () =>
      void import("@/state/kept-lists").then((file) => file.keepSaved()).catch(() => undefined);
    const timer = setTimeout(keep, CALM_MS);
    return () => clearTimeout(timer);
  }, [ids, userId]);
}

/** The film that begins ends the others. */
function useOneFilmAtATime(): void {
  // Outside: the players of the page.
  useEffect(() => {
    const begin = ({ target }: Event) => {
      for (const film of document.querySelectorAll("video"))
        if (film !== target && !film.paused) film.pause();
    };
    // What a film does is told to its ancestors on the way down alone.
    document.addEventListener("play", begin, true);
    return () => document.removeEventListener("play", begin, true);
  }, []);
}

/** A dialog or a button that did not come: a reload brings it, unless somebody is writing. */
function useFailedParts(): void {
  const count = useSyncExternalStore(failedParts.subscribe, failedParts.getSnapshot);
  // Outside: the page itself, which may be reloaded.
  useEffect(() => {
    if (count === 0) return;
    void reloadOnce().then((reloads) => reloads || showFailure("crash.part", "crash.partText"));
  }, [count]);
}
