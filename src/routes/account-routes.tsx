/** Signing in and signing up, and the way back to the page that asked for it. */
import { useTranslation } from "react-i18next";
import { Navigate, useLocation, useNavigate } from "react-router-dom";
import { paths } from "@/domain/paths";
import { LoginForm } from "@/features/auth/login-form";
import { SignupForm } from "@/features/auth/signup-form";
import { returnPath } from "@/lib/return-path";
import { useTitle } from "@/state/page";
import { useSession } from "@/state/session";

export function LoginRoute() {
  const { t } = useTranslation();
  useTitle(t("auth.signIn"));
  const { isDone, next, search, onDone } = useReturn();
  if (isDone) return <Navigate to={next} replace />;
  return <LoginForm signup={`${paths.signup}${search}`} onDone={onDone} />;
}

export function SignupRoute() {
  const { t } = useTranslation();
  useTitle(t("auth.signUp"));
  const { isDone, next, search, onDone } = useReturn();
  if (isDone) return <Navigate to={next} replace />;
  return <SignupForm login={`${paths.login}${search}`} onDone={onDone} />;
}

function useReturn() {
  const navigate = useNavigate();
  const session = useSession();
  const { search } = useLocation();
  const next = returnPath(search, paths.home);
  return {
    // Signed-in users have nothing to do here, unless the server wants the password again.
    isDone: session.state === "signed-in" && !session.needsLogin,
    next,
    search,
    onDone: () => navigate(next, { replace: true }),
  };
}
