/** Puts what is saved into a folder, also a new one, and without a network too. */
import { Check, Folder, FolderPlus } from "lucide-react";
import { type FormEvent, type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { FOLDER_NAME_MAX } from "@/domain/limits";
import { isBlank } from "@/domain/texts";
import { addFolder, putInFolder, useFolders, useSave } from "@/state/saves";
import { Button } from "@/ui/button";
import { Dialog, type DialogFrame } from "@/ui/dialog";
import { TextField } from "@/ui/field";

export function ChooseFolder({ mediaId, ...frame }: DialogFrame & { mediaId: string }) {
  const { t } = useTranslation();
  const { isSaved } = useSave(mediaId);
  const now = useFolders(mediaId);
  const { folders, folderId } = now.state === "ready" ? now.value : { folders: [], folderId: "" };
  const put = async (id: string) => {
    if (await putInFolder(mediaId, id, isSaved)) frame.onClose();
  };
  const isIn = (id: string) => isSaved && folderId === id;
  return (
    <Dialog {...frame} title={t("saves.choose")}>
      <div className="-mx-3 grid" data-testid="folders">
        <Choice isOn={isIn("")} onChoose={() => void put("")}>
          {t("saves.none")}
        </Choice>
        {folders.map(({ id, name }) => (
          <Choice key={id} isOn={isIn(id)} onChoose={() => void put(id)}>
            <span dir="auto">{name}</span>
          </Choice>
        ))}
      </div>
      <NewFolder onAdded={(id) => void put(id)} />
    </Dialog>
  );
}

interface ChoiceProps {
  isOn: boolean;
  onChoose: () => void;
  children: ReactNode;
}

const Choice = ({ isOn, onChoose, children }: ChoiceProps) => (
  <button
    type="button"
    aria-pressed={isOn}
    data-testid="folder"
    className="flex min-h-12 items-center gap-3 rounded-xl px-3 text-start hover:bg-surface [&_svg]:size-5 [&_svg]:shrink-0 [&_svg]:text-muted"
    onClick={onChoose}
  >
    <Folder aria-hidden="true" />
    <span className="min-w-0 flex-1 wrap-anywhere">{children}</span>
    {isOn && <Check aria-hidden="true" />}
  </button>
);

function NewFolder({ onAdded }: { onAdded: (folderId: string) => void }) {
  const { t } = useTranslation();
  const [name, setName] = useState("");
  const add = async (event: FormEvent) => {
    event.preventDefault();
    if (isBlank(name)) return;
    const id = await addFolder(name);
    if (id !== null) onAdded(id);
  };
  return (
    <form
      className="grid gap-3 border-t border-line pt-4"
      onSubmit={(event) => void add(event)}
      data-testid="new-folder"
    >
      <TextField
        label={t("saves.newFolder")}
        value={name}
        maxLength={FOLDER_NAME_MAX}
        dir="auto"
        data-testid="folder-name"
        onValue={setName}
      />
      <Button type="submit" variant="accent" disabled={isBlank(name)} data-testid="add-folder">
        <FolderPlus aria-hidden="true" />
        {t("saves.addFolder")}
      </Button>
    </form>
  );
}
