/** What was typed of one's own profile, what is wrong with it, and saving what changed of it. */
import { type FormEvent, useRef, useState } from "react";
import type { ProfileChanges } from "@/data/service-api";
import type { ProfileView } from "@/data/shapes";
import { BIO_MAX } from "@/domain/limits";
import { usernameFault } from "@/domain/usernames";
import { errorKey } from "@/i18n/error-text";
import type { Text } from "@/i18n/keys";
import { useNameCheck } from "@/state/account";
import {
  type CutPicture,
  deleteProfilePicture,
  type SavedProfile,
  saveProfile,
} from "@/state/people";
import { showToast } from "@/state/toasts";
import { useFocusFirstFault } from "@/ui/use-focus-first-fault";
import { profileErrorText } from "./profile-error-text";

const TAKEN: Text = { key: "profile.nameTaken" };

export type EditProfileState = ReturnType<typeof useEditProfile>;

export function useEditProfile(person: ProfileView) {
  // Null: not touched, so that what another device saves meanwhile is shown, and not sent back.
  const [typedName, setName] = useState<string | null>(null);
  const [typedBio, setBio] = useState<string | null>(null);
  const [picture, setPicture] = useState<CutPicture | null>(null);
  const [busy, setBusy] = useState(false);
  const { form, focusFirstFault } = useFocusFirstFault();
  const saving = useRef(false);
  const username = typedName ?? person.username;
  const bio = typedBio ?? person.bio;
  const renamed = username !== person.username;
  // Another case of one's own name is free, whatever the server says of it.
  const isOwnName = username.toLowerCase() === person.username.toLowerCase();
  const { state, markTaken } = useNameCheck(isOwnName ? "" : username);
  const fault = renamed ? usernameFault(username) : null;
  const nameFault: Text | null =
    fault !== null ? { key: errorKey(fault) } : state === "taken" ? TAKEN : null;

  const run = async (save: () => Promise<SavedProfile>) => {
    if (saving.current) return false;
    saving.current = true;
    setBusy(true);
    const saved = await save();
    saving.current = false;
    setBusy(false);
    tell(saved);
    if (saved.error === "username_taken") markTaken();
    return saved.success;
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (nameFault !== null || bio.length > BIO_MAX) return focusFirstFault();
    const changes: ProfileChanges = {
      ...(renamed ? { username } : {}),
      ...(bio !== person.bio ? { bio } : {}),
      ...(picture !== null ? { picture } : {}),
    };
    if (Object.keys(changes).length === 0) return;
    if (!(await run(() => saveProfile(changes)))) return focusFirstFault();
    // What was typed while it was being saved is still to be saved.
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
      return run(deleteProfilePicture);
    },
  };
}

function tell(saved: SavedProfile): void {
  if (saved.success) {
    showToast({ title: { key: saved.queued ? "profile.savedLater" : "profile.saved" } });
  } else if (saved.error !== "username_taken") {
    showToast({ title: profileErrorText(saved), variant: "destructive" });
  }
}
