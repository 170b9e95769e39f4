/** The notice that the server no longer takes this session: nothing is lost, but nothing is sent either. */
import { Link, useLocation } from "react-router-dom";
import { paths } from "@/domain/paths";
import { useText } from "@/i18n/use-text";
import { useSession } from "@/state/session";
import { buttonClasses } from "@/ui/button";

export function NeedsLogin() {
  const { t } = useText();
  const session = useSession();
  const onLogin = useLocation().pathname === paths.login;
  if (session.state !== "signed-in" || !session.needsLogin) return null;
  return (
    <div role="status" className="border-b border-line bg-surface" data-testid="needs-login">
      <div className="mx-auto flex max-w-[1060px] flex-wrap items-center justify-between gap-2 px-3 py-2 text-sm md:px-6">
        <p>{t("auth.needsLogin")}</p>
        {!onLogin && (
          <Link to={paths.login} className={buttonClasses({ variant: "solid" })}>
            {t("auth.signIn")}
          </Link>
        )}
      </div>
    </div>
  );
}
