import { LockKeyhole } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link, useNavigate } from "react-router-dom";
import { paths } from "@/domain/paths";
import { UploadForm } from "@/features/upload/upload-form";
import { useTitle } from "@/state/page";
import { useSession } from "@/state/session";
import { buttonClasses } from "@/ui/button";
import { EmptyState } from "@/ui/empty-state";
import { Spinner } from "@/ui/loading";

export function UploadRoute() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const session = useSession();
  useTitle(t("pages.upload"));
  const home = () => navigate(paths.home);
  if (session.state === "loading") {
    return <Spinner label={t("app.loading")} className="w-full py-24" />;
  }
  if (session.state === "signed-out") {
    return (
      <EmptyState
        page
        testId="sign-in-required"
        icon={<LockKeyhole />}
        title={t("upload.signInRequired")}
        text={t("upload.signInText")}
      >
        <Link to={paths.login} className={buttonClasses({ variant: "accent" })}>
          {t("auth.signIn")}
        </Link>
      </EmptyState>
    );
  }
  return (
    <div className="mx-auto max-w-[760px] pt-4">
      <h1 className="mb-4 text-[26px] leading-tight font-bold tracking-tight">
        {t("upload.title")}
      </h1>
      <UploadForm userId={session.user.id} onDone={home} onCancel={home} />
    </div>
  );
}
