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
  readonly rights: Locator;
  readonly submit: Locator;

  constructor(page: Page) {
    this.page = page;
    this.input = page.getByTestId("file-input");
    this.entries = page.getByTestId("upload-entry");
    this.caption = page.getByTestId("caption");
    this.tags = page.getByTestId("tags");
    this.rights = page.getByTestId("rights");
    this.submit = page.getByTestId("submit-upload");
  }

  async open(url: string): Promise<void> {
    await this.page.goto(`${url}/upload`);
    await this.submit.waitFor();
  }

  entry(name: string): Locator {
    return this.page.locator(`[data-testid="upload-entry"][data-name="${name}"]`);
  }

  error(name: string): Locator {
    return this.entry(name).getByTestId("entry-error");
  }

  async upload(files: PickedFile[], text: { caption: string; tags?: string }): Promise<void> {
    await this.input.setInputFiles(files);
    await this.caption.fill(text.caption);
    await this.tags.fill(text.tags ?? "");
    await this.rights.check();
    await this.submit.click();
  }
}
