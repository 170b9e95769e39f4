/** Asks how much of a list is to be kept on this device (state/keep-wish.ts). */
import { CloudDownload } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { LIST_SIZES } from "@/domain/kept-lists";
import { errorKey } from "@/i18n/error-text";
import { bytesText } from "@/i18n/formats";
import { tellsConnection } from "@/lib/connection-kind";
import type { KeepWish } from "@/state/keep-wish";
import { keepList } from "@/state/kept-lists";
import { showFailure, showToast } from "@/state/toasts";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import { Select } from "@/ui/select";

/** "about 80 MB": the second. */
const USUAL = LIST_SIZES[1];

export function KeepDialog({ wish, onClose }: { wish: KeepWish; onClose: () => void }) {
  const { t, i18n } = useTranslation();
  const [size, setSize] = useState<number>(USUAL);
  const [isBusy, setBusy] = useState(false);
  const free = useFreeSpace();
  const { name, returnFocus } = wish;
  const keep = async () => {
    setBusy(true);
    const done = await keepList(wish, size).catch(() => "storage_full" as const);
    setBusy(false);
    if (done === "kept") {
      showToast({ title: { key: "keeping.begun" } });
      return onClose();
    }
    if (done === "nothing") showFailure("keeping.nothing");
    else showFailure("kept.failed", errorKey(done));
  };
  const sizes = LIST_SIZES.map((bytes) => ({
    value: String(bytes),
    text: t("keeping.about", { size: bytesText(bytes, i18n.language) }),
  }));
  return (
    <Dialog
      title={t("keeping.title", { name })}
      onClose={onClose}
      {...(returnFocus === undefined ? {} : { returnFocus })}
    >
      <p className="text-sm text-muted text-pretty">
        {`${t("keeping.text")} ${t(tellsConnection() ? "keeping.wifi" : "keeping.anyhow")}`}
      </p>
      <Select
        label={t("keeping.title", { name })}
        testId="keep-size"
        value={String(size)}
        options={sizes}
        onChange={(value) => setSize(Number(value))}
      />
      {free !== null && (
        <p className="text-sm text-muted">
          {t("keeping.free", { size: bytesText(free, i18n.language) })}
        </p>
      )}
      <Button
        variant="accent"
        disabled={isBusy}
        data-testid="keep-list"
        onClick={() => void keep()}
      >
        <CloudDownload aria-hidden="true" />
        {t("kept.keep")}
      </Button>
    </Dialog>
  );
}

/** What the browser grants and is not used, in bytes; null where it does not tell. */
function useFreeSpace(): number | null {
  const [free, setFree] = useState<number | null>(null);
  // Outside: the device's storage.
  useEffect(() => {
    let isOver = false;
    navigator.storage?.estimate?.().then(
      ({ quota, usage }) => {
        if (!isOver && quota !== undefined) setFree(Math.max(0, quota - (usage ?? 0)));
      },
      // Ignoring it: a browser that does not tell.
      () => undefined,
    );
    return () => {
      isOver = true;
    };
  }, []);
  return free;
}
