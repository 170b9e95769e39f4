/** What the notification area shows: one toast at a time, the newest (specification §9). */
import { create } from "zustand";
import type { Text, TextKey } from "@/i18n/keys";

/** Toasts at once, how long one is shown, and how long a closed one is kept; milliseconds. */
export const TOAST_LIMIT = 1;
export const TOAST_DURATION_MS = 5_000;
export const TOAST_REMOVE_DELAY_MS = 1_000_000;

export interface ToastContent {
  title: Text;
  description?: Text;
  variant?: "default" | "destructive";
}

export interface ToastItem extends ToastContent {
  id: number;
  open: boolean;
}

interface Toasts {
  items: ToastItem[];
  show: (content: ToastContent) => void;
  close: (id: number) => void;
}

let lastId = 0;

export const useToasts = create<Toasts>()((set) => ({
  items: [],
  show: (content) => {
    lastId += 1;
    const item: ToastItem = { ...content, id: lastId, open: true };
    set((now) => ({ items: [item, ...now.items].slice(0, TOAST_LIMIT) }));
  },
  close: (id) => {
    set((now) => ({
      items: now.items.map((item) => (item.id === id ? { ...item, open: false } : item)),
    }));
    setTimeout(() => {
      set((now) => ({ items: now.items.filter((item) => item.id !== id) }));
    }, TOAST_REMOVE_DELAY_MS);
  },
}));

export const showToast = (content: ToastContent): void => useToasts.getState().show(content);

const asText = (text: Text | TextKey): Text => (typeof text === "string" ? { key: text } : text);

export function showFailure(title: Text | TextKey, description?: Text | TextKey): void {
  const failure = { title: asText(title), variant: "destructive" } as const;
  showToast(description ? { ...failure, description: asText(description) } : failure);
}
