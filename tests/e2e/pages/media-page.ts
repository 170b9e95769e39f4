/** The detail of one medium (`/view/{slug}`). */
import type { Locator, Page } from "playwright-core";

export class MediaPage {
  readonly page: Page;
  readonly detail: Locator;
  readonly photo: Locator;
  readonly video: Locator;
  readonly back: Locator;
  readonly menu: Locator;
  readonly stage: Locator;
  readonly like: Locator;
  readonly keep: Locator;
  readonly comments: Locator;
  readonly commentText: Locator;

  constructor(page: Page) {
    this.page = page;
    this.detail = page.getByTestId("media-detail");
    this.photo = page.getByTestId("photo");
    this.video = page.getByTestId("video");
    this.back = page.getByTestId("back");
    this.menu = page.getByTestId("media-menu");
    this.stage = page.getByTestId("stage");
    this.like = this.detail.getByTestId("like");
    this.keep = page.getByTestId("keep-offline");
    this.comments = page.getByTestId("comment");
    this.commentText = page.getByTestId("comment-text");
  }

  async open(url: string, slug: string): Promise<void> {
    await this.page.goto(`${url}/view/${slug}`);
  }

  /** Waits for the page of this very medium. */
  async shows(id: string): Promise<void> {
    await this.page.locator(`[data-testid="media-detail"][data-media-id="${id}"]`).waitFor();
  }

  /** An entry of the menu: `edit-media`, `download-media`, `report-media` or `delete-media`. */
  async choose(entry: string): Promise<void> {
    await this.menu.click();
    await this.page.getByTestId(entry).click();
  }

  async delete(): Promise<void> {
    await this.choose("delete-media");
    await this.page.getByTestId("confirm").click();
  }

  comment(text: string): Locator {
    return this.comments.filter({ hasText: text });
  }

  /** The comment once it stands as it should: `stored`, `queued`, `waiting`, `refused` … */
  commentIn(text: string, state: string): Locator {
    return this.page
      .locator(`[data-testid="comment"][data-state="${state}"]`)
      .filter({ hasText: text });
  }

  async write(text: string): Promise<void> {
    await this.commentText.fill(text);
    await this.page.getByTestId("send-comment").click();
  }
}
