/**
 * The bar within the thumb's reach, on phones, for whoever is signed in: five tabs, each of which
 * opens as it was left. It is away in a conversation and while one reads on; the focus brings it
 * back.
 */
import { House, MessageCircle, Plus, Search, UserRound } from "lucide-react";
import { type ComponentType, type MouseEvent, type ReactNode, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation, useNavigationType } from "react-router-dom";
import { paths } from "@/domain/paths";
import { useUnread } from "@/state/chat";
import type { FromTab, Stand } from "@/state/place";
import { fieldsOf } from "@/state/stored";
import { Badge, UNREAD_CAP } from "@/ui/badge";
import { cn } from "@/ui/cn";
import { wasByCode } from "@/ui/use-visible";
import { useWide } from "@/ui/use-wide";

type Tab = "home" | "search" | "upload" | "chats" | "profile";

const ROOTS: Record<Tab, string> = {
  home: paths.home,
  // Asks for the search box.
  search: paths.search(""),
  upload: paths.upload,
  chats: paths.chats,
  profile: paths.profile,
};

const TABS = Object.keys(ROOTS) as Tab[];

/** Of each tab that was open: where one was last, and on its own first page. */
type Stands = Partial<Record<Tab, { last: Stand; first?: Stand | undefined }>>;

/** The tab of an address; null for pages that any tab may lead to. */
function tabOf({ pathname, search }: { pathname: string; search: string }): Tab | null {
  if (pathname === paths.home) return new URLSearchParams(search).has("q") ? "search" : "home";
  if (pathname === paths.upload) return "upload";
  if (pathname === paths.chats || pathname.startsWith(paths.chat(""))) return "chats";
  return pathname === paths.profile || pathname === "/profil" ? "profile" : null;
}

/** Of the tabs' addresses that of a conversation alone is not a tab's own page. */
const isFirstPage = ({ pathname }: { pathname: string }): boolean =>
  !pathname.startsWith(paths.chat(""));

interface Tabs {
  tab: Tab;
  stands: Stands;
  /** Of the history entries that any tab may lead to: which one did. */
  tabs: ReadonlyMap<string, Tab>;
  key: string;
}

const NONE: Tabs = { tab: "home", stands: {}, tabs: new Map(), key: "" };

/** Which tab is open, and where the others were left. */
function useTabs(): Tabs {
  const place = useLocation();
  const type = useNavigationType();
  const [now, setNow] = useState(NONE);
  const { key } = place;
  if (now.key === key) return now;
  const own = tabOf(place);
  const led = TABS.find((one) => one === fieldsOf(place.state)["tab"]);
  const known = now.tabs.get(key) ?? (type === "REPLACE" && now.key !== "" ? now.tab : led);
  // Whose words are deleted, the search is at the gallery's address.
  const isWordless = own === "home" && known === "search";
  const tab = (isWordless ? known : own) ?? known ?? now.tab;
  const last = { to: isWordless ? ROOTS.search : place.pathname + place.search, key };
  const first = own !== null && isFirstPage(place) ? last : now.stands[tab]?.first;
  const stands = { ...now.stands, [tab]: { last, first } };
  const next = { tab, stands, tabs: new Map(now.tabs).set(key, tab), key };
  setNow(next);
  return next;
}

/** Small movements of a resting finger, pixels. */
const REST_PX = 8;

/** Whether the page was scrolled down last, and not up. */
function useReadingOn(): boolean {
  const { key } = useLocation();
  const [isReading, setReading] = useState(false);
  // Outside: the window. Each page begins with the bar.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new address is what brings it back.
  useEffect(() => {
    setReading(false);
    let from = window.scrollY;
    const look = () => {
      const top = window.scrollY;
      const isEnd = top + window.innerHeight >= document.documentElement.scrollHeight - REST_PX;
      if (wasByCode(top)) from = top;
      if (Math.abs(top - from) < REST_PX && !isEnd) return;
      setReading(top > from && top > 0 && !isEnd);
      from = top;
    };
    window.addEventListener("scroll", look, { passive: true });
    return () => window.removeEventListener("scroll", look);
  }, [key]);
  return isReading;
}

const EDITABLE =
  'textarea, [contenteditable="true"], input:not([type="checkbox"], [type="radio"], [type="file"])';
/** Less than any keyboard takes away, and more than a browser's own bars, pixels. */
const KEYBOARD_PX = 150;

