/** Edit Profile (specification §2 "/profil", §5 "Profile"): name, biography, picture. Only what changed is sent. */
import { Upload } from "lucide-react";
import { Link } from "react-router-dom";
import type { ProfileView } from "@/data/shapes";
import { BIO_MAX } from "@/domain/limits";
import { paths } from "@/domain/paths";
import { SayText } from "@/i18n/say";
import { useText } from "@/i18n/use-text";
import type { NameCheck } from "@/state/account";
import { useUnsentText } from "@/state/unsent-text";
import { Button, buttonClasses } from "@/ui/button";
import { Field } from "@/ui/field";
import { Input, Textarea } from "@/ui/input";
import { Panel } from "@/ui/panel";
import { PictureField } from "./picture-field";
import { useEditProfile } from "./use-edit-profile";

export function EditProfile({ person }: { person: ProfileView }) {
  const { t } = useText();
  const edit = useEditProfile(person);
  useUnsentText(edit.changed);
  const left = BIO_MAX - edit.bio.length;
  return (
    <Panel id="edit-profile" title={t("people.editOwn")}>
      <form ref={edit.form} noValidate className="grid gap-4" onSubmit={edit.submit}>
        <PictureField person={person} edit={edit} />
        <Field
          label={t("auth.username")}
          hint={<NameHint check={edit.check} />}
          error={edit.nameFault && <SayText text={edit.nameFault} />}
        >
          {(control) => (
            <Input
              {...control}
              name="username"
              autoComplete="nickname"
              autoCapitalize="none"
              spellCheck={false}
              data-testid="edit-username"
              data-check={edit.check}
              value={edit.username}
              onChange={(event) => edit.setUsername(event.target.value)}
            />
          )}
        </Field>
        <Field
          label={t("profile.bio")}
          hint={left < 0 ? undefined : t("upload.captionLeft", { count: left })}
          error={left < 0 ? t("upload.captionOver", { count: -left }) : undefined}
        >
          {(control) => (
            <Textarea
              {...control}
              name="bio"
              data-testid="edit-bio"
              value={edit.bio}
              onChange={(event) => edit.setBio(event.target.value)}
            />
          )}
        </Field>
        <div className="flex flex-wrap gap-2">
          <Button type="submit" variant="accent" disabled={edit.busy} data-testid="save-profile">
            {edit.busy ? t("profile.saving") : t("profile.save")}
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

function NameHint({ check }: { check: NameCheck }) {
  const { t } = useText();
  if (check === "checking") return t("auth.checking");
  if (check === "free") return <span className="text-ok">{t("auth.available")}</span>;
  return t("auth.usernameHint");
}
