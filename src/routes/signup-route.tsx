import { useTranslation } from "react-i18next";
import { Navigate, useLocation, useNavigate } from "react-router-dom";
import { paths } from "@/domain/paths";
import { SignupForm } from "@/features/auth/signup-form";
import { returnPath } from "@/lib/return-path";
import { useTitle } from "@/state/page";
import { useSession } from "@/state/session";

export function SignupRoute() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const session = useSession();
  const { search } = useLocation();
  const next = returnPath(search, paths.home);
  useTitle(t("pages.signup"));
  // Signed-in users have nothing to do here, unless the server wants the password again.
  if (session.state === "signed-in" && !session.needsLogin) return <Navigate to={next} replace />;
  return (
    <SignupForm
      login={`${paths.login}${search}`}
      onDone={() => navigate(next, { replace: true })}
    />
  );
}
