/** What follows the first paint: toasts, the update prompt, the notices under the top bar. */
import { useState, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "react-router-dom";
import { paths } from "@/domain/paths";
import { SayText } from "@/i18n/say";
import { useMessagesReadEvent, useRefusalToasts, useSuspension } from "@/state/client-events";
import { applyUpdate, updateReady } from "@/state/service-worker";
import { useSession } from "@/state/session";
import { useStorageState } from "@/state/storage";
import { TOAST_DURATION_MS, useToasts } from "@/state/toasts";
import { useHasUnsentText } from "@/state/unsent-text";
import { Button, buttonClasses } from "@/ui/button";
import { Toast, ToastRegion } from "@/ui/toast";

export function LateParts() {
  useRefusalToasts();
  useSuspension();
  useMessagesReadEvent();
  return (
    <>
      <Notifications />
      <UpdatePrompt />
    </>
  );
}

function Notifications() {
  const { t } = useTranslation();
  const { items, close } = useToasts();
  return (
    <ToastRegion
      duration={TOAST_DURATION_MS}
      label={t("nav.notifications", { hotkey: "{hotkey}" })}
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

/** Says that a new version is ready and applies it on request, but never over unsent text. */
function UpdatePrompt() {
  const { t } = useTranslation();
  const ready = useSyncExternalStore(updateReady.subscribe, updateReady.getSnapshot);
  const unsent = useHasUnsentText();
  const [later, setLater] = useState(false);
  if (!ready || later) return null;
  return (
    <section
      aria-label={t("update.ready")}
      data-testid="update-prompt"
      className="fixed inset-x-4 bottom-[calc(16px+env(safe-area-inset-bottom))] z-30 mx-auto max-w-[420px] rounded-[20px] border border-line bg-raised p-4 shadow-float animate-rise"
    >
      <p role="status">
        <strong className="block">{t("update.ready")}</strong>
        <span className="text-sm text-muted">{unsent ? t("update.unsent") : t("update.text")}</span>
      </p>
      <div className="mt-3 flex gap-2">
        <Button variant="accent" disabled={unsent} data-testid="update-now" onClick={applyUpdate}>
          {t("update.reload")}
        </Button>
        <Button variant="ghost" onClick={() => setLater(true)}>
          {t("update.later")}
        </Button>
      </div>
    </section>
  );
}

/** The notice that the server rejects this session: nothing is lost, but nothing is sent either. */
export function NeedsLogin() {
  const { t } = useTranslation();
  const session = useSession();
  const onLogin = useLocation().pathname === paths.login;
  if (session.state !== "signed-in" || !session.needsLogin) return null;
  return (
    <div role="status" className="border-b border-line bg-surface" data-testid="needs-login">
      <div className="mx-auto flex max-w-[1060px] flex-wrap items-center justify-between gap-2 px-3 py-2 text-sm md:px-6">
        <p>{t("auth.needsLogin")}</p>
        {!onLogin && (
          <Link to={paths.login} className={buttonClasses({ variant: "solid" })}>
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
