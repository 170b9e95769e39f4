import { Navigate, useNavigate } from "react-router-dom";
import { paths } from "@/domain/paths";
import { LoginForm } from "@/features/auth/login-form";
import { useText } from "@/i18n/use-text";
import { useSession } from "@/state/use-session";
import { useTitle } from "@/state/use-title";

export function LoginRoute() {
  const { t } = useText();
  const navigate = useNavigate();
  const session = useSession();
  useTitle(t("pages.login"));
  // Whoever is signed in has nothing to do here, unless the server wants the password again.
  if (session.state === "signed-in" && !session.needsLogin)
    return <Navigate to={paths.home} replace />;
  return <LoginForm onDone={() => navigate(paths.home, { replace: true })} />;
}
