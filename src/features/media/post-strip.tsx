/** The media of a post in a row below the one that is shown: each is one press away. */
import { Play } from "lucide-react";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { MediaView } from "@/data/shapes";
import { cn } from "@/ui/cn";
import { Picture } from "./media-card";

interface PostStripProps {
  members: readonly MediaView[];
  /** Of the one that is shown. */
  id: string;
  onOpen: (member: MediaView) => void;
}

export function PostStrip({ members, id, onOpen }: PostStripProps) {
  const { t } = useTranslation();
  const row = useRef<HTMLUListElement>(null);
  // Outside: the row's own scrolling, which must not move the page.
  // biome-ignore lint/correctness/useExhaustiveDependencies: looks again whenever another one is shown.
  useEffect(() => {
    const shown = row.current?.querySelector<HTMLElement>("[aria-current]")?.parentElement;
    if (!shown || row.current === null) return;
    const middle = shown.offsetLeft - (row.current.clientWidth - shown.offsetWidth) / 2;
    row.current.scrollTo({ left: middle });
  }, [id, members.length]);
  const at = members.findIndex((member) => member.id === id);
  const placeOf = ({ type }: MediaView, i: number) =>
    t(type === "video" ? "media.videoPlace" : "media.photoPlace", {
      place: i + 1,
      count: members.length,
    });
  return (
    <>
      <ul
        ref={row}
        aria-label={t("detail.allInPost")}
        data-testid="post-strip"
        className="relative mx-auto mt-2 flex w-fit max-w-full gap-1.5 overflow-x-auto p-1 [scrollbar-width:thin]"
      >
        {members.map((member, i) => (
          <li key={member.id} className="shrink-0">
            <button
              type="button"
              aria-label={placeOf(member, i)}
              {...(i === at && { "aria-current": true })}
              data-testid="post-member"
              data-member-id={member.id}
              onClick={() => i !== at && onOpen(member)}
              className={cn(
                "relative block size-14 overflow-hidden rounded-lg bg-skeleton [&_img]:absolute [&_img]:inset-0 [&_img]:size-full [&_img]:object-cover",
                i === at ? "outline-[2.5px] outline-offset-1 outline-mark" : "opacity-70",
              )}
            >
              <Picture
                media={{ ...member, alt: "", previewUrl: member.thumbnailUrl || member.previewUrl }}
                eager={false}
              />
              {member.type === "video" && (
                <Play
                  className="absolute end-1 bottom-1 size-4 fill-white text-white drop-shadow"
                  aria-hidden="true"
                />
              )}
            </button>
          </li>
        ))}
      </ul>
      <span role="status" className="sr-only" data-testid="post-place">
        {members[at] && placeOf(members[at], at)}
      </span>
    </>
  );
}