/** Whether a keyboard has shortened the window; where it lies over the page, it covers the bar. */
function useKeyboard(): boolean {
  const [isOpen, setOpen] = useState(false);
  // Outside: the window.
  useEffect(() => {
    let tallest = window.innerHeight;
    let width = window.innerWidth;
    const look = () => {
      const isTurned = window.innerWidth !== width;
      width = window.innerWidth;
      tallest = isTurned ? window.innerHeight : Math.max(tallest, window.innerHeight);
      const isTyping = document.activeElement?.matches(EDITABLE) === true;
      setOpen(isTyping && window.innerHeight <= tallest - KEYBOARD_PX);
    };
    window.addEventListener("resize", look);
    return () => window.removeEventListener("resize", look);
  }, []);
  return isOpen;
}

/** `isGone`: the page has its room. */
export function BottomBar({ isGone: isWithout }: { isGone: boolean }) {
  const { t } = useTranslation();
  const { tab, stands } = useTabs();
  const wide = useWide();
  const { pathname } = useLocation();
  const isReading = useReadingOn();
  const unread = useUnread() ?? 0;
  const isKeyboard = useKeyboard();
  const isGone = isKeyboard || isWithout;
  const isGallery = pathname === paths.home;
  if (wide) return null;
  /** A second tap leads to the tab's own page, and there to its top. */
  const linkTo = (one: Tab) => {
    const { last, first } = stands[one] ?? {};
    const root: Stand = { to: ROOTS[one], key: "" };
    if (one !== tab) return last ?? root;
    return first ?? root;
  };
  const props = (one: Tab) => {
    const { to, key } = linkTo(one);
    const isHere = one === tab && stands[one]?.last.key === key;
    const toTop = (event: MouseEvent) => {
      if (!isHere || to === ROOTS.search) return;
      event.preventDefault();
      window.scrollTo(0, 0);
    };
    return {
      to,
      // Asked for once more, the empty search box gets the focus again. The gallery and a search
      // without words have one address, and are two places.
      replace: isHere && to === ROOTS.search,
      onClick: toTop,
      state: { fromTab: key, tab: one, first: stands[one]?.first } satisfies FromTab,
      "aria-current": one === tab ? ("page" as const) : undefined,
    };
  };
  return (
    <nav
      aria-label={t("tabs.label")}
      data-testid="bottom-bar"
      data-dock=""
      data-away={isReading || isGone}
      data-gone={isGone}
      className="shell-dock pointer-events-none fixed inset-x-0 bottom-0 z-20 flex items-end pt-3.5 transition-transform duration-200 has-[:focus-visible]:translate-y-0! has-[:focus-visible]:transition-none data-[gone=true]:transition-none data-[away=true]:translate-y-full"
    >
      <div className="pointer-events-auto flex w-full items-stretch border-t border-line bg-background pr-[env(safe-area-inset-right)] pb-[env(safe-area-inset-bottom)] pl-[env(safe-area-inset-left)]">
        <TabLink Icon={House} text={t("tabs.home")} testId="tab-home" {...props("home")} />
        <TabLink Icon={Search} text={t("tabs.search")} testId="tab-search" {...props("search")} />
        <Link
          {...props("upload")}
          aria-label={t("gallery.upload")}
          title={t("gallery.upload")}
          data-testid={isGallery ? "upload-button" : "upload-link"}
          className="-mt-3.5 mx-1 mb-1.5 grid size-14 shrink-0 place-items-center self-end rounded-full bg-accent text-on-accent no-underline shadow-float"
        >
          <Plus className="size-6" strokeWidth={2.4} aria-hidden="true" />
        </Link>
        <TabLink
          Icon={MessageCircle}
          text={t("chat.title")}
          testId="tab-chats"
          {...(unread > 0 && { label: t("chat.openUnread", { count: unread }) })}
          {...props("chats")}
        >
          <Badge count={unread} cap={UNREAD_CAP} className="absolute start-1/2 top-1 ms-1" />
        </TabLink>
        <TabLink
          Icon={UserRound}
          text={t("people.page")}
          testId="tab-profile"
          {...props("profile")}
        />
      </div>
    </nav>
  );
}

interface TabLinkProps {
  Icon: ComponentType<{ className: string; "aria-hidden": "true" }>;
  text: string;
  label?: string;
  testId: string;
  to: string;
  replace: boolean;
  state: FromTab;
  "aria-current": "page" | undefined;
  onClick: (event: MouseEvent) => void;
  children?: ReactNode;
}

function TabLink({ Icon, text, label = text, testId, children, ...link }: TabLinkProps) {
  return (
    <Link
      {...link}
      aria-label={label}
      data-testid={testId}
      className={cn(
        "relative flex h-14 min-w-0 flex-1 flex-col items-center justify-center gap-0.5 no-underline",
        link["aria-current"] ? "text-foreground" : "text-muted",
      )}
    >
      <Icon className="size-[22px]" aria-hidden="true" />
      <span className="max-w-full truncate text-[0.6875rem] leading-[1rem] font-semibold">
        {text}
      </span>{" "}
      {children}
    </Link>
  );
}
