/** Tabs: arrow keys move between them, and only the selected one is in the page. */
import { Tabs as Primitive } from "radix-ui";
import { type ReactNode, useLayoutEffect, useRef } from "react";

interface TabsProps<T extends string> {
  label: string;
  value: T;
  onChange: (value: T) => void;
  tabs: readonly { value: T; text: ReactNode; content: ReactNode }[];
  testId: string;
}

export function Tabs<T extends string>({ label, value, onChange, tabs, testId }: TabsProps<T>) {
  const strip = useRef<HTMLDivElement>(null);
  const shown = useRef("");
  // Outside: the scroll position. A tab opened by an address, or grown, is scrolled into view.
  useLayoutEffect(() => {
    const active = strip.current?.querySelector<HTMLElement>('[data-state="active"]');
    const now = `${value} ${active?.offsetWidth} ${strip.current?.scrollWidth}`;
    if (!active || strip.current === null || now === shown.current) return;
    shown.current = now;
    showWithin(strip.current, active);
  });
  return (
    <Primitive.Root value={value} onValueChange={(next) => onChange(next as T)}>
      <div
        ref={strip}
        className="relative -mx-3 mb-4 overflow-x-auto px-3 [scrollbar-width:none] md:mx-0 md:px-0"
      >
        <Primitive.List
          aria-label={label}
          className="flex w-max min-w-full gap-1 border-b border-line"
          data-testid={testId}
        >
          {tabs.map((tab) => (
            <Primitive.Trigger
              key={tab.value}
              value={tab.value}
              data-testid={`${testId}-${tab.value}`}
              className="min-h-12 shrink-0 border-b-2 border-transparent outline-offset-[-3px] px-3 text-[15px] font-semibold whitespace-nowrap text-muted transition-colors data-[state=active]:border-foreground data-[state=active]:text-foreground md:px-4"
              // Where the labels do not fit, the focused one is scrolled into view.
              onFocus={(event) =>
                event.currentTarget.scrollIntoView({ block: "nearest", inline: "nearest" })
              }
            >
              {tab.text}
            </Primitive.Trigger>
          ))}
        </Primitive.List>
      </div>
      {tabs.map((tab) => (
        <Primitive.Content key={tab.value} value={tab.value} tabIndex={-1}>
          {tab.content}
        </Primitive.Content>
      ))}
    </Primitive.Root>
  );
}

const EDGE_PX = 12;

/** Sideways only: the page itself must not move. */
function showWithin(strip: HTMLElement, tab: HTMLElement): void {
  const end = tab.offsetLeft + tab.offsetWidth + EDGE_PX;
  if (end > strip.scrollLeft + strip.clientWidth) strip.scrollLeft = end - strip.clientWidth;
  else strip.scrollLeft = Math.min(strip.scrollLeft, tab.offsetLeft - EDGE_PX);
}
