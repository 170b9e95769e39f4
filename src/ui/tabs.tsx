/** Tabs: arrow keys move between them, and only the selected one is in the page. */

import { ChevronRight } from "lucide-react";
import { Tabs as Primitive } from "radix-ui";
import {
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { pageDirection } from "@/lib/page-direction";

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
  const more = useMoreBeside(strip);
  // Outside: the scroll position. A tab opened by an address, or grown, is scrolled into view.
  useLayoutEffect(() => {
    const active = strip.current?.querySelector<HTMLElement>('[data-state="active"]');
    const now = `${value} ${active?.offsetWidth} ${strip.current?.scrollWidth}`;
    if (!active || strip.current === null || now === shown.current) return;
    shown.current = now;
    showWithin(strip.current, active);
  });
  return (
    <Primitive.Root
      dir={pageDirection()}
      value={value}
      onValueChange={(next) => onChange(next as T)}
    >
      <div className="relative -mx-3 mb-4 md:mx-0">
        <div ref={strip} className="relative overflow-x-auto px-3 [scrollbar-width:none] md:px-0">
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
                className="min-h-12 shrink-0 border-b-2 border-transparent outline-offset-[-3px] px-3 text-[0.9375rem] font-semibold whitespace-nowrap text-muted transition-colors data-[state=active]:border-foreground data-[state=active]:text-foreground md:px-4"
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
        {more && (
          <span
            aria-hidden="true"
            data-testid={`${testId}-more`}
            className="pointer-events-none absolute inset-y-0 end-0 flex w-14 items-center justify-end bg-linear-to-r from-transparent to-background to-60% pe-2 text-muted rtl:bg-linear-to-l"
          >
            <ChevronRight className="size-5" />
          </span>
        )}
      </div>
      {tabs.map((tab) => (
        <Primitive.Content key={tab.value} value={tab.value} tabIndex={-1}>
          {tab.content}
        </Primitive.Content>
      ))}
    </Primitive.Root>
  );
}

/** Whether the strip goes on beyond its end, where nothing else tells so. */
function useMoreBeside(strip: RefObject<HTMLElement | null>): boolean {
  const [more, setMore] = useState(false);
  // Outside: the scroll position and the layout.
  useEffect(() => {
    const box = strip.current;
    if (box === null) return;
    const look = () =>
      setMore(box.scrollWidth - box.clientWidth - Math.abs(box.scrollLeft) > EDGE_PX);
    const sizes = new ResizeObserver(look);
    sizes.observe(box);
    for (const child of box.children) sizes.observe(child);
    box.addEventListener("scroll", look, { passive: true });
    return () => {
      sizes.disconnect();
      box.removeEventListener("scroll", look);
    };
  }, [strip]);
  return more;
}

const EDGE_PX = 12;

/** Sideways only: the page itself must not move. */
function showWithin(strip: HTMLElement, tab: HTMLElement): void {
  const [inner, outer] = [tab.getBoundingClientRect(), strip.getBoundingClientRect()];
  const beyond = inner.right + EDGE_PX - outer.right;
  const before = outer.left - inner.left + EDGE_PX;
  if (beyond > 0) strip.scrollLeft += beyond;
  else if (before > 0) strip.scrollLeft -= before;
}
