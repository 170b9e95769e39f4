// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { useState } from "react";
import { afterEach, expect, test } from "vitest";
import { AlertDialog } from "@/ui/alert-dialog";
import { Dialog } from "@/ui/dialog";
import { Menu, MenuItem } from "@/ui/menu";
import { Toast, ToastRegion } from "@/ui/toast";

afterEach(cleanup);

/** A dialog with a question in it, and a toast that came after both. */
function Screen() {
  const [dialog, setDialog] = useState(true);
  const [question, setQuestion] = useState(false);
  const [toast, setToast] = useState(false);
  return (
    <ToastRegion duration={60_000} label="Notifications" announcement="Notification">
      <Dialog open={dialog} onClose={() => setDialog(false)} title="Chat">
        <button type="button" onClick={() => setQuestion(true)}>
          Ask
        </button>
        <button type="button" onClick={() => setToast(true)}>
          Tell
        </button>
        {question && (
          <AlertDialog
            onClose={() => setQuestion(false)}
            title="Sure?"
            description="For good."
            cancel="Cancel"
            action="Delete"
            onAction={() => setToast(true)}
          />
        )}
      </Dialog>
      <Toast
        open={toast}
        onOpenChange={setToast}
        variant="default"
        title="Done"
        closeLabel="Close"
      />
      <button type="button">Behind</button>
    </ToastRegion>
  );
}

const pressEscape = (element: Element) => fireEvent.keyDown(element, { key: "Escape" });
const toast = () => screen.queryByTestId("toast");

test("Escape closes the dialog that it was pressed in, the inner one first, and leaves a toast above it", async () => {
  render(<Screen />);
  fireEvent.click(screen.getByText("Ask"));
  fireEvent.click(screen.getByText("Tell", { ignore: "[inert]" }));
  await waitFor(() => expect(toast()).not.toBeNull());
  pressEscape(await screen.findByText("Cancel"));
  await waitFor(() => expect(screen.queryByText("Cancel")).toBeNull());
  expect(screen.queryByText("Chat")).not.toBeNull();
  pressEscape(screen.getByText("Tell"));
  await waitFor(() => expect(screen.queryByText("Chat")).toBeNull());
  expect(toast()).not.toBeNull();
});

test("Escape outside a dialog closes the toast", async () => {
  render(<Screen />);
  fireEvent.click(screen.getByText("Tell"));
  await waitFor(() => expect(toast()).not.toBeNull());
  pressEscape(screen.getByText("Tell"));
  await waitFor(() => expect(screen.queryByText("Chat")).toBeNull());
  pressEscape(screen.getByText("Behind"));
  await waitFor(() => expect(toast()).toBeNull());
});

test("Escape closes the menu that it was pressed in, and leaves a toast above it", async () => {
  const toasts = (shown: boolean) => (
    <ToastRegion duration={60_000} label="Notifications" announcement="Notification">
      <Menu trigger={<button type="button">More</button>}>
        <MenuItem>Report</MenuItem>
      </Menu>
      <Toast
        open={shown}
        onOpenChange={() => undefined}
        variant="default"
        title="Done"
        closeLabel="Close"
      />
    </ToastRegion>
  );
  const { rerender } = render(toasts(false));
  fireEvent.keyDown(screen.getByText("More"), { key: "Enter" });
  const item = await screen.findByText("Report");
  rerender(toasts(true));
  await waitFor(() => expect(toast()).not.toBeNull());
  pressEscape(item);
  await waitFor(() => expect(screen.queryByText("Report")).toBeNull());
  expect(toast()).not.toBeNull();
});
