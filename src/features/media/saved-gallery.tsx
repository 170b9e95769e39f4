/** What one has saved: all of it, or what is in one folder. */
import {
  Bookmark,
  CloudOff,
  EllipsisVertical,
  Folder,
  Pencil,
  Trash2,
  TriangleAlert,
} from "lucide-react";
import { type FormEvent, type ReactNode, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Folder as FolderView } from "@/data/saves/shapes";
import { FOLDER_NAME_MAX } from "@/domain/limits";
import { isBlank } from "@/domain/texts";
import { usePreferences } from "@/state/preferences";
import { deleteFolder, renameFolder, type SavedList, useFolders, useSaved } from "@/state/saves";
import { useAsk } from "@/ui/ask-first";
import { Button } from "@/ui/button";
import { Chips } from "@/ui/chips";
import { Dialog, type DialogFrame } from "@/ui/dialog";
import { EmptyState } from "@/ui/empty-state";
import { TextField } from "@/ui/field";
import { Menu, MenuItem } from "@/ui/menu";
import { GridSkeleton, MediaGrid } from "./media-grid";

const ALL = "all";

export function SavedGallery({ columnToggle }: { columnToggle: ReactNode }) {
  const { t } = useTranslation();
  const now = useFolders();
  const folders = now.state === "ready" ? now.value.folders : [];
  const [chosen, setChosen] = useState(ALL);
  // One that is deleted meanwhile, here or elsewhere, leaves all of it.
  const folder = folders.find(({ id }) => id === chosen) ?? null;
  const list = useSaved(folder?.id ?? null);
  return (
    <section data-testid="saved" aria-label={t("saves.title")}>
      <div className="shell-bar">
        {folders.length > 0 && (
          <Chips
            testId="saved-folder"
            label={t("saves.folders")}
            value={folder?.id ?? ALL}
            onChange={setChosen}
            options={[
              { value: ALL, text: t("saves.all") },
              ...folders.map(({ id, name, count }) => ({
                value: id,
                text: <FolderChip name={name} count={count} />,
              })),
            ]}
          />
        )}
        {folder !== null && <FolderMenu key={folder.id} folder={folder} />}
        <div className="shell-chips shell-end">{columnToggle}</div>
      </div>
      <Body list={list} isFolder={folder !== null} />
    </section>
  );
}

function FolderChip({ name, count }: Pick<FolderView, "name" | "count">) {
  return (
    <>
      <span dir="auto" className="inline-block max-w-40 truncate align-bottom">
        {name}
      </span>
      <span className="ms-1.5 font-normal tabular-nums">{count}</span>
    </>
  );
}

function FolderMenu({ folder }: { folder: FolderView }) {
  const { t } = useTranslation();
  const opener = useRef<HTMLButtonElement>(null);
  const [isNaming, setNaming] = useState(false);
  const { ask, dialog } = useAsk();
  const { id, name } = folder;
  const label = t("saves.options", { name });
  const askToDelete = () =>
    ask({
      title: t("saves.deleteTitle", { name }),
      description: t("saves.deleteText"),
      action: t("app.delete"),
      onAction: () => void deleteFolder(id),
      returnFocus: opener,
    });
  return (
    <>
      <Menu
        align="start"
        trigger={
          <button
            ref={opener}
            type="button"
            aria-label={label}
            title={label}
            data-testid="folder-menu"
            className="shell-icon"
          >
            <EllipsisVertical aria-hidden="true" />
          </button>
        }
      >
        <MenuItem data-testid="rename-folder" onSelect={() => setNaming(true)}>
          <Pencil aria-hidden="true" />
          {t("saves.rename")}
        </MenuItem>
        <MenuItem
          data-testid="delete-folder"
          className="text-danger! [&_svg]:text-danger!"
          onSelect={askToDelete}
        >
          <Trash2 aria-hidden="true" />
          {t("saves.delete")}
        </MenuItem>
      </Menu>
      {isNaming && (
        <RenameFolder folder={folder} onClose={() => setNaming(false)} returnFocus={opener} />
      )}
      {dialog}
    </>
  );
}

function RenameFolder({ folder, ...frame }: DialogFrame & { folder: FolderView }) {
  const { t } = useTranslation();
  const [name, setName] = useState(folder.name);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBlank(name)) return;
    if (name.trim() === folder.name || (await renameFolder(folder.id, name))) frame.onClose();
  };
  return (
    <Dialog {...frame} title={t("saves.rename")}>
      <form
        className="grid gap-4"
        onSubmit={(event) => void submit(event)}
        data-testid="rename-folder-form"
      >
        <TextField
          label={t("saves.folderName")}
          value={name}
          maxLength={FOLDER_NAME_MAX}
          dir="auto"
          data-testid="folder-name"
          onValue={setName}
        />
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={frame.onClose}>{t("app.cancel")}</Button>
          <Button
            type="submit"
            variant="accent"
            disabled={isBlank(name)}
            data-testid="save-folder-name"
          >
            {t("app.save")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function Body({ list, isFolder }: { list: SavedList; isFolder: boolean }) {
  const { t } = useTranslation();
  const columns = usePreferences((now) => now.columns);
  const { page, showMore, retry } = list;
  if (page.state === "loading") return <GridSkeleton columns={columns} />;
  if (page.state === "failed") return <Failed offline={page.code === "network"} retry={retry} />;
  const { items, hasMore, incomplete } = page.value;
  return (
    <>
      {items.length > 0 ? (
        <MediaGrid items={items} columns={columns} />
      ) : (
        !incomplete && <Nothing isFolder={isFolder} />
      )}
      {incomplete && (
        <p role="status" className="mt-4 text-center text-muted" data-testid="saved-incomplete">
          {t("saves.incomplete")}
        </p>
      )}
      {hasMore && (
        <div className="mt-6 text-center">
          <Button data-testid="more-saved" onClick={showMore}>
            {t("gallery.loadMore")}
          </Button>
        </div>
      )}
    </>
  );
}

function Nothing({ isFolder }: { isFolder: boolean }) {
  const { t } = useTranslation();
  return (
    <EmptyState
      testId="saved-empty"
      icon={isFolder ? <Folder /> : <Bookmark />}
      title={t(isFolder ? "saves.emptyFolder" : "saves.empty")}
      text={t(isFolder ? "saves.emptyFolderText" : "saves.emptyText")}
    />
  );
}

function Failed({ offline, retry }: { offline: boolean; retry: () => void }) {
  const { t } = useTranslation();
  return (
    <EmptyState
      testId={offline ? "saved-offline" : "saved-failed"}
      passing
      icon={offline ? <CloudOff /> : <TriangleAlert />}
      title={t(offline ? "app.offline" : "saves.loadFailed")}
      text={t(offline ? "saves.offlineText" : "app.serverFault")}
    >
      <Button onClick={retry}>{t("app.tryAgain")}</Button>
    </EmptyState>
  );
}
