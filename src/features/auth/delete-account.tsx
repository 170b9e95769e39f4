/** The danger zone: deleting the account, after saying what goes and what stays, with the password (specification §6). */
import { Trash2 } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useText } from "@/i18n/use-text";
import { Button } from "@/ui/button";
import { Panel } from "@/ui/panel";

const DeleteAccountDialog = lazy(() =>
  import("./delete-account-dialog").then((file) => ({ default: file.DeleteAccountDialog })),
);

export interface DeleteAccountProps {
  /** Before the session may end with the account, and again with false when it did not. */
  onDeleting: (on: boolean) => void;
  onDeleted: () => void;
  /** The server no longer takes this session: sign in first. */
  onReauth: () => void;
}

export function DeleteAccount(props: DeleteAccountProps) {
  const { t } = useText();
  const [asking, setAsking] = useState(false);
  return (
    <Panel
      id="danger-zone"
      tone="danger"
      title={t("account.danger")}
      text={t("account.dangerText")}
    >
      <div>
        <Button variant="danger" data-testid="delete-account" onClick={() => setAsking(true)}>
          <Trash2 aria-hidden="true" />
          {t("account.delete")}
        </Button>
      </div>
      {asking && (
        <Suspense fallback={null}>
          <DeleteAccountDialog {...props} onClose={() => setAsking(false)} />
        </Suspense>
      )}
    </Panel>
  );
}
