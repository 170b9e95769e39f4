/** What a queued action looks like: its picture, or a sign of its kind. Decoration beside the name. */
import {
  Ban,
  CheckCheck,
  Flag,
  Heart,
  ImageUp,
  MessageCircle,
  Pencil,
  SendHorizontal,
  Trash2,
  UserRound,
} from "lucide-react";
import { useState } from "react";
import type { IntentView } from "@/data/shapes";

const SIGNS = [
  [/\.delete$/, Trash2],
  [/^media\.update/, Pencil],
  [/^media\./, ImageUp],
  [/^like/, Heart],
  [/^comment/, MessageCircle],
  [/^block/, Ban],
  [/^report/, Flag],
  [/^conversation/, CheckCheck],
  [/^message/, SendHorizontal],
] as const;

export function IntentPicture({ item }: { item: IntentView }) {
  const [broken, setBroken] = useState(false);
  const frame = "size-14 shrink-0 overflow-hidden rounded-xl md:size-16";
  if (item.thumbnailUrl !== "" && !broken) {
    return (
      <img
        src={item.thumbnailUrl}
        alt=""
        className={`${frame} bg-skeleton object-cover`}
        onError={() => setBroken(true)}
      />
    );
  }
  const Sign = SIGNS.find(([pattern]) => pattern.test(item.kind))?.[1] ?? UserRound;
  return (
    <span aria-hidden="true" className={`${frame} grid place-items-center bg-surface text-muted`}>
      <Sign className="size-6" />
    </span>
  );
}
