/** A switch: it acts at once, unlike a checkbox in a form. */
import { Switch as Primitive } from "radix-ui";

interface SwitchProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
  label: string;
  disabled?: boolean;
  testId?: string;
}

export function Switch({ checked, onChange, label, disabled = false, testId }: SwitchProps) {
  return (
    <Primitive.Root
      checked={checked}
      onCheckedChange={onChange}
      aria-label={label}
      disabled={disabled}
      data-testid={testId}
      className="group grid h-11 w-14 shrink-0 place-items-center rounded-full disabled:opacity-55"
    >
      <span className="flex h-7 w-12 items-center rounded-full border border-line-strong bg-surface p-0.5 transition-colors group-data-[state=checked]:border-ok group-data-[state=checked]:bg-ok">
        <Primitive.Thumb className="block size-[22px] rounded-full bg-line-strong transition-transform group-data-[state=checked]:translate-x-5 rtl:group-data-[state=checked]:-translate-x-5 group-data-[state=checked]:bg-background" />
      </span>
    </Primitive.Root>
  );
}
