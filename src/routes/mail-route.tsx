import { useTranslation } from "react-i18next";
import { useLocation, useNavigate } from "react-router-dom";
import { paths } from "@/domain/paths";
import { ForgotForm, ResetForm, VerifyAddress } from "@/features/auth/mail-forms";
import { useTitle } from "@/state/page";

/** The token stands after `#`, so that it is sent nowhere but to the server's own question. */
export function MailRoute({ page }: { page: "forgot" | "reset" | "verify" }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const token = useLocation().hash.slice(1);
  useTitle(t(page === "verify" ? "account.email" : "auth.forgotTitle"));
  if (page === "forgot") return <ForgotForm />;
  if (page === "verify") return <VerifyAddress token={token} />;
  return <ResetForm token={token} onDone={() => void navigate(paths.login, { replace: true })} />;
}
