/** A password that can be shown. */
import { Eye, EyeOff } from "lucide-react";
import { type ComponentProps, useState } from "react";
import { useText } from "@/i18n/use-text";
import { Input } from "@/ui/input";

export function PasswordInput(props: ComponentProps<"input">) {
  const { t } = useText();
  const [shown, setShown] = useState(false);
  return (
    <div className="relative">
      <Input
        {...props}
        type={shown ? "text" : "password"}
        className="pr-13"
        autoCapitalize="none"
      />
      <button
        type="button"
        aria-label={shown ? t("auth.hidePassword") : t("auth.showPassword")}
        onClick={() => setShown(!shown)}
        className="absolute top-0.5 right-0.5 grid size-11 place-items-center rounded-xl text-muted"
      >
        {shown ? (
          <EyeOff className="size-5" aria-hidden="true" />
        ) : (
          <Eye className="size-5" aria-hidden="true" />
        )}
      </button>
    </div>
  );
}
