import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useSession, type useUser } from "@/state/session";
import { Spinner } from "@/ui/loading";

interface ForUserProps {
  signedOut: ReactNode;
  children: (user: NonNullable<ReturnType<typeof useUser>>) => ReactNode;
}

export function ForUser({ signedOut, children }: ForUserProps) {
  const { t } = useTranslation();
  const session = useSession();
  switch (session.state) {
    case "loading":
      return <Spinner label={t("app.loading")} className="w-full py-24" />;
    case "signed-out":
      return signedOut;
    case "signed-in":
      return children(session.user);
  }
}
