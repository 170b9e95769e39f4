/** The chats (`/chat`) and a conversation (`/chat/{conversationId}`) as a person uses them. */
import type { Locator, Page } from "playwright-core";

export class ChatPage {
  readonly page: Page;
  /** The button in the top bar; `data-unread` is what its badge counts. */
  readonly chatsButton: Locator;
  readonly list: Locator;
  readonly empty: Locator;
  readonly username: Locator;
  readonly start: Locator;
  readonly suggestions: Locator;
  readonly partner: Locator;
  readonly messages: Locator;
  readonly scroller: Locator;
  readonly input: Locator;
  readonly send: Locator;
  readonly newest: Locator;
  readonly notice: Locator;
  /** In the composer's place while one has blocked the other. */
  readonly blockedBar: Locator;

  constructor(page: Page) {
    this.page = page;
    this.chatsButton = page.getByTestId("chats-button");
    this.list = page.getByTestId("chat-list");
    this.empty = page.getByTestId("chats-empty");
    this.username = page.getByTestId("chat-username");
    this.start = page.getByTestId("submit-start-chat");
    this.suggestions = page.getByTestId("known-people").getByRole("option");
    this.partner = page.getByTestId("chat-partner");
    this.messages = page.getByTestId("message");
    this.scroller = page.getByTestId("message-list");
    this.input = page.getByTestId("message-input");
    this.send = page.getByTestId("send-message");
    this.newest = page.getByTestId("newest");
    this.notice = page.getByTestId("notice");
    this.blockedBar = page.getByTestId("blocked-bar");
  }

  async open(url: string): Promise<void> {
    await this.page.goto(`${url}/chat`);
    await this.start.waitFor();
  }

  async startWith(username: string): Promise<void> {
    await this.username.fill(username);
    await this.start.click();
  }

  /** A chat of the list, by the other's name. */
  item(username: string): Locator {
    return this.page.getByTestId("chat-list-item").filter({
      has: this.page.getByTestId("chat-name").getByText(username, { exact: true }),
    });
  }

  async openChat(username: string): Promise<void> {
    await this.item(username).getByRole("link").click();
    await this.partner.getByText(username, { exact: true }).waitFor();
  }

  message(text: string): Locator {
    return this.messages.filter({ hasText: text });
  }

  /** The message in the given state of an own one (resolution 72). */
  messageIn(text: string, fate: string): Locator {
    return this.message(text).and(this.page.locator(`[data-fate="${fate}"]`));
  }

  async write(text: string): Promise<void> {
    await this.input.fill(text);
    await this.input.press("Enter");
  }

  async attach(file: { name: string; mimeType: string; buffer: Buffer }): Promise<void> {
    await this.page.getByTestId("attach-photo").setInputFiles([file]);
  }

  async sendPhoto(text: string): Promise<void> {
    await this.page.getByTestId("photo-preview").waitFor();
    await this.page.getByTestId("photo-text").fill(text);
    await this.page.getByTestId("send-photo").click();
    await this.page.getByRole("dialog").waitFor({ state: "detached" });
  }

  /** Address of the open conversation's id. */
  conversationId(): string {
    return new URL(this.page.url()).pathname.split("/").at(-1) ?? "";
  }
}
