/** Profiles: somebody's (`/user/{username}`), and one's own with its settings (`/profile`). */
import type { Locator, Page } from "playwright-core";

export class ProfilePage {
  readonly page: Page;
  readonly header: Locator;
  readonly name: Locator;
  readonly bio: Locator;
  readonly follow: Locator;
  readonly unfollow: Locator;
  readonly message: Locator;
  readonly blockedNotice: Locator;
  readonly unblock: Locator;
  readonly cards: Locator;
  readonly showMore: Locator;

  constructor(page: Page) {
    this.page = page;
    this.header = page.getByTestId("profile-header");
    this.name = page.getByTestId("profile-name");
    this.bio = page.getByTestId("profile-bio");
    this.follow = page.getByTestId("follow");
    this.unfollow = page.getByTestId("unfollow");
    this.message = page.getByTestId("send-message");
    this.blockedNotice = page.getByTestId("blocked-notice");
    this.unblock = page.getByTestId("unblock");
    this.cards = page.getByTestId("person-media").getByTestId("media-card");
    this.showMore = page.getByTestId("more-of-person");
  }

  async openUser(url: string, username: string): Promise<void> {
    await this.page.goto(`${url}/user/${encodeURIComponent(username)}`);
  }

  async openOwn(url: string, tab: "media" | "settings" = "media"): Promise<void> {
    await this.page.goto(`${url}/profile${tab === "settings" ? "?tab=settings" : ""}`);
    await this.page.getByTestId("own-profile").waitFor();
  }

  count(list: "followers" | "following"): Locator {
    return this.page.getByTestId(`count-${list}`).locator("strong");
  }

  /** How many media the grid has, drawn or not. */
  async listed(): Promise<number> {
    const first = this.page.getByTestId("person-media").locator("li[aria-setsize]").first();
    return Number(await first.getAttribute("aria-setsize"));
  }

  async filter(kind: "all" | "photos" | "videos"): Promise<void> {
    await this.page.getByTestId(`person-filter-${kind}`).click();
  }

  async block(): Promise<void> {
    await this.page.getByTestId("more-options").click();
    await this.page.getByTestId("block-user").click();
    await this.page.getByTestId("confirm").click();
  }

  /** A control of the settings by its mark. */
  setting(testId: string): Locator {
    return this.page.getByTestId(testId);
  }

  async saveProfile(): Promise<void> {
    await this.setting("save-profile").click();
  }
}
