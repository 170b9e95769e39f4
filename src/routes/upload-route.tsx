import { LockKeyhole } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link, useNavigate } from "react-router-dom";
import { paths } from "@/domain/paths";
import { UploadForm } from "@/features/upload/upload-form";
import { useTitle } from "@/state/page";
import { buttonClasses } from "@/ui/button";
import { EmptyState } from "@/ui/empty-state";
import { ForUser } from "./for-user";

export function UploadRoute() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  useTitle(t("gallery.upload"));
  const home = () => navigate(paths.home);
  return (
    <ForUser signedOut={(login) => <SignInFirst login={login} />}>
      {({ id }) => (
        <div className="mx-auto max-w-[760px] pt-4">
          <h1 className="mb-4 text-[1.625rem] leading-tight font-bold tracking-tight">
            {t("gallery.upload")}
          </h1>
          <UploadForm userId={id} onDone={home} onCancel={home} />
        </div>
      )}
    </ForUser>
  );
}

function SignInFirst({ login }: { login: string }) {
  const { t } = useTranslation();
  return (
    <EmptyState
      page
      testId="sign-in-required"
      icon={<LockKeyhole />}
      title={t("upload.signInRequired")}
      text={t("upload.signInText")}
    >
      <Link to={login} className={buttonClasses({ variant: "accent" })}>
        {t("auth.signIn")}
      </Link>
    </EmptyState>
  );
}
