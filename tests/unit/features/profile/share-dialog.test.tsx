// @vitest-environment happy-dom
import { cleanup, render, screen } from "@testing-library/react";
import readCode from "jsqr";
import { afterEach, expect, test, vi } from "vitest";
import { ShareDialog } from "@/features/profile/share-dialog";

vi.mock("react-i18next", () => ({ useTranslation: () => ({ t: (key: string) => key }) }));
afterEach(cleanup);

/** Pixels for each module of the code, as a camera sees it. */
const SCALE = 4;

/** What a reader of codes finds in the drawing. */
function read(drawing: Element): string | undefined {
  const box = (drawing.getAttribute("viewBox") ?? "").split(" ").map(Number);
  const [left = 0, top = 0, side = 0] = box;
  const width = side * SCALE;
  const pixels = new Uint8ClampedArray(4 * width * width).fill(255);
  const squares = drawing.querySelector("path")?.getAttribute("d") ?? "";
  for (const [, x, y] of squares.matchAll(/M(\d+) (\d+)h1v1h-1z/g)) {
    for (let i = 0; i < SCALE * SCALE; i++) {
      const column = (Number(x) - left) * SCALE + (i % SCALE);
      const row = (Number(y) - top) * SCALE + Math.floor(i / SCALE);
      pixels.fill(0, 4 * (row * width + column), 4 * (row * width + column) + 3);
    }
  }
  return readCode(pixels, width, width)?.data;
}

test.each(["ada", "jörg.müller", "a".repeat(64), "名前"])(
  "a camera reads the address of %s's profile",
  (username) => {
    render(<ShareDialog username={username} onClose={() => undefined} />);
    const address = `${location.origin}/user/${encodeURIComponent(username)}`;
    expect(read(screen.getByTestId("profile-code"))).toBe(address);
    expect(screen.getByTestId("profile-link").textContent).toBe(address);
  },
);
