/** The notification area: swipe right by 50 px to dismiss, F8 to reach it (specification §9). */
import { X } from "lucide-react";
import { Toast as Primitive } from "radix-ui";
import type { ReactNode } from "react";
import { cn } from "./cn";
import { yieldToLayer } from "./layer";

const SWIPE_PX = 50;

interface ToastRegionProps {
  duration: number;
  /** Announced for the region; Radix replaces `{hotkey}`. */
  label: string;
  /** Heard before each notification. */
  announcement: string;
  children: ReactNode;
}

export function ToastRegion({ duration, label, announcement, children }: ToastRegionProps) {
  return (
    <Primitive.Provider
      duration={duration}
      label={announcement}
      swipeDirection="right"
      swipeThreshold={SWIPE_PX}
    >
      {children}
      <Primitive.Viewport
        hotkey={["F8"]}
        label={label}
        className="fixed inset-x-0 bottom-0 z-[60] m-0 mx-auto flex w-full max-w-[420px] list-none flex-col gap-2 p-4 pb-[calc(16px+max(var(--dock),env(safe-area-inset-bottom)))] outline-none md:end-0 md:start-auto md:mx-0"
      />
    </Primitive.Provider>
  );
}

interface ToastProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  variant: "default" | "destructive";
  title: ReactNode;
  description?: ReactNode;
  closeLabel: string;
}

export function Toast(props: ToastProps) {
  const destructive = props.variant === "destructive";
  return (
    <Primitive.Root
      open={props.open}
      onOpenChange={props.onOpenChange}
      onEscapeKeyDown={yieldToLayer}
      type={destructive ? "foreground" : "background"}
      data-testid="toast"
      data-passing=""
      data-variant={props.variant}
      className={cn(
        "flex items-start gap-3 rounded-2xl border py-2 pe-1.5 ps-4 shadow-float animate-toast-in data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x) data-[swipe=cancel]:translate-x-0 data-[swipe=end]:opacity-0",
        destructive
          ? "border-transparent bg-danger text-on-danger"
          : "border-line-strong bg-raised text-foreground",
      )}
    >
      <div className="min-w-0 flex-1 py-2.5">
        <Primitive.Title className="text-[0.9375rem] font-semibold">{props.title}</Primitive.Title>
        {props.description !== undefined && (
          <Primitive.Description className="mt-0.5 text-sm">
            {props.description}
          </Primitive.Description>
        )}
      </div>
      <Primitive.Close
        aria-label={props.closeLabel}
        className="grid size-11 shrink-0 place-items-center rounded-full"
      >
        <X className="size-[18px]" aria-hidden="true" />
      </Primitive.Close>
    </Primitive.Root>
  );
}
