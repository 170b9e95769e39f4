// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { mediaView } from "@tests/unit/state/support";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { EditMedia } from "@/features/media/edit-media";
import { loadLaterTexts, startTexts } from "@/i18n/setup";
import { changeMedia, usePost } from "@/state/media";

vi.mock("@/state/media");

const STORED = "This video has subtitles.";
const CHOSEN = "Your subtitles will be added once you save.";
const TEXT = "WEBVTT\n\n00:01.000 --> 00:02.000\nThe sea is calm";

beforeEach(async () => {
  await startTexts("en");
  await loadLaterTexts();
  vi.mocked(changeMedia).mockResolvedValue(true);
  vi.mocked(usePost).mockReturnValue([]);
});
afterEach(() => {
  cleanup();
  vi.resetAllMocks();
});

function open(hasSubtitles: boolean) {
  const onClose = vi.fn();
  const media = mediaView({ type: "video", hasSubtitles });
  render(<EditMedia media={media} onClose={onClose} returnFocus={{ current: null }} />);
  return onClose;
}

const state = () => screen.getByTestId("subtitles-state").textContent;
const choose = () =>
  fireEvent.change(screen.getByTestId("subtitles-input"), {
    target: { files: [new File([TEXT], "sea.vtt")] },
  });
const remove = () => fireEvent.click(screen.getByTestId("remove-subtitles"));
const save = () => fireEvent.submit(screen.getByTestId("edit-form"));

test("a chosen file is told apart from stored subtitles, and Remove takes it back first", async () => {
  open(true);
  expect(state()).toBe(STORED);
  choose();
  await waitFor(() => expect(state()).toBe(CHOSEN));
  remove();
  expect(state()).toBe(STORED);
  remove();
  expect(state()).toBe("");
  save();
  expect(vi.mocked(changeMedia).mock.lastCall?.[1]).toEqual({ subtitles: { text: "", name: "" } });
});

test("a chosen file that is taken back leaves a video without subtitles as it was", async () => {
  const onClose = open(false);
  expect(screen.queryByTestId("remove-subtitles")).toBeNull();
  choose();
  await waitFor(() => expect(state()).toBe(CHOSEN));
  remove();
  expect(state()).toBe("");
  save();
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(changeMedia).not.toHaveBeenCalled();
});
