/** Everything queued on this device with its state and reason; what was refused can be tried again or discarded. */
import type { IntentView } from "@/data/client-api";
import { errorKey, uploadErrorText } from "@/i18n/error-text";
import type { Text, TextKey } from "@/i18n/keys";
import { SayText } from "@/i18n/say";
import { useText } from "@/i18n/use-text";
import { useClient } from "@/state/client-store";
import { Badge, UNREAD_CAP } from "@/ui/badge";
import { Button } from "@/ui/button";
import { Progress } from "@/ui/progress";

function kindKey(kind: string): TextKey {
  if (kind.endsWith("delete")) return "outbox.kind.delete";
  if (kind.startsWith("media.")) return "outbox.kind.upload";
  if (kind.startsWith("like")) return "outbox.kind.like";
  return kind.startsWith("view") ? "outbox.kind.view" : "outbox.kind.other";
}

/** Why it stands where it stands: the server's own sentence first, then ours. */
function reason(item: IntentView): Text | null {
  if (item.code === null || item.state === "sending" || item.state === "acked") return null;
  if (item.state !== "refused" && item.code === "network") return null;
  if (kindKey(item.kind) === "outbox.kind.upload") return uploadErrorText(item.code, item.message);
  return item.message === "" ? { key: errorKey(item.code) } : { raw: item.message };
}

function stateText(item: IntentView): Text {
  return item.state === "sending" && item.bytes > 0
    ? { key: "outbox.state.sendingProgress", params: { progress: Math.round(item.progress) } }
    : { key: `outbox.state.${item.state}` };
}

export function WaitingList({
  items,
  offline,
}: {
  items: readonly IntentView[];
  offline: boolean;
}) {
  const { t } = useText();
  return (
    <div data-testid="waiting-list">
      <h2 className="flex items-center gap-2 text-base font-bold">
        {t("outbox.title")}
        <Badge count={items.length} cap={UNREAD_CAP} />
      </h2>
      {offline && <p className="mt-1 text-sm text-muted">{t("outbox.offlineText")}</p>}
      {items.length === 0 && !offline && (
        <p className="mt-1 text-sm text-muted">{t("outbox.nothing")}</p>
      )}
      <ul className="mt-3 grid grid-cols-[minmax(0,1fr)] gap-3">
        {items.map((item) => (
          <WaitingItem key={item.id} item={item} />
        ))}
      </ul>
    </div>
  );
}

function WaitingItem({ item }: { item: IntentView }) {
  const { t } = useText();
  const client = useClient();
  const why = reason(item);
  const name = item.label === "" ? t(kindKey(item.kind)) : item.label;
  const stuck = item.state === "refused" || (item.state === "waiting" && why !== null);
  return (
    <li
      className="grid grid-cols-[minmax(0,1fr)] gap-2"
      data-testid="waiting-item"
      data-state={item.state}
      data-intent-id={item.id}
    >
      <div className="flex items-center gap-3">
        {item.thumbnailUrl === "" ? (
          <span className="size-11 shrink-0 rounded-lg bg-skeleton" />
        ) : (
          <img
            src={item.thumbnailUrl}
            alt=""
            className="size-11 shrink-0 rounded-lg object-cover"
          />
        )}
        <div className="min-w-0 flex-1">
          <p className="truncate text-sm font-semibold">{name}</p>
          <p className={`text-[13px] ${item.state === "refused" ? "text-danger" : "text-muted"}`}>
            <SayText text={stateText(item)} />
          </p>
        </div>
      </div>
      {item.state === "sending" && item.bytes > 0 && (
        <Progress value={item.progress} label={t("upload.progress", { name })} />
      )}
      {why !== null && (
        <p className="text-[13px] text-danger">
          <SayText text={why} />
        </p>
      )}
      {stuck && client !== null && (
        <div className="flex gap-2">
          <Button
            data-testid="retry-intent"
            aria-label={t("outbox.retryItem", { name })}
            onClick={() => void client.outbox.retry(item.id)}
          >
            {t("app.retry")}
          </Button>
          <Button
            variant="ghost"
            data-testid="discard-intent"
            aria-label={t("outbox.discardItem", { name })}
            onClick={() => void client.outbox.discard(item.id)}
          >
            {t("app.discard")}
          </Button>
        </div>
      )}
    </li>
  );
}
