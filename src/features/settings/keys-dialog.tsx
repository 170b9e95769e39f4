/** All keys, and whether the single letters among them count. */
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { usePreferences } from "@/state/preferences";
import { Checkbox } from "@/ui/checkbox";
import { Dialog, type DialogFrame } from "@/ui/dialog";

export function KeysDialog({ isMember, ...frame }: DialogFrame & { isMember: boolean }) {
  const { t } = useTranslation();
  const keys = usePreferences((now) => now.keys);
  const setKeys = usePreferences((now) => now.setKeys);
  return (
    <Dialog {...frame} title={t("keys.title")}>
      <Checkbox checked={keys} testId="keys-on" onChange={setKeys}>
        {t("keys.on")}
      </Checkbox>
      <KeyList title={t("keys.everywhere")}>
        <Key keys={["H"]}>{t("tabs.home")}</Key>
        <Key keys={["/"]}>{t("tabs.search")}</Key>
        {isMember && (
          <>
            <Key keys={["U"]}>{t("gallery.upload")}</Key>
            <Key keys={["C"]}>{t("chat.title")}</Key>
            <Key keys={["P"]}>{t("people.page")}</Key>
          </>
        )}
        <Key keys={["?"]}>{t("keys.title")}</Key>
      </KeyList>
      <KeyList title={t("keys.onPicture")}>
        <Key keys={["←", "→"]}>{t("keys.step")}</Key>
        <Key keys={["+", "−", "0"]}>{t("keys.zoom")}</Key>
        <Key keys={["F"]}>{t("keys.full")}</Key>
        <Key keys={["Esc"]}>{t("keys.leave")}</Key>
      </KeyList>
    </Dialog>
  );
}

function KeyList({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h3 className="mb-1 text-sm font-semibold">{title}</h3>
      <dl className="grid" data-testid="key-list">
        {children}
      </dl>
    </section>
  );
}

function Key({ keys, children }: { keys: readonly string[]; children: ReactNode }) {
  return (
    <div className="flex min-h-9 items-center justify-between gap-4 text-[0.9375rem]">
      <dt>{children}</dt>
      <dd className="flex gap-1.5">
        {keys.map((key) => (
          <kbd
            key={key}
            className="min-w-7 rounded-md border border-line-strong bg-surface px-1.5 py-0.5 text-center font-sans text-[0.8125rem]"
          >
            {key}
          </kbd>
        ))}
      </dd>
    </div>
  );
}
