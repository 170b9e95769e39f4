/**
 * The pictures of a post on its card: swiped by a finger, by its buttons, or by the arrow keys. The
 * card shows the facts of the one in view.
 */
import { ChevronLeft, ChevronRight } from "lucide-react";
import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useRef,
} from "react";
import { useTranslation } from "react-i18next";
import { Link, useNavigate } from "react-router-dom";
import type { MediaView } from "@/data/shapes";
import { paths } from "@/domain/paths";
import { pageDirection } from "@/lib/page-direction";
import { rememberCard } from "@/state/place";
import { CardVideo } from "./card-video";

interface CardPostProps {
  members: readonly MediaView[];
  /** Each one's picture, at its place. */
  pictures: readonly ReactNode[];
  /** The one in view. */
  at: number;
  onView: (at: number) => void;
  height: number;
  /** Whether this device lets videos play by themselves. */
  moves: boolean;
  onOpen: (event: MouseEvent) => void;
  /** Told once it can be reached by keys, in place of the card's link below it. */
  onShown: () => void;
}

const placeKey = ({ type }: MediaView) =>
  type === "video" ? "media.videoPlace" : "media.photoPlace";

const BUTTON =
  "absolute top-1/2 hidden size-11 -translate-y-1/2 place-items-center text-white pointer-fine:group-hover/post:grid";

/** Which of its pictures fills a track that scrolls sideways, from 0. */
function placeIn(track: HTMLElement | null): number {
  const { scrollLeft = 0, clientWidth = 0 } = track ?? {};
  return Math.round(Math.abs(scrollLeft) / Math.max(1, clientWidth));
}

/** Pixels that `track` has to scroll so that its picture `to` fills it; 0 where there is none. */
function wayTo(track: HTMLElement | null, to: number): number {
  const slide = track?.children[to];
  if (track === null || slide === undefined) return 0;
  return slide.getBoundingClientRect().left - track.getBoundingClientRect().left;
}

/** Where buttons and keys send the pictures of `track`, of which that `at` is in view. */
function useWay(track: RefObject<HTMLElement | null>, at: number) {
  // Until it is there.
  const wanted = useRef<number | null>(null);
  const go = (to: number, behavior: ScrollBehavior = "auto") => {
    if (track.current?.children[to] === undefined) return;
    wanted.current = to;
    track.current.scrollBy({ left: wayTo(track.current, to), behavior });
  };
  // Quick presses add up, though the pictures are still on their way.
  const turn = (by: number) => go((wanted.current ?? at) + by);
  // Chromium's snapping after a swipe goes on beside the way begun meanwhile: it ends that way
  // somewhere, then drags the pictures back.
  const arrive = () => {
    const to = wanted.current;
    if (to === null) return;
    if (Math.abs(wayTo(track.current, to)) < 1) wanted.current = null;
    else go(to, "instant");
  };
  // A finger or a trackpad goes where it wants.
  const letGo = () => {
    wanted.current = null;
  };
  return { turn, arrive, letGo };
}

export function CardPost(props: CardPostProps) {
  const { members, pictures, at, onView, height, moves, onOpen, onShown } = props;
  const { t } = useTranslation();
  const navigate = useNavigate();
  const track = useRef<HTMLDivElement>(null);
  const shown = members[at];
  useEffect(onShown, [onShown]);
  const where = { place: at + 1, count: members.length };
  const look = () => {
    const now = placeIn(track.current);
    if (now !== at && now < members.length) onView(now);
  };
  const { turn, arrive, letGo } = useWay(track, at);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target !== event.currentTarget)
      return;
    const isMirrored = pageDirection() === "rtl";
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by !== undefined) turn(isMirrored ? -by : by);
    else if (event.key === "Enter" && shown !== undefined) {
      rememberCard(shown);
      void navigate(paths.media(shown));
    } else return;
    event.preventDefault();
  };
  return (
    <div className="group/post absolute inset-x-0 top-0" style={{ height }} data-testid="card-post">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms. */}
      <div
        ref={track}
        role="group"
        aria-label={t("media.post", { count: members.length })}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it answers the arrow keys and Enter.
        tabIndex={0}
        data-testid="post-track"
        onScroll={look}
        onScrollEnd={arrive}
        onPointerDown={letGo}
        onWheel={letGo}
        onKeyDown={onKeyDown}
        className="flex size-full snap-x snap-mandatory overflow-x-auto overflow-y-hidden overscroll-x-contain rounded-[14px] [scrollbar-width:none] motion-safe:scroll-smooth"
      >
        {members.map((member, i) => (
          <Slide
            key={member.id}
            {...{ member, height, moves, onOpen }}
            label={t(placeKey(member), { place: i + 1, count: members.length })}
            isInView={i === at}
            picture={pictures[i]}
          />
        ))}
      </div>
      {at > 0 && (
        <Turn side="start-0" label={t("detail.previousInPost")} onClick={() => turn(-1)}>
          <ChevronLeft />
        </Turn>
      )}
      {at < members.length - 1 && (
        <Turn side="end-0" label={t("detail.nextInPost")} onClick={() => turn(1)}>
          <ChevronRight />
        </Turn>
      )}
      <span role="status" className="sr-only">
        {at > 0 && shown && t(placeKey(shown), where)}
      </span>
      <Dots count={members.length} at={at} />
    </div>
  );
}

interface SlideProps extends Pick<CardPostProps, "height" | "moves" | "onOpen"> {
  member: MediaView;
  label: string;
  isInView: boolean;
  picture: ReactNode;
}

function Slide({ member, label, isInView, picture, height, moves, onOpen }: SlideProps) {
  return (
    <div className="relative size-full shrink-0 snap-start snap-always" aria-hidden={!isInView}>
      <Link
        to={paths.media(member)}
        onClick={onOpen}
        tabIndex={-1}
        aria-label={label}
        draggable={false}
        className="shell-picture h-full! rounded-none!"
        data-testid="post-slide"
        data-member-id={member.id}
        data-picture={member.id}
      >
        {picture}
      </Link>
      {isInView && member.type === "video" && (
        <CardVideo
          media={member}
          height={height}
          moves={moves}
          bare={member.previewUrl === "" && member.thumbnailUrl === ""}
        />
      )}
    </div>
  );
}

interface TurnProps {
  side: string;
  label: string;
  onClick: () => void;
  children: ReactNode;
}

/** For the mouse alone: fingers swipe, and keys have the arrows. */
function Turn({ side, label, onClick, children }: TurnProps) {
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-label={label}
      title={label}
      data-testid={side === "end-0" ? "post-next" : "post-previous"}
      className={`${BUTTON} ${side}`}
      onClick={onClick}
    >
      <span className="grid size-8 place-items-center rounded-full bg-slate-900/75 [&_svg]:size-5">
        {children}
      </span>
    </button>
  );
}

function Dots({ count, at }: { count: number; at: number }) {
  return (
    <span
      aria-hidden="true"
      className="pointer-events-none absolute inset-x-0 bottom-2 flex justify-center gap-1"
    >
      {Array.from({ length: count }, (_, i) => (
        <i
          // biome-ignore lint/suspicious/noArrayIndexKey: dots without identity that never move.
          key={i}
          className={`size-1.5 rounded-full shadow-[0_0_2px_rgb(0_0_0/0.6)] ${i === at ? "bg-white" : "bg-white/50"}`}
        />
      ))}
    </span>
  );
}
