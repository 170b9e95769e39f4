/** The Upload form (`/upload`). */
import type { Locator, Page } from "playwright-core";

export interface PickedFile {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

/** A photo as a person would pick it. */
export const photoFile = (name: string, buffer: Buffer): PickedFile => ({
  name,
  mimeType: "image/jpeg",
  buffer,
});

export class UploadPage {
  readonly page: Page;
  readonly input: Locator;
  readonly entries: Locator;
  readonly caption: Locator;
  readonly tags: Locator;
  readonly sameForAll: Locator;
  readonly rights: Locator;
  readonly submit: Locator;

  constructor(page: Page) {
    this.page = page;
    this.input = page.getByTestId("file-input");
    this.entries = page.getByTestId("upload-entry");
    this.caption = page.getByTestId("caption");
    this.tags = page.getByTestId("tags");
    this.sameForAll = page.getByTestId("same-for-all");
    this.rights = page.getByTestId("rights");
    this.submit = page.getByTestId("submit-upload");
  }

  /** As somebody who begins anew: what another form has left is forgotten. */
  async open(url: string): Promise<void> {
    // The first page of a browser has no storage.
    await this.page.evaluate(() => caches.delete("upload-inbox")).catch(() => undefined);
    await this.page.goto(`${url}/upload`);
    await this.submit.waitFor();
  }

  entry(name: string): Locator {
    return this.page.locator(`[data-testid="upload-entry"][data-name="${name}"]`);
  }

  error(name: string): Locator {
    return this.entry(name).getByTestId("entry-error");
  }

  /** Of one file. */
  field(name: string, of: "caption" | "tags" | "alt"): Locator {
    return this.entry(name).getByTestId(`entry-${of}`);
  }

  /** The files' names in the order in which they are sent. */
  order(): Promise<string[]> {
    return this.entries.evaluateAll((cards) =>
      cards.map((card) => card.getAttribute("data-name") ?? ""),
    );
  }

  /** With a mouse, from the middle of its handle to the middle of the other card. */
  async drag(name: string, onto: string): Promise<void> {
    const handle = this.entry(name).getByTestId("move-entry");
    await handle.scrollIntoViewIfNeeded();
    // A card that still glides to its place lies over others.
    await this.page.evaluate(() =>
      Promise.allSettled(document.getAnimations().map((one) => one.finished)),
    );
    const [from, to] = [await handle.boundingBox(), await this.entry(onto).boundingBox()];
    if (from === null || to === null) throw new Error("a card has gone");
    const { mouse } = this.page;
    await mouse.move(from.x + from.width / 2, from.y + from.height / 2);
    await mouse.down();
    const end = { x: to.x + to.width / 2, y: to.y + to.height / 2 };
    for (const part of [0.3, 0.6, 1]) {
      await mouse.move(from.x + (end.x - from.x) * part, from.y + (end.y - from.y) * part);
    }
  }

  async upload(files: PickedFile[], text: { caption: string; tags?: string }): Promise<void> {
    if (files.length > 0) await this.input.setInputFiles(files);
    await this.caption.fill(text.caption);
    await this.tags.fill(text.tags ?? "");
    await this.rights.check();
    await this.submit.click();
  }
}
