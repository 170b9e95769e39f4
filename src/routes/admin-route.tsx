import { useTranslation } from "react-i18next";
import { Navigate } from "react-router-dom";
import { paths } from "@/domain/paths";
import { AdminGuard, AdminPanel } from "@/features/admin/admin-panel";
import { useTitle } from "@/state/page";
import { useSession } from "@/state/session";
import { Spinner } from "@/ui/loading";

export function AdminRoute() {
  const { t } = useTranslation();
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
