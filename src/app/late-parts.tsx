/** What follows the first paint: toasts, prompts, notices under the top bar, the language. */
import { Globe, X } from "lucide-react";
import { type ReactNode, useEffect, useState, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "react-router-dom";
import { isLanguage, LANGUAGE_NAMES, LANGUAGES } from "@/domain/languages";
import { paths } from "@/domain/paths";
import type { KeepDialog } from "@/features/device/keep-dialog";
import { plain, SayText } from "@/i18n/say";
import { loadOnlineTexts, loadPushTexts } from "@/i18n/setup";
import type { Cell } from "@/lib/cell";
import { withReturn } from "@/lib/return-path";
import {
  useDoneText,
  useGuesses,
  useMessagesReadEvent,
  useNewMessage,
  useRefusalToasts,
  useSuspension,
} from "@/state/client-events";
import { useInstallOffer } from "@/state/install";
import { keepWish } from "@/state/keep-wish";
import { chooseLanguage, useCommunityLanguage, useGermanOffer } from "@/state/language-choice";
import { LISTS_KEYS } from "@/state/preferences";
import { usePushOffer } from "@/state/push-offer";
import { reportWish } from "@/state/reports";
import { updateReady } from "@/state/service-worker";
import { useSession, useUser } from "@/state/session";
import { useStorageState } from "@/state/storage";
import { showFailure, TOAST_DURATION_MS, useToasts } from "@/state/toasts";
import { Button, buttonClasses } from "@/ui/button";
import { lazily } from "@/ui/lazily";
import { Prompt } from "@/ui/prompt";
import { Toast, ToastRegion } from "@/ui/toast";
import { Keys } from "./keys";
import { useLateEffects } from "./late-effects";
import { hasNoGesture, PullToRefresh } from "./pull-to-refresh";
import { UpdatePrompt } from "./update-prompt";

/** Nobody is told where it does not come: a held card is opened, then, as by a tap. */
const CardActions = lazily(
  () => import("@/features/media/card-actions").catch(() => ({ CardActions: () => null })),
  "CardActions",
);

/** Comes with the first name or tag that somebody writes. Where it does not, nothing is offered. */
const WordOffers = lazily(
  () => import("@/features/words/word-offers").catch(() => ({ WordOffers: () => null })),
  "WordOffers",
);

const ReportDialog = lazily(() => import("@/features/report/report-dialog"), "ReportDialog");

/** Comes with a network alone, without which nothing is installed. */
const InstallOffer = lazily(
  () =>
    Promise.all([import("./install-offer"), loadOnlineTexts()]).then(
      ([file]) => ({ InstallOffer: file.InstallOffer }),
      () => ({ InstallOffer: () => null }),
    ),
  "InstallOffer",
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

export function LateParts() {
  useRefusalToasts();
  useSuspension();
  useGuesses();
  useMessagesReadEvent();
  useCommunityLanguage();
  useLateEffects();
  return (
    <>
      <Notifications />
      <UpdatePrompt />
      <Offers />
      <Announcements />
      <Keys />
      <CardActions />
      <KeepWish />
      <ReportWish />
      <WordsAsWritten />
      {hasNoGesture() && <PullToRefresh />}
    </>
  );
}

const WRITES_WORD = /[@#]\S/;

function WordsAsWritten() {
  const [isDue, setDue] = useState(false);
  // Outside: whatever field of the page somebody writes in.
  useEffect(() => {
    if (isDue) return;
    const look = ({ target }: Event) => {
      const isField = target instanceof HTMLTextAreaElement && target.matches("[data-words]");
      if (isField && WRITES_WORD.test(target.value)) setDue(true);
    };
    document.addEventListener("input", look);
    return () => document.removeEventListener("input", look);
  }, [isDue]);
  return isDue ? <WordOffers /> : null;
}

/** What a page asks for, until it is had or the page is left. */
function useWish<Wish>(cell: Cell<Wish | null>): [Wish | null, close: () => void] {
  const wish = useSyncExternalStore(cell.subscribe, cell.getSnapshot);
  const { pathname } = useLocation();
  // Outside: the wish, which the question would otherwise take to the next page.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page is what ends it.
  useEffect(() => () => cell.set(null), [cell, pathname]);
  return [wish, () => cell.getSnapshot() === wish && cell.set(null)];
}

/** How much of a list is to be kept, asked wherever one is. */
function KeepWish() {
  const [wish, close] = useWish(keepWish);
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
  return <Part wish={wish} onClose={close} />;
}

/** Why something is reported, asked wherever one is. */
function ReportWish() {
  const [wish, close] = useWish(reportWish);
  return wish === null ? null : <ReportDialog wish={wish} onClose={close} />;
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

/** One at a time. */
function Offers() {
  const isUpdate = useSyncExternalStore(updateReady.subscribe, updateReady.getSnapshot);
  const german = useGermanOffer();
  const asksForPush = usePushOffer();
  if (german.isOffered) return <GermanOffer answer={german.answer} />;
  if (isUpdate) return null;
  return asksForPush ? <PushOffer otherwise={<Install />} /> : <Install />;
}

function Install() {
  const way = useInstallOffer();
  return way === null ? null : <InstallOffer way={way} />;
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
