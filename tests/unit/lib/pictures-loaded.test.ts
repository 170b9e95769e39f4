// @vitest-environment happy-dom
import { expect, test, vi } from "vitest";
import { picturesLoaded } from "@/lib/pictures-loaded";

function picture(loading: "eager" | "lazy", complete = false): HTMLImageElement {
  const image = document.createElement("img");
  Object.defineProperty(image, "complete", { value: complete });
  image.loading = loading;
  return image;
}

test("waits for each picture that is on its way, whether it comes or fails", async () => {
  const [one, two] = [picture("eager"), picture("eager")];
  const done = vi.fn();
  const waiting = picturesLoaded([one, two, picture("lazy"), picture("eager", true)], 60_000);
  void waiting.then(done);
  one.dispatchEvent(new Event("load"));
  await Promise.resolve();
  expect(done).not.toHaveBeenCalled();
  two.dispatchEvent(new Event("error"));
  await waiting;
});

test("waits no longer than it has patience", async () => {
  await picturesLoaded([picture("eager")], 1);
});
