/** The chosen files in the order in which they are sent, and the ways to change it. */
import { ArrowDown, ArrowUp, GripVertical } from "lucide-react";
import { Tooltip } from "radix-ui";
import {
  type KeyboardEvent,
  memo,
  type PointerEvent,
  useId,
  useMemo,
  useRef,
  useState,
} from "react";
import { useTranslation } from "react-i18next";
import { EntryCard } from "./entry-card";
import { isDescribed, type UploadEntry } from "./upload-entry";
import { EntryTexts } from "./upload-texts";
import { useReorder } from "./use-reorder";
import type { useUpload } from "./use-upload";

/** A tooltip's delay, and the time in which the next one shows at once (specification §9). */
const TOOLTIP_MS = { delayDuration: 700, skipDelayDuration: 300 };

export function EntryList({ upload }: { upload: ReturnType<typeof useUpload> }) {
  const { t } = useTranslation();
  const hint = useId();
  const { entries, run } = upload;
  const { list } = entries;
  const [said, setSaid] = useState("");
  const move = (id: number, to: number) => {
    const name = list.find((entry) => entry.id === id)?.file.name ?? "";
    if (to < 0 || to >= list.length) return;
    entries.move(id, to);
    setSaid(t("upload.moved", { name, place: to + 1, count: list.length }));
  };
  const reorder = useReorder(
    list.map(({ id }) => id),
    move,
  );
  const latest = useRef({ reorder, list });
  latest.current = { reorder, list };
  const { remove, shrink, stopShrinking, change } = entries;
  const acts = useMemo((): EntryActs => {
    const place = (id: number, by: number | "last") => {
      const { list: now, reorder: order } = latest.current;
      const at = now.findIndex((entry) => entry.id === id);
      order.move(id, by === "last" ? now.length - 1 : at + by);
    };
    const grip = (id: number, event: PointerEvent) => latest.current.reorder.begin(id, event);
    const onRemove = (id: number) => {
      latest.current.reorder.notePlaces();
      remove(id);
    };
    const onUnseen = (id: number) => change(id, (now) => ({ ...now, rarelyPlays: true }));
    return { onRemove, onShrink: shrink, onStop: stopShrinking, onUnseen, place, grip };
  }, [remove, shrink, stopShrinking, change]);
  const isOrdered = list.length > 1;
  return (
    <Tooltip.Provider {...TOOLTIP_MS}>
      {isOrdered && (
        <p id={hint} className="text-[0.8125rem] text-muted">
          {t("upload.orderHint")}
        </p>
      )}
      <ul
        ref={reorder.list}
        className="relative grid grid-cols-[minmax(0,1fr)] gap-2 md:grid-cols-2"
        aria-label={t("upload.files")}
      >
        {list.map((entry) => (
          <Entry
            key={entry.id}
            entry={entry}
            place={reorder.placeOf(entry.id)}
            count={list.length}
            isDragged={reorder.dragged === entry.id}
            isIdle={run === "idle"}
            hint={hint}
            acts={acts}
            described={isDescribed(entry) ? upload : null}
          />
        ))}
      </ul>
      <p role="status" className="sr-only" data-testid="moved">
        {said}
      </p>
    </Tooltip.Provider>
  );
}

interface EntryActs {
  onRemove: (id: number) => void;
  onShrink: (id: number) => void;
  onStop: (id: number) => void;
  onUnseen: (id: number) => void;
  /** So many places on. */
  place: (id: number, by: number | "last") => void;
  grip: (id: number, event: PointerEvent) => void;
}

interface EntryProps {
  entry: UploadEntry;
  place: number;
  count: number;
  isDragged: boolean;
  isIdle: boolean;
  hint: string;
  acts: EntryActs;
  /** Null where nothing is said of it yet, so that it is drawn anew for its own changes alone. */
  described: ReturnType<typeof useUpload> | null;
}

const Entry = memo(function Entry({ entry, isIdle, acts, described, ...props }: EntryProps) {
  const { place, count, isDragged, hint } = props;
  const { place: moveBy, grip, ...onCard } = acts;
  return (
    <EntryCard
      {...{ entry, place, isDragged, ...onCard }}
      order={
        count > 1 && (
          <OrderBar
            {...{ entry, hint, place, count }}
            disabled={!isIdle}
            onGrip={(event) => grip(entry.id, event)}
            onPlace={(by) => moveBy(entry.id, by)}
          />
        )
      }
    >
      {described && <EntryTexts upload={described} entry={entry} />}
    </EntryCard>
  );
});

interface OrderBarProps {
  entry: UploadEntry;
  place: number;
  count: number;
  /** The id of what says how the order is changed. */
  hint: string;
  disabled: boolean;
  onGrip: (event: PointerEvent) => void;
  /** So many places on. */
  onPlace: (by: number | "last") => void;
}

const ICON = "shell-icon text-muted aria-disabled:opacity-40 disabled:opacity-40";

/** A handle, for pointers and arrow keys, and two buttons for whoever cannot drag. */
function OrderBar({ entry, place, count, hint, disabled, onGrip, onPlace }: OrderBarProps) {
  const { t } = useTranslation();
  const { name } = entry.file;
  const isFirst = place === 0;
  const isLast = place === count - 1;
  const press = (event: KeyboardEvent) => {
    const by = { ArrowUp: -1, ArrowDown: 1, Home: -place, End: "last" as const }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    onPlace(by);
  };
  return (
    <div className="-mx-1.5 -mt-1.5 flex items-center">
      <button
        type="button"
        className={`${ICON} cursor-grab touch-none active:cursor-grabbing`}
        aria-label={t("upload.move", { name })}
        aria-describedby={hint}
        disabled={disabled}
        data-testid="move-entry"
        onPointerDown={onGrip}
        onKeyDown={press}
      >
        <GripVertical aria-hidden="true" />
      </button>
      <span className="me-auto text-[0.8125rem] text-muted tabular-nums" data-testid="entry-place">
        {t("upload.place", { place: place + 1, count })}
      </span>
      <button
        type="button"
        className={ICON}
        aria-label={t("upload.earlier", { name })}
        aria-disabled={isFirst}
        disabled={disabled}
        data-testid="move-earlier"
        onClick={() => onPlace(-1)}
      >
        <ArrowUp aria-hidden="true" />
      </button>
      <button
        type="button"
        className={ICON}
        aria-label={t("upload.later", { name })}
        aria-disabled={isLast}
        disabled={disabled}
        data-testid="move-later"
        onClick={() => onPlace(1)}
      >
        <ArrowDown aria-hidden="true" />
      </button>
    </div>
  );
}
