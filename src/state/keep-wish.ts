/** What somebody wants to keep on this device, until it is asked how much (app/late-parts). */
import type { RefObject } from "react";
import type { ListKind } from "@/domain/kept-lists";
import { createCell } from "@/lib/cell";
import { storedText } from "./stored";

export interface KeepWish {
  kind: ListKind;
  /** A person's id, the text that is looked for, "" for those whom one follows. */
  of: string;
  /** As it is called on screen: the person's, the text. */
  name: string;
  /** What has the focus after the question, where that is not what had it before. */
  returnFocus?: RefObject<HTMLElement | null>;
}

export const keepWish = createCell<KeepWish | null>(null);

export const canKeep = (): boolean => "caches" in globalThis && "locks" in navigator;

/** Whether there are any: a start without them loads nothing about them. */
export const storedLists = storedText("local", "augenblick.kept-lists");
