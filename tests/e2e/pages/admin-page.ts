/** The Admin-Panel (`/admin`). */
import type { Locator, Page } from "playwright-core";

export type AdminTab = "stats" | "users" | "chats" | "media" | "reports";
export type AdminSection = "terms" | "privacy" | "cleanup" | "app" | "audit" | "health";

export class AdminPage {
  readonly page: Page;
  readonly panel: Locator;
  readonly card: Locator;
  readonly toast: Locator;
  readonly confirm: Locator;

  constructor(page: Page) {
    this.page = page;
    this.panel = page.getByTestId("admin-panel");
    this.card = page.getByTestId("admin-denied");
    this.toast = page.getByTestId("toast");
    this.confirm = page.getByTestId("confirm");
  }

  async open(url: string, query = ""): Promise<void> {
    await this.page.goto(`${url}/admin${query}`);
  }

  async openSettings(url: string, section: AdminSection): Promise<void> {
    await this.open(url);
    await this.page.getByTestId("admin-settings").click();
    await this.section(section).click();
  }

  tab(tab: AdminTab): Locator {
    return this.page.getByTestId(`admin-tab-${tab}`);
  }

  section(section: AdminSection): Locator {
    return this.page.getByTestId(`admin-section-${section}`);
  }

  userRow(username: string): Locator {
    return this.page.getByTestId("user-row").filter({ hasText: username });
  }

  accessRow(username: string): Locator {
    return this.page.getByTestId("access-row").filter({ hasText: username });
  }

  chatRow(username: string): Locator {
    return this.page.getByTestId("chat-row").filter({ hasText: username });
  }

  mediaCard(id: string): Locator {
    return this.page.locator(`[data-testid="admin-media-card"][data-media-id="${id}"]`);
  }

  /** 'Meldung #n'. */
  report(number: number): Locator {
    return this.page
      .getByTestId("report-card")
      .filter({ has: this.page.getByRole("heading", { name: `Meldung #${number}`, exact: true }) });
  }

  /** The toast that says `text`; one that stood there before says something else. */
  toastSaying(text: string): Locator {
    return this.toast.filter({ hasText: text });
  }
}
