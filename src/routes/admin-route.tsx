import { useTranslation } from "react-i18next";
import { Navigate } from "react-router-dom";
import { paths } from "@/domain/paths";
import { AdminGuard } from "@/features/admin/admin-guard";
import { loadAdminTexts } from "@/i18n/setup";
import { useTitle } from "@/state/page";
import { lazily } from "@/ui/lazily";
import { PageLoading } from "@/ui/loading";
import { ForUser } from "./for-user";

const AdminPanel = lazily(
  async () => {
    const [file] = await Promise.all([import("@/features/admin/admin-panel"), loadAdminTexts()]);
    return { AdminPanel: file.AdminPanel };
  },
  "AdminPanel",
  PageLoading,
);

export function AdminRoute() {
  const { t } = useTranslation();
  useTitle(t("admin.title"));
  return (
    <ForUser signedOut={() => <Navigate to={paths.home} replace />}>
      {({ id }) => (
        <AdminGuard key={id}>
          <AdminPanel userId={id} />
        </AdminGuard>
      )}
    </ForUser>
  );
}
