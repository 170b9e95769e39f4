// @vitest-environment happy-dom
import { cleanup, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Loaded, NotificationsPage, NotificationView } from "@/data/shapes";
import { useNotifications } from "@/state/notifications";

const given = vi.hoisted(() => ({
  page: null as unknown,
  isVisible: true,
  client: { writes: { markNotificationsRead: vi.fn() } },
}));
vi.mock("@/state/use-watch", () => ({ useLoaded: () => given.page }));
vi.mock("@/state/chat", () => ({ useIsVisible: () => given.isVisible }));
vi.mock("@/state/client-store", async (original) => ({
  ...(await original<object>()),
  useClient: () => given.client,
}));

const mark = given.client.writes.markNotificationsRead;
const one = (id: string, isUnread: boolean) => ({ ids: [id], isUnread }) as NotificationView;

/** The unread ones are `ids`, the newest of them of `newest`. */
function show(newest: number, ids: string[], items = ids.map((id) => one(id, true))): void {
  const value: NotificationsPage = { items, hasMore: false, unread: ids, newestUnread: newest };
  given.page = { state: "ready", value } satisfies Loaded<NotificationsPage>;
}

beforeEach(() => {
  given.isVisible = true;
  mark.mockResolvedValue({ success: false, error: "forbidden" });
});
afterEach(() => {
  cleanup();
  vi.resetAllMocks();
});

test("what was read is marked once for each newest, also where the mark is refused", () => {
  show(1_000, ["a"]);
  const { rerender } = renderHook(useNotifications);
  for (const isVisible of [false, true, false, true]) {
    given.isVisible = isVisible;
    show(1_000, ["a"]);
    rerender();
  }
  expect(mark.mock.calls).toEqual([[1_000]]);
  show(2_000, ["b", "a"]);
  rerender();
  expect(mark.mock.calls).toEqual([[1_000], [2_000]]);
});

test("what nobody sees is not marked until somebody does", () => {
  given.isVisible = false;
  show(1_000, ["a"]);
  const { rerender } = renderHook(useNotifications);
  expect(mark).not.toHaveBeenCalled();
  given.isVisible = true;
  rerender();
  expect(mark.mock.calls).toEqual([[1_000]]);
});

test("what was new when one came stays so until one leaves", () => {
  show(1_000, ["a"]);
  const { result, rerender } = renderHook(useNotifications);
  show(0, [], [one("a", false), one("old", false)]);
  rerender();
  const { page } = result.current;
  expect(page.state === "ready" && page.value.items.map(({ isUnread }) => isUnread)).toEqual([
    true,
    false,
  ]);
});
