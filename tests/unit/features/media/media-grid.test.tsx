// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { mediaView } from "@tests/unit/state/support";
import { Profiler } from "react";
import { MemoryRouter } from "react-router-dom";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { GridSkeleton, MediaGrid } from "@/features/media/media-grid";
import { startTexts } from "@/i18n/setup";

/** Drawn once with each drawing of a card. */
const avatars = vi.hoisted(() => vi.fn());
vi.mock("@/ui/avatar", () => ({
  Avatar: () => {
    avatars();
    return null;
  },
}));

const items = Array.from({ length: 60 }, (_, i) =>
  mediaView({ id: `media${String(i).padStart(10, "0")}` }),
);
let width = 0;

beforeEach(async () => {
  await startTexts("en");
  width = 366;
  vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockImplementation(() => width);
  Object.assign(window, { innerWidth: 390, innerHeight: 844 });
  window.scrollTo(0, 0);
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

/** "mount" first, "nested-update" where that was drawn again before anything else happened. */
const drawings: string[] = [];

function show(child: React.ReactElement) {
  drawings.length = 0;
  return render(
    <MemoryRouter>
      <Profiler id="grid" onRender={(_, phase) => drawings.push(phase)}>
        {child}
      </Profiler>
    </MemoryRouter>,
  );
}

const nextFrame = () => act(() => new Promise((resolve) => requestAnimationFrame(resolve)));
const cards = () => screen.queryAllByTestId("media-card");
const widthOfCard = () => screen.getAllByRole("listitem")[0]?.style.width;

test("a grid where its skeleton stood is drawn with its cards and its height in one go", async () => {
  const skeleton = show(<GridSkeleton columns={2} />);
  await nextFrame();
  skeleton.unmount();
  show(<MediaGrid items={items} columns={2} />);
  expect(drawings).not.toContain("nested-update");
  expect(cards().length).toBeGreaterThan(4);
  expect(Number.parseInt(screen.getByTestId("media-grid").style.height, 10)).toBeGreaterThan(5000);
});

test("a grid that is narrower than the last one is right before it is painted", async () => {
  const first = show(<MediaGrid items={items} columns={1} />);
  await nextFrame();
  expect(widthOfCard()).toBe("366px");
  first.unmount();
  width = 300;
  show(<MediaGrid items={items} columns={1} />);
  await nextFrame();
  expect(widthOfCard()).toBe("300px");
});

test("in a window of another width nothing is taken over from the last grid", async () => {
  const first = show(<MediaGrid items={items} columns={1} />);
  await nextFrame();
  expect(widthOfCard()).toBe("366px");
  first.unmount();
  width = 300;
  window.innerWidth = 320;
  show(<MediaGrid items={items} columns={1} />);
  expect(widthOfCard()).toBe("300px");
});

test("a grid that fills gradually draws four new cards with a frame, and ends like any other", async () => {
  const drawn = async (gradual: boolean) => {
    const grid = show(<MediaGrid items={items} columns={2} gradual={gradual} />);
    const first = cards().length;
    let last = first;
    do {
      last = cards().length;
      await nextFrame();
    } while (cards().length > last);
    grid.unmount();
    return { first, last };
  };
  const [whole, gradual] = [await drawn(false), await drawn(true)];
  expect(whole.first).toBeGreaterThan(4);
  expect(gradual.first).toBe(4);
  expect(gradual.last).toBe(whole.last);
});

test("what such a grid shows already stays while others come", async () => {
  const grid = (shown: typeof items) => (
    <MemoryRouter>
      <MediaGrid items={shown} columns={2} gradual />
    </MemoryRouter>
  );
  const { rerender } = render(grid(items.slice(0, 4)));
  for (let frame = 0; frame < 3; frame++) await nextFrame();
  const [kept] = cards();
  rerender(grid([...items.slice(10, 14), ...items.slice(0, 4)]));
  expect(cards()).toHaveLength(8);
  expect(cards()).toContain(kept);
});

test("the card that holds the focus stays in the page however far one scrolls, and leaves it with the focus", async () => {
  show(<MediaGrid items={items} columns={2} />);
  await nextFrame();
  const first = () => document.querySelector('[data-media-id="media0000000000"]');
  const link = screen.getAllByTestId("open-media")[0];
  act(() => link?.focus());
  act(() => {
    window.scrollTo(0, 5000);
    fireEvent.scroll(window);
  });
  expect(document.querySelector('[data-media-id="media0000000040"]')).not.toBeNull();
  expect(first()).not.toBeNull();
  act(() => link?.blur());
  expect(first()).toBeNull();
});

test("a card is drawn again for another medium or another word of it, and not for the same in another object", async () => {
  const tree = (list: typeof items) => (
    <MemoryRouter>
      <MediaGrid items={list} columns={2} />
    </MemoryRouter>
  );
  const copies = () => items.map((item) => ({ ...item, tags: [...item.tags] }));
  const { rerender } = render(tree(copies().slice(0, 8)));
  await nextFrame();
  avatars.mockClear();
  const drawn = () => avatars.mock.calls.length;
  const [first, ...rest] = copies();
  if (first === undefined) throw new Error("no media");
  rerender(tree([first, ...rest.slice(0, 7)]));
  expect(drawn()).toBe(0);
  rerender(tree([{ ...first, likes: first.likes + 1 }, ...rest.slice(0, 7)]));
  expect(drawn()).toBe(1);
  rerender(tree([{ ...first, tags: ["pier"] }, ...rest.slice(0, 7)]));
  expect(drawn()).toBe(2);
});
