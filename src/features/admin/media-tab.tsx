/** Medien: the newest fifty, twenty of them at first (specification §9), then more. */
import { ImageOff, Play } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import type { AdminMedia } from "@/data/admin/admin-client";
import { ADMIN_MEDIA_SHOWN } from "@/domain/limits";
import { paths } from "@/domain/paths";
import { germanMark, Say } from "@/i18n/say";
import { Button } from "@/ui/button";
import {
  FilterChips,
  mediaRemoval,
  PagedView,
  RowsLoading,
  Tag,
  Thumbnail,
  useAct,
} from "./admin-parts";
import type { AdminLists } from "./use-admin-lists";

const FILTERS = ["all", "photos", "videos", "reported"] as const;
const GRID = "grid grid-cols-2 gap-3 md:grid-cols-4 md:gap-4";

type MediaTabProps = Pick<
  AdminLists,
  "media" | "mediaChoice" | "setMediaChoice" | "onMediaDeleted"
>;

export function MediaTab(props: MediaTabProps) {
  const { media, mediaChoice, setMediaChoice, onMediaDeleted } = props;
  const { t } = useTranslation();
  const [shown, setShown] = useState(ADMIN_MEDIA_SHOWN);
  const known = media.now.state === "ready" ? media.now.value.length : 0;
  const paged = {
    ...media,
    more: known > shown ? ("idle" as const) : media.more,
    loadMore: () => {
      setShown(shown + ADMIN_MEDIA_SHOWN);
      if (shown + ADMIN_MEDIA_SHOWN > known) media.loadMore();
    },
  };
  return (
    <>
      <FilterChips
        label={t("app.show")}
        value={mediaChoice}
        testId="admin-media"
        options={FILTERS.map((value) => ({ value, text: t(`admin.media.${value}`) }))}
        onChange={(value) => {
          setShown(ADMIN_MEDIA_SHOWN);
          setMediaChoice(value);
        }}
      />
      <PagedView
        paged={paged}
        loading={<RowsLoading rows={8} row="aspect-[3/4]" className={GRID} />}
        empty={{
          testId: "media-empty",
          icon: <ImageOff />,
          title: <Say k="admin.media.none" />,
        }}
      >
        {(items) => (
          <ul className={GRID} data-testid="admin-media-grid">
            {items.slice(0, shown).map((item) => (
              <MediaCard key={item.id} media={item} onDeleted={onMediaDeleted} />
            ))}
          </ul>
        )}
      </PagedView>
    </>
  );
}

function MediaCard({ media, onDeleted }: { media: AdminMedia; onDeleted: (id: string) => void }) {
  const { t } = useTranslation();
  const { confirm, dialog } = useAct();
  const name = media.caption || t("media.untitled");
  return (
    <li
      data-testid="admin-media-card"
      data-media-id={media.id}
      className="flex flex-col overflow-hidden rounded-2xl border border-line bg-raised"
    >
      <Link to={paths.media(media)} className="relative block" aria-label={name}>
        <Thumbnail media={media} />
        {media.type === "video" && (
          <Play
            aria-hidden="true"
            className="absolute end-2 bottom-2 size-7 rounded-full bg-slate-950/70 fill-white p-1.5 text-white"
          />
        )}
      </Link>
      <div className="flex flex-1 flex-col p-3">
        <p className="line-clamp-2 text-sm font-semibold wrap-anywhere">{name}</p>
        <p className="mt-0.5 truncate text-[0.8125rem] text-muted">
          <Say k="admin.media.by" params={{ name: media.username || t("people.unknown") }} />
        </p>
        {media.reports > 0 && (
          <Tag tone="danger" className="mt-1.5 self-start">
            {t("admin.media.reports", { count: media.reports })}
          </Tag>
        )}
        <div className="mt-auto pt-3">
          <Button
            width="full"
            className="text-danger!"
            {...germanMark("admin.media.delete")}
            aria-label={t("admin.media.deleteOf", { name })}
            data-testid="delete-media"
            onClick={() => confirm(mediaRemoval(media.id, onDeleted))}
          >
            {t("admin.media.delete")}
          </Button>
          {dialog}
        </div>
      </div>
    </li>
  );
}
