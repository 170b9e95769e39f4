// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { type RefObject, useRef, useState } from "react";
import { afterEach, expect, test } from "vitest";
import { Dialog } from "@/ui/dialog";

afterEach(cleanup);

/** A dialog opened by a button that may vanish while it is open, as an item of a menu does. */
function Opener({ vanishes }: { vanishes: boolean }) {
  const [open, setOpen] = useState(false);
  const [gone, setGone] = useState(false);
  const lasting: RefObject<HTMLButtonElement | null> = useRef(null);
  return (
    <>
      <button ref={lasting} type="button">
        Lasting
      </button>
      {!gone && (
        <button type="button" onClick={() => setOpen(true)}>
          Open
        </button>
      )}
      <Dialog open={open} onClose={() => setOpen(false)} title="Question" returnFocus={lasting}>
        <button type="button" onClick={() => setGone(vanishes)}>
          Answer
        </button>
      </Dialog>
    </>
  );
}

async function openAndClose(): Promise<void> {
  const opener = screen.getByText("Open");
  opener.focus();
  fireEvent.click(opener);
  const answer = await screen.findByText("Answer");
  fireEvent.click(answer);
  fireEvent.keyDown(answer, { key: "Escape" });
  await waitFor(() => expect(screen.queryByText("Answer")).toBeNull());
}

test("a closed dialog gives the focus back to what opened it", async () => {
  render(<Opener vanishes={false} />);
  await openAndClose();
  await waitFor(() => expect(document.activeElement?.textContent).toBe("Open"));
});

test("where what opened it is gone, its lasting neighbour gets the focus", async () => {
  render(<Opener vanishes={true} />);
  await openAndClose();
  await waitFor(() => expect(document.activeElement?.textContent).toBe("Lasting"));
});
