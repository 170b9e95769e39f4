/** What follows the first paint: toasts, prompts, notices under the top bar, the language. */
import { Globe, X } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation, useNavigate } from "react-router-dom";
import { isLanguage, LANGUAGE_NAMES, LANGUAGES } from "@/domain/languages";
import { paths } from "@/domain/paths";
import type { KeepDialog } from "@/features/device/keep-dialog";
import { plain, SayText } from "@/i18n/say";
import { loadOnlineTexts, loadPushTexts } from "@/i18n/setup";
import { failedParts } from "@/lib/failed-part";
import { withReturn } from "@/lib/return-path";
import { BROUGHT, putInInbox } from "@/media-cache/inbox";
import type { FromSender } from "@/media-cache/worker-messages";
import {
  useDoneText,
  useGuesses,
  useMessagesReadEvent,
  useNewMessage,
  useRefusalToasts,
  useSuspension,
} from "@/state/client-events";
import { keepWish, storedLists } from "@/state/keep-wish";
import { chooseLanguage, useCommunityLanguage, useGermanOffer } from "@/state/language-choice";
import { LISTS_KEYS } from "@/state/preferences";
import { usePushOffer } from "@/state/push-offer";
import { reloadOnce } from "@/state/reload-once";
import { applyUpdate, updateReady } from "@/state/service-worker";
import { useSession, useUser } from "@/state/session";
import { useStorageState } from "@/state/storage";
import { showFailure, TOAST_DURATION_MS, useToasts } from "@/state/toasts";
import { hasUnsentText, useHasUnsentText } from "@/state/unsent-text";
import { Button, buttonClasses } from "@/ui/button";
import { lazily } from "@/ui/lazily";
import { Prompt } from "@/ui/prompt";
import { keepSanitiser } from "@/ui/rich-text";
import { Toast, ToastRegion } from "@/ui/toast";
import { InstallOffer } from "./install-offer";
import { keepFrames } from "./keep-frame";
import { Keys } from "./keys";
import { hasNoGesture, PullToRefresh } from "./pull-to-refresh";

/** Nobody is told where it does not come: a held card is opened, then, as by a tap. */
const CardActions = lazily(
  () => import("@/features/media/card-actions").catch(() => ({ CardActions: () => null })),
  "CardActions",
);

/** Comes with a network alone; where it does not come, it asks another time. */
const PushOffer = lazily(
  () =>
    Promise.all([import("@/features/settings/push-offer"), loadPushTexts()]).then(
      ([file]) => ({ PushOffer: file.PushOffer }),
      () => ({ PushOffer: ({ otherwise }: { otherwise: ReactNode }) => otherwise }),
    ),
  "PushOffer",
);

/** What a page begins with comes first. */
const CALM_MS = 3_000;

