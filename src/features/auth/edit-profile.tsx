/** Edit Profile (specification §2, §5): name, biography, picture. Sends only what changed. */
import { Camera, Trash2, Upload } from "lucide-react";
import { type FormEvent, useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import type { ProfileChanges, ProfileView } from "@/data/shapes";
import { usernameFault } from "@/domain/accounts";
import { BIO_MAX } from "@/domain/limits";
import { paths } from "@/domain/paths";
import type { Failure } from "@/domain/result";
import { errorKey } from "@/i18n/error-text";
import type { TextKey } from "@/i18n/keys";
import { Say } from "@/i18n/say";
import { useNameCheck } from "@/state/account";
import { type SavedProfile, saveProfile } from "@/state/people";
import { type CutPicture, openPicture } from "@/state/profile-picture";
import { showFailure, showToast } from "@/state/toasts";
import { useUnsentText } from "@/state/unsent-text";
import { Avatar } from "@/ui/avatar";
import { Button, buttonClasses } from "@/ui/button";
import { TextareaField, useFocusFirstFault } from "@/ui/field";
import { lazily } from "@/ui/lazily";
import { Panel } from "@/ui/panel";
import { faultText, UsernameField } from "./form-parts";

export function EditProfile({ person }: { person: ProfileView }) {
  const { t } = useTranslation();
  const edit = useEditProfile(person);
  useUnsentText(edit.changed);
  const left = BIO_MAX - edit.bio.length;
  return (
    <Panel id="edit-profile" title={t("people.editOwn")}>
      <form ref={edit.form} noValidate className="grid gap-4" onSubmit={edit.submit}>
        <PictureField person={person} edit={edit} />
        <UsernameField
          check={edit.check}
          error={faultText(edit.nameFault)}
          data-testid="edit-username"
          value={edit.username}
          onValue={edit.setUsername}
        />
        <TextareaField
          label={t("profile.bio")}
          hint={left < 0 ? undefined : t("upload.captionLeft", { count: left })}
          error={left < 0 ? t("upload.captionOver", { count: -left }) : undefined}
          name="bio"
          data-words=""
          data-testid="edit-bio"
          value={edit.bio}
          onValue={edit.setBio}
        />
        <div className="flex flex-wrap gap-2">
          <Button type="submit" variant="accent" disabled={edit.busy} data-testid="save-profile">
            {edit.busy ? t("app.saving") : t("app.save")}
          </Button>
          <Link to={paths.upload} className={buttonClasses()} data-testid="upload-media">
            <Upload aria-hidden="true" />
            {t("profile.uploadMedia")}
          </Link>
        </div>
      </form>
    </Panel>
  );
}

const CropDialog = lazily(() => import("./crop-dialog"), "CropDialog");

const FACE_PX = 76;
const FORMATS = "image/jpeg,image/png,image/gif,image/webp";

function PictureField({ person, edit }: { person: ProfileView; edit: EditProfileState }) {
  const { t } = useTranslation();
  const input = useRef<HTMLInputElement>(null);
  const chooser = useRef<HTMLButtonElement>(null);
  const [chosen, setChosen] = useState<ImageBitmap | null>(null);
  const [fault, setFault] = useState<TextKey | null>(null);
  const faultId = useId();
  const preview = useObjectUrl(edit.picture?.file ?? null);
  const choose = async (file: File | undefined) => {
    // Choosing the same file again must fire the event too.
    if (input.current !== null) input.current.value = "";
    if (file === undefined) return;
    const opened = await openPicture(file);
    if (typeof opened === "string") return setFault(opened);
    setFault(null);
    setChosen(opened);
  };
  const close = () => {
    chosen?.close();
    setChosen(null);
  };
  return (
    <div className="flex flex-wrap items-center gap-4" data-testid="picture-field">
      <Avatar name={person.username} src={preview || person.profileThumbnailUrl} size={FACE_PX} />
      <div className="grid min-w-0 flex-[1_1_12rem] gap-2">
        <p className="text-sm">
          <strong className="block">{t("profile.picture")}</strong>
          <span className="text-[0.8125rem] text-muted">{t("profile.pictureHint")}</span>
        </p>
        <div className="flex flex-wrap gap-2">
          <Button
            ref={chooser}
            data-testid="choose-picture"
            {...(fault === null ? {} : { "aria-describedby": faultId })}
            onClick={() => input.current?.click()}
          >
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
        <PictureFault id={faultId} fault={fault} />
        {edit.picture !== null && (
          <p role="status" className="text-[0.8125rem] text-muted">
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
        <CropDialog
          chosen={chosen}
          returnFocus={chooser}
          onClose={close}
          onCut={(cut) => {
            edit.setPicture(cut);
            close();
          }}
        />
      )}
    </div>
  );
}

function PictureFault({ id, fault }: { id: string; fault: TextKey | null }) {
  if (fault === null) return null;
  return (
    <p
      id={id}
      role="alert"
      data-testid="picture-fault"
      className="text-[0.8125rem] font-medium text-danger"
    >
      <Say k={fault} />
    </p>
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

type EditProfileState = ReturnType<typeof useEditProfile>;

function useEditProfile(person: ProfileView) {
  // Null: not edited, so that a change saved on another device shows and is not sent back.
  const [typedName, setName] = useState<string | null>(null);
  const [typedBio, setBio] = useState<string | null>(null);
  const [picture, setPicture] = useState<CutPicture | null>(null);
  const [busy, setBusy] = useState(false);
  const { form, focusFirstFault } = useFocusFirstFault();
  const saving = useRef(false);
  const username = typedName ?? person.username;
  const bio = typedBio ?? person.bio;
  const renamed = username !== person.username;
  // The own name in another case is free, whatever the server's check says.
  const isOwnName = username.toLowerCase() === person.username.toLowerCase();
  const { state, markTaken } = useNameCheck(isOwnName ? "" : username);
  const fault = renamed ? usernameFault(username) : null;
  const nameFault = fault ? errorKey(fault) : state === "taken" ? "profile.nameTaken" : undefined;

  const run = async (write: Parameters<typeof saveProfile>[0]) => {
    if (saving.current) return false;
    saving.current = true;
    setBusy(true);
    const saved = await saveProfile(write);
    saving.current = false;
    setBusy(false);
    tell(saved);
    if (!saved.success && saved.error === "username_taken") markTaken();
    return saved.success;
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (nameFault || bio.length > BIO_MAX) return focusFirstFault();
    const changes: ProfileChanges = {
      ...(renamed ? { username } : {}),
      ...(bio !== person.bio ? { bio } : {}),
      ...(picture !== null ? { picture } : {}),
    };
    if (Object.keys(changes).length === 0) return;
    if (!(await run((writes) => writes.updateProfile(changes)))) return focusFirstFault();
    // What was typed during the save is still unsaved.
    setName((now) => (now === typedName ? null : now));
    setBio((now) => (now === typedBio ? null : now));
    setPicture((now) => (now === picture ? null : now));
  };
  return {
    form,
    username,
    bio,
    picture,
    busy,
    nameFault,
    check: isOwnName ? ("idle" as const) : state,
    changed: renamed || bio !== person.bio || picture !== null,
    setUsername: setName,
    setBio,
    setPicture,
    submit: (event: FormEvent) => void submit(event),
    deletePicture: () => {
      setPicture(null);
      return run((writes) => writes.deleteProfilePicture());
    },
  };
}

function tell(saved: SavedProfile): void {
  if (saved.success)
    showToast({ title: { key: saved.queued ? "profile.savedLater" : "profile.saved" } });
  else if (saved.error !== "username_taken") showFailure(profileErrorText(saved));
}

function profileErrorText({ error }: Failure): TextKey {
  switch (error) {
    case "unauthenticated":
    case "forbidden":
    case "suspended":
    case "not_found":
      return "profile.forbidden";
    case "file_type":
      return "profile.pictureType";
    case "too_large":
      return "profile.pictureLarge";
    case "rate_limited":
    case "storage_full":
    case "text_long":
      return errorKey(error);
    default:
      return "profile.saveFailed";
  }
}
