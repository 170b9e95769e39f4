import { useTranslation } from "react-i18next";
import { Navigate, useLocation, useNavigate } from "react-router-dom";
import { paths } from "@/domain/paths";
import { LoginForm } from "@/features/auth/login-form";
import { returnPath } from "@/lib/return-path";
import { useTitle } from "@/state/page";
import { useSession } from "@/state/session";

export function LoginRoute() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const session = useSession();
  const { search } = useLocation();
  const next = returnPath(search, paths.home);
  useTitle(t("pages.login"));
  // Signed-in users have nothing to do here, unless the server wants the password again.
  if (session.state === "signed-in" && !session.needsLogin) return <Navigate to={next} replace />;
  return (
    <LoginForm
      signup={`${paths.signup}${search}`}
      onDone={() => navigate(next, { replace: true })}
    />
  );
}
