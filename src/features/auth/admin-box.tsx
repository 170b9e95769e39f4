/** Tells administrators of their rights, and leads to the panel (specification §2 "/profil"). */
import { ShieldCheck } from "lucide-react";
import { Link } from "react-router-dom";
import { paths } from "@/domain/paths";
import { useText } from "@/i18n/use-text";
import { buttonClasses } from "@/ui/button";
import { Panel } from "@/ui/panel";

export function AdminBox() {
  const { t } = useText();
  return (
    <Panel id="admin-box" title={t("account.admin")} text={t("account.adminText")}>
      <div>
        <Link to={paths.admin} className={buttonClasses()} data-testid="to-admin">
          <ShieldCheck aria-hidden="true" />
          {t("account.toAdmin")}
        </Link>
      </div>
    </Panel>
  );
}
