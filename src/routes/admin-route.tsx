import { Navigate } from "react-router-dom";
import { paths } from "@/domain/paths";
import { AdminGuard, AdminPanel } from "@/features/admin/admin-panel";
import { addAdminTexts } from "@/i18n/admin-texts";
import { useText } from "@/i18n/use-text";
import { useTitle } from "@/state/page";
import { useSession } from "@/state/session";
import { Spinner } from "@/ui/loading";

// With this chunk, before any of it is rendered.
addAdminTexts();

export function AdminRoute() {
  const { t } = useText();
  const session = useSession();
  useTitle(t("admin.title"));
  if (session.state === "loading") {
    return <Spinner label={t("app.loading")} className="w-full py-24" />;
  }
  if (session.state === "signed-out") return <Navigate to={paths.home} replace />;
  return (
    <AdminGuard key={session.user.id}>
      <AdminPanel userId={session.user.id} />
    </AdminGuard>
  );
}
