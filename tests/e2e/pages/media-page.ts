/** The detail of one medium (`/view/{slug}`). */
import type { Locator, Page } from "playwright-core";

export class MediaPage {
  readonly page: Page;
  readonly detail: Locator;
  readonly photo: Locator;
  readonly video: Locator;
  readonly back: Locator;
  readonly remove: Locator;

  constructor(page: Page) {
    this.page = page;
    this.detail = page.getByTestId("media-detail");
    this.photo = page.getByTestId("photo");
    this.video = page.getByTestId("video");
    this.back = page.getByTestId("back");
    this.remove = page.getByTestId("delete-media");
  }

  async open(url: string, slug: string): Promise<void> {
    await this.page.goto(`${url}/view/${slug}`);
  }

  /** Deletes and says yes to the question. */
  async delete(): Promise<void> {
    await this.remove.click();
    await this.page.getByTestId("confirm").click();
  }
}