export function LateParts() {
  useRefusalToasts();
  useSuspension();
  useGuesses();
  useMessagesReadEvent();
  useCommunityLanguage();
  useFailedParts();
  useKeepFrames();
  useKeepSanitiser();
  useBroughtFiles();
  useOpenedNote();
  useOneFilmAtATime();
  useKeptLists();
  return (
    <>
      <Notifications />
      <UpdatePrompt />
      <Offers />
      <Announcements />
      <Keys />
      <CardActions />
      <KeepWish />
      {hasNoGesture() && <PullToRefresh />}
    </>
  );
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

/** How much of a list is to be kept, asked wherever one is. */
function KeepWish() {
  const wish = useSyncExternalStore(keepWish.subscribe, keepWish.getSnapshot);
  const [Part, setPart] = useState<typeof KeepDialog | null>(null);
  // Outside: the part, which needs the network, and which may come at the next tap.
  useEffect(() => {
    if (wish === null || Part !== null) return;
    Promise.all([import("@/features/device/keep-dialog"), loadOnlineTexts()]).then(
      ([file]) => setPart(() => file.KeepDialog),
      () => {
        keepWish.set(null);
        showFailure("kept.failed", "errors.network");
      },
    );
  }, [wish, Part]);
  if (wish === null || Part === null) return null;
  const close = () => keepWish.getSnapshot() === wish && keepWish.set(null);
  return <Part wish={wish} onClose={close} />;
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

/** Says what no toast shows, wherever one is, to whoever does not see it. */
function Announcements() {
  const user = useUser();
  return (
    <div className="sr-only" data-testid="announcements">
      <Done key={user?.id} />
      {user !== null && <NewMessage key={user.id} />}
    </div>
  );
}

function Done() {
  const { t } = useTranslation();
  const done = useDoneText();
  return <p role="status">{done === null ? "" : plain(t, done)}</p>;
}

function NewMessage() {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const chat = useNewMessage(pathname.split("/chat/")[1] ?? "");
  if (chat === null) return <p role="status" />;
  const { other, lastKind, lastMessage } = chat;
  const name = other.state === "known" ? other.username : t("chat.unknownUser");
  const text = lastKind === "photo" ? t("media.photo") : lastMessage;
  return <p role="status">{t("chat.announced", { name, text })}</p>;
}

function Notifications() {
  const { t } = useTranslation();
  const { items, close } = useToasts();
  return (
    <ToastRegion
      duration={TOAST_DURATION_MS}
      label={t("nav.notifications", { hotkey: "{hotkey}" })}
      announcement={t("app.notification")}
    >
      {items.map((item) => (
        <Toast
          key={item.id}
          open={item.open}
          onOpenChange={(open) => !open && close(item.id)}
          variant={item.variant ?? "default"}
          title={<SayText text={item.title} />}
          {...(item.description === undefined
            ? {}
            : { description: <SayText text={item.description} /> })}
          closeLabel={t("app.close")}
        />
      ))}
    </ToastRegion>
  );
}

/** After so long in the background nobody notices a reload: the page begins as it was left. */
const AWAY_MS = 30_000;

/** A reload that takes longer to come would meet somebody who goes on. */
const UNNOTICED_MS = 5_000;

/** Something would be lost, or break off. */
const isInUse = (): boolean =>
  hasUnsentText() ||
  document.querySelector("[data-scrim]") !== null ||
  [...document.querySelectorAll("video")].some((film) => !film.paused && !film.muted);

/** Calls back when the app is looked at again, if it is due then. */
function useReturn(isDue: boolean, onReturn: () => void): void {
  const call = useRef(onReturn);
  call.current = onReturn;
  // Outside: whether anybody sees the page.
  useEffect(() => {
    if (!isDue) return;
    let since = document.hidden ? Date.now() : Infinity;
    const look = () => {
      if (document.hidden) since = Date.now();
      else if (Date.now() - since >= AWAY_MS) call.current();
    };
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, [isDue]);
}

/** A new version: taken when the app comes back from the background, and offered until then. */
function UpdatePrompt() {
  const { t } = useTranslation();
  const ready = useSyncExternalStore(updateReady.subscribe, updateReady.getSnapshot);
  const unsent = useHasUnsentText();
  const [later, setLater] = useState(false);
  const [isTaken, setTaken] = useState(false);
  const take = () => {
    setTaken(true);
    void applyUpdate();
  };
  const isKept = useStorageState() === "persistent";
  useReturn(ready && !later && !unsent && !isTaken && isKept, () => {
    const end = Date.now() + UNNOTICED_MS;
    if (!isInUse()) void applyUpdate(() => Date.now() < end && !isInUse());
  });
  if (!ready || later) return null;
  return (
    <Prompt label={t("update.ready")} testId="update-prompt" urgent>
      <p role="status">
        <strong className="block">{t("update.ready")}</strong>
        <span className="text-sm text-muted">{unsent ? t("update.unsent") : t("update.text")}</span>
      </p>
      <div className="mt-3 flex gap-2">
        <Button
          variant="accent"
          disabled={unsent || isTaken}
          data-testid="update-now"
          onClick={take}
        >
          {t("update.reload")}
        </Button>
        <Button variant="ghost" onClick={() => setLater(true)}>
          {t("update.later")}
        </Button>
      </div>
    </Prompt>
  );
}

/** One at a time. */
function Offers() {
  const isUpdate = useSyncExternalStore(updateReady.subscribe, updateReady.getSnapshot);
  const german = useGermanOffer();
  const asksForPush = usePushOffer();
  if (german.isOffered) return <GermanOffer answer={german.answer} />;
  if (isUpdate) return null;
  return asksForPush ? <PushOffer otherwise={<InstallOffer />} /> : <InstallOffer />;
}

/** Offered in German, whatever the page is in; the page itself stays until it is answered. */
function GermanOffer({ answer }: { answer: (accepted: boolean) => void }) {
  const { t } = useTranslation();
  return (
    <Prompt lang="de" label={t("language.offer")} testId="german-offer">
      <div className="flex items-center">
        <p className="flex-1">{t("language.offerLabel")}</p>
        <button
          type="button"
          className="shell-icon -my-2 -me-2 text-muted"
          aria-label={t("language.dismiss")}
          title={t("language.dismiss")}
          data-testid="german-dismiss"
          onClick={() => answer(false)}
        >
          <X aria-hidden="true" />
        </button>
      </div>
      <Button
        variant="accent"
        className="mt-2"
        data-testid="read-german"
        onClick={() => answer(true)}
      >
        {t("language.offer")}
      </Button>
    </Prompt>
  );
}

/** The notice that the server rejects this session: nothing is lost, but nothing is sent either. */
export function NeedsLogin() {
  const { t } = useTranslation();
  const session = useSession();
  const { pathname, search } = useLocation();
  if (session.state !== "signed-in" || !session.needsLogin) return null;
  return (
    <div
      role="status"
      className="border-b border-line bg-surface"
      data-testid="needs-login"
      data-passing=""
    >
      <div className="mx-auto flex max-w-[1060px] flex-wrap items-center justify-between gap-2 px-3 py-2 text-sm md:px-6">
        <p>{t("auth.needsLogin")}</p>
        {pathname !== paths.login && (
          <Link
            to={withReturn(paths.login, `${pathname}${search}`)}
            className={buttonClasses({ variant: "solid" })}
          >
            {t("auth.signIn")}
          </Link>
        )}
      </div>
    </div>
  );
}

/** Nothing outlives this page: no storage, no space left, or the data of a newer version. */
export function WithoutStorage() {
  const { t } = useTranslation();
  const state = useStorageState();
  if (state !== "memory" && state !== "newer" && state !== "full") return null;
  return (
    <div role="status" className="border-b border-line bg-surface" data-testid="without-storage">
      <div className="mx-auto flex max-w-[1060px] flex-wrap items-center justify-between gap-2 px-4 py-2 text-sm">
        <p>
          <strong className="block">{t(`storage.${state}`)}</strong>
          {t(`storage.${state}Text`)}
        </p>
        {state !== "memory" && (
          <Button variant="solid" onClick={() => location.reload()}>
            {t("crash.reload")}
          </Button>
        )}
      </div>
    </div>
  );
}

/** In the footer, for visitors: whoever is signed in finds both in the account menu. */
export function LanguageChoice() {
  const { t, i18n } = useTranslation();
  return (
    <>
      <button
        type="button"
        className="target hidden w-40 hover:text-foreground md:inline-block"
        data-testid="footer-keys"
        onClick={({ currentTarget }) =>
          window.dispatchEvent(new CustomEvent(LISTS_KEYS, { detail: currentTarget }))
        }
      >
        {t("keys.title")}
      </button>
      <span className="relative inline-flex items-center hover:text-foreground">
        <Globe aria-hidden="true" className="pointer-events-none absolute start-2 size-4" />
        <select
          aria-label={t("language.label")}
          value={i18n.language}
          data-testid="footer-language"
          onChange={({ target }) => isLanguage(target.value) && void chooseLanguage(target.value)}
          className="target w-29 cursor-pointer appearance-none rounded-full bg-transparent pe-2 ps-8 text-inherit"
        >
          {LANGUAGES.map((code) => (
            <option key={code} value={code} lang={code} className="bg-raised text-foreground">
              {LANGUAGE_NAMES[code]}
            </option>
          ))}
        </select>
      </span>
    </>
  );
}
