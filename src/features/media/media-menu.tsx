/** The menu of a media item (specification §2 /view), for its owner, others and admins. */
import {
  Download,
  EllipsisVertical,
  Flag,
  FolderInput,
  Layers,
  Pencil,
  Trash2,
} from "lucide-react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { MediaView } from "@/data/shapes";
import { may, type Viewer } from "@/domain/may";
import { deleteMedia, deletePost, downloadMedia } from "@/state/media";
import { reportWish } from "@/state/reports";
import { useAsk } from "@/ui/ask-first";
import { lazily } from "@/ui/lazily";
import { Menu, MenuItem } from "@/ui/menu";

const ChooseFolder = lazily(() => import("./choose-folder"), "ChooseFolder");
const EditMedia = lazily(() => import("./edit-media"), "EditMedia");

interface MediaMenuProps {
  media: MediaView;
  /** All media of its post; none for a medium by itself. */
  members: readonly MediaView[];
  viewer: Viewer;
  onDeleting: () => void;
  onDeleted: () => void;
}

export function MediaMenu({ media, members, viewer, onDeleting, onDeleted }: MediaMenuProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useState<"edit" | "folder" | null>(null);
  const { ask, dialog } = useAsk();
  const opener = useRef<HTMLButtonElement>(null);
  const report = () =>
    reportWish.set({ kind: "media", id: media.id, place: "", name: "", returnFocus: opener });
  const removing = async (remove: () => Promise<boolean>) => {
    onDeleting();
    await remove();
    onDeleted();
  };
  const askToRemove = () =>
    ask({
      title: t(media.type === "video" ? "media.deleteVideoTitle" : "media.deleteTitle"),
      description: t("media.deleteText"),
      action: t("app.delete"),
      onAction: () => void removing(() => deleteMedia(media)),
      returnFocus: opener,
    });
  const askToRemovePost = () =>
    ask({
      title: t("media.deletePostTitle"),
      description: t("media.deletePostText", { count: members.length }),
      action: t("app.delete"),
      onAction: () => void removing(() => deletePost(members)),
      returnFocus: opener,
    });
  const close = () => setOpen(null);
  return (
    <>
      <Menu
        trigger={
          <button
            ref={opener}
            type="button"
            aria-label={t("detail.menu")}
            title={t("detail.menu")}
            data-testid="media-menu"
            className="-me-2 grid size-11 place-items-center rounded-full hover:bg-surface"
          >
            <EllipsisVertical className="size-[22px]" aria-hidden="true" />
          </button>
        }
      >
        {may.editMedia(viewer, media) && (
          <>
            <MenuItem data-testid="edit-media" onSelect={() => setOpen("edit")}>
              <Pencil aria-hidden="true" />
              {t("detail.edit")}
            </MenuItem>
            <MenuItem data-testid="download-media" onSelect={() => void downloadMedia(media)}>
              <Download aria-hidden="true" />
              {t("detail.download")}
            </MenuItem>
          </>
        )}
        <MenuItem data-testid="choose-folder" onSelect={() => setOpen("folder")}>
          <FolderInput aria-hidden="true" />
          {t("saves.choose")}
        </MenuItem>
        {may.reportMedia(viewer, media) && (
          <MenuItem data-testid="report-media" onSelect={report}>
            <Flag aria-hidden="true" />
            {t("report.open")}
          </MenuItem>
        )}
        {may.deleteMedia(viewer, media) && (
          <MenuItem
            data-testid="delete-media"
            className="text-danger! [&_svg]:text-danger!"
            onSelect={askToRemove}
          >
            <Trash2 aria-hidden="true" />
            {t("app.delete")}
          </MenuItem>
        )}
        {may.deleteMedia(viewer, media) && members.length > 0 && (
          <MenuItem
            data-testid="delete-post"
            className="text-danger! [&_svg]:text-danger!"
            onSelect={askToRemovePost}
          >
            <Layers aria-hidden="true" />
            {t("media.deletePost")}
          </MenuItem>
        )}
      </Menu>
      {open === "edit" && <EditMedia media={media} onClose={close} returnFocus={opener} />}
      {open === "folder" && (
        <ChooseFolder mediaId={media.id} onClose={close} returnFocus={opener} />
      )}
      {dialog}
    </>
  );
}
