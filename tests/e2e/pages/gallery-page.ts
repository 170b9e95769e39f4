/** The gallery (`/`) as a person uses it. */
import type { Locator, Page } from "playwright-core";
import { OutboxPage } from "./outbox-page";

export class GalleryPage {
  readonly page: Page;
  readonly grid: Locator;
  readonly cards: Locator;
  readonly loadMore: Locator;
  readonly uploadButton: Locator;
  readonly waitingMark: Locator;
  readonly search: Locator;

  constructor(page: Page) {
    this.page = page;
    this.grid = page.getByTestId("media-grid");
    this.cards = page.getByTestId("media-card");
    this.loadMore = page.getByTestId("load-more");
    this.uploadButton = page.getByTestId("upload-button");
    this.search = page.getByTestId("search");
    this.waitingMark = page.getByTestId("waiting-mark");
  }

  /** Opens it and waits for the replica's rows; an empty community has none. */
  async open(url: string): Promise<void> {
    await this.page.goto(url);
  }

  /** Rows from the replica, not from the snapshot. */
  async untilLive(): Promise<void> {
    await this.page.locator('[data-testid="gallery"][data-source="live"]').waitFor();
  }

  /** Cards that the inline script drew (`snapshot`) or that the app did (`app`). */
  cardOf(painter: "snapshot" | "app"): Locator {
    const drawn = painter === "snapshot" ? ":not(:has(article))" : ":has(article)";
    return this.page.locator(`li[data-media-id]${drawn}`);
  }

  card(caption: string): Locator {
    return this.cards.filter({ hasText: caption });
  }

  cardById(id: string): Locator {
    return this.page.locator(`[data-media-id="${id}"]`);
  }

  pendingMark(caption: string): Locator {
    return this.card(caption).getByTestId("pending-mark");
  }

  async openMedia(caption: string): Promise<void> {
    await this.card(caption).first().getByTestId("open-media").click();
  }

  async filter(kind: "all" | "photos" | "videos"): Promise<void> {
    await this.page.getByTestId(`filter-${kind}`).click();
  }

  async sort(order: "latest" | "popular" | "following"): Promise<void> {
    const chip = this.page.getByTestId(`sort-${order}`);
    const select = this.page.getByTestId("sort-select");
    await chip.or(select).filter({ visible: true }).waitFor();
    if (await chip.isVisible()) await chip.click();
    else await select.selectOption(order);
  }

  async toggleColumns(): Promise<void> {
    await this.page.getByTestId("toggle-columns").click();
  }

  /** The queue, through the mark in the top bar. */
  async openOutbox(): Promise<OutboxPage> {
    await this.waitingMark.click();
    const outbox = new OutboxPage(this.page);
    await outbox.screen.waitFor();
    return outbox;
  }
}
