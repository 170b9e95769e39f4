/** The profile picture: as it is, or as it will be; another one, or none. */
import { Camera, Trash2 } from "lucide-react";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import type { ProfileView } from "@/data/shapes";
import { useText } from "@/i18n/use-text";
import { type ChosenPicture, openPicture } from "@/state/people";
import { Avatar } from "@/ui/avatar";
import { Button } from "@/ui/button";
import type { EditProfileState } from "./use-edit-profile";

const CropDialog = lazy(() =>
  import("./crop-dialog").then((file) => ({ default: file.CropDialog })),
);

const FACE_PX = 76;
const FORMATS = "image/jpeg,image/png,image/gif,image/webp";

interface PictureFieldProps {
  person: ProfileView;
  edit: EditProfileState;
}

export function PictureField({ person, edit }: PictureFieldProps) {
  const { t } = useText();
  const input = useRef<HTMLInputElement>(null);
  const chooser = useRef<HTMLButtonElement>(null);
  const [chosen, setChosen] = useState<ChosenPicture | null>(null);
  const preview = useObjectUrl(edit.picture?.file ?? null);
  const choose = async (file: File | undefined) => {
    // Another choice of the same file must be told too.
    if (input.current !== null) input.current.value = "";
    if (file === undefined) return;
    const opened = await openPicture(file);
    if (opened !== null) setChosen(opened);
  };
  const close = () => {
    chosen?.bitmap.close();
    setChosen(null);
  };
  return (
    <div className="flex flex-wrap items-center gap-4" data-testid="picture-field">
      <Avatar name={person.username} src={preview || person.profileThumbnailUrl} size={FACE_PX} />
      <div className="grid min-w-0 flex-[1_1_12rem] gap-2">
        <p className="text-sm">
          <strong className="block">{t("profile.picture")}</strong>
          <span className="text-[13px] text-muted">{t("profile.pictureHint")}</span>
        </p>
        <div className="flex flex-wrap gap-2">
          <Button ref={chooser} data-testid="choose-picture" onClick={() => input.current?.click()}>
            <Camera aria-hidden="true" />
            {t("profile.choosePicture")}
          </Button>
          {(person.profilePictureUrl !== "" || edit.picture !== null) && (
            <Button
              variant="ghost"
              className="text-danger!"
              data-testid="delete-picture"
              disabled={edit.busy}
              onClick={() =>
                person.profilePictureUrl === "" ? edit.setPicture(null) : void edit.deletePicture()
              }
            >
              <Trash2 aria-hidden="true" />
              {t("profile.deletePicture")}
            </Button>
          )}
        </div>
        {edit.picture !== null && (
          <p role="status" className="text-[13px] text-muted">
            {t("profile.pictureChosen")}
          </p>
        )}
      </div>
      <input
        ref={input}
        type="file"
        accept={FORMATS}
        hidden
        tabIndex={-1}
        aria-label={t("profile.choosePicture")}
        data-testid="picture-input"
        onChange={(event) => void choose(event.target.files?.[0])}
      />
      {chosen !== null && (
        <Suspense fallback={null}>
          <CropDialog
            chosen={chosen}
            returnFocus={chooser}
            onClose={close}
            onCut={(cut) => {
              edit.setPicture(cut);
              close();
            }}
          />
        </Suspense>
      )}
    </div>
  );
}

function useObjectUrl(blob: Blob | null): string {
  const [url, setUrl] = useState("");
  // Outside: the browser's table of blobs.
  useEffect(() => {
    if (blob === null) return;
    const made = URL.createObjectURL(blob);
    setUrl(made);
    return () => {
      URL.revokeObjectURL(made);
      setUrl("");
    };
  }, [blob]);
  return url;
}
