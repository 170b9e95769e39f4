import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Navigate } from "react-router-dom";
import { useLoginPath, useSession, type useUser } from "@/state/session";
import { Spinner } from "@/ui/loading";

interface ForUserProps {
  /** Given the sign-in form, which leads back here. Without it the visitor is sent there. */
  signedOut?: (login: string) => ReactNode;
  children: (user: NonNullable<ReturnType<typeof useUser>>) => ReactNode;
}

const toLogin = (login: string) => <Navigate to={login} replace />;

export function ForUser({ signedOut = toLogin, children }: ForUserProps) {
  const { t } = useTranslation();
  const session = useSession();
  const login = useLoginPath();
  switch (session.state) {
    case "loading":
      return <Spinner label={t("app.loading")} className="w-full py-24" />;
    case "signed-out":
      return signedOut(login);
    case "signed-in":
      return children(session.user);
  }
}
