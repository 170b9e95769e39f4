/** Waiting to be sent (`/outbox`). */
import type { Locator, Page } from "playwright-core";

export class OutboxPage {
  readonly page: Page;
  readonly screen: Locator;
  readonly items: Locator;
  readonly totals: Locator;
  readonly empty: Locator;
  readonly offline: Locator;
  readonly sendNow: Locator;

  constructor(page: Page) {
    this.page = page;
    this.screen = page.getByTestId("outbox");
    this.items = page.getByTestId("outbox-item");
    this.totals = page.getByTestId("outbox-totals");
    this.empty = page.getByTestId("outbox-empty");
    this.offline = page.getByTestId("outbox-offline");
    this.sendNow = page.getByTestId("send-now");
  }

  async open(url: string): Promise<void> {
    await this.page.goto(`${url}/outbox`);
    await this.screen.waitFor();
  }

  item(text: string): Locator {
    return this.items.filter({ hasText: text });
  }

  /** The item once it is in that state. */
  itemIn(text: string, state: string): Locator {
    return this.page
      .locator(`[data-testid="outbox-item"][data-state="${state}"]`)
      .filter({ hasText: text });
  }

  reason(text: string): Locator {
    return this.item(text).getByTestId("intent-reason");
  }

  async retry(text: string): Promise<void> {
    await this.item(text).getByTestId("retry-intent").click();
  }

  /** Discards and says yes to the question. */
  async discard(text: string): Promise<void> {
    await this.item(text).getByTestId("discard-intent").click();
    await this.page.getByTestId("confirm").click();
  }
}
