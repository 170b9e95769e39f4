import { useTranslation } from "react-i18next";
import { Navigate } from "react-router-dom";
import { paths } from "@/domain/paths";
import { AdminGuard, AdminPanel } from "@/features/admin/admin-panel";
import { useTitle } from "@/state/page";
import { ForUser } from "./for-user";

export function AdminRoute() {
  const { t } = useTranslation();
  useTitle(t("admin.title"));
  return (
    <ForUser signedOut={<Navigate to={paths.home} replace />}>
      {({ id }) => (
        <AdminGuard key={id}>
          <AdminPanel userId={id} />
        </AdminGuard>
      )}
    </ForUser>
  );
}
