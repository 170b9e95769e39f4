/** The toasts of the store in Radix's notification area. */
import { SayText } from "@/i18n/say";
import { useText } from "@/i18n/use-text";
import { TOAST_DURATION_MS, useToasts } from "@/state/toasts";
import { Toast, ToastRegion } from "@/ui/toast";

export function Notifications() {
  const { t } = useText();
  const { items, close } = useToasts();
  return (
    <ToastRegion
      duration={TOAST_DURATION_MS}
      label={t("nav.notifications", { hotkey: "{hotkey}" })}
    >
      {items.map((item) => (
        <Toast
          key={item.id}
          open={item.open}
          onOpenChange={(open) => !open && close(item.id)}
          variant={item.variant ?? "default"}
          title={<SayText text={item.title} />}
          {...(item.description === undefined
            ? {}
            : { description: <SayText text={item.description} /> })}
          closeLabel={t("app.close")}
        />
      ))}
    </ToastRegion>
  );
}
