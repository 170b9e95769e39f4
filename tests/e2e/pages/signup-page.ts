/** The Sign Up form (`/signup`). */
import type { Locator, Page } from "playwright-core";

export interface NewAccount {
  email: string;
  username: string;
  password: string;
}

export class SignupPage {
  readonly page: Page;
  readonly email: Locator;
  readonly username: Locator;
  readonly password: Locator;
  readonly confirmation: Locator;
  readonly terms: Locator;
  readonly strength: Locator;
  readonly submit: Locator;

  constructor(page: Page) {
    this.page = page;
    const form = page.getByTestId("signup-form");
    this.email = form.getByTestId("email");
    this.username = form.getByTestId("username");
    this.password = form.getByTestId("password");
    this.confirmation = form.getByTestId("passwordConfirm");
    this.terms = form.getByTestId("terms");
    this.strength = form.getByTestId("strength");
    this.submit = form.getByTestId("submit-signup");
  }

  async open(url: string): Promise<void> {
    await this.page.goto(`${url}/signup`);
    await this.submit.waitFor();
  }

  async fill(account: NewAccount): Promise<void> {
    await this.email.fill(account.email);
    await this.username.fill(account.username);
    await this.password.fill(account.password);
    await this.confirmation.fill(account.password);
    await this.terms.check();
  }

  /** Fills, sends, and waits for the gallery. */
  async signUp(account: NewAccount): Promise<void> {
    await this.fill(account);
    await this.submit.click();
    await this.page.getByTestId("profile-menu").waitFor();
  }
}
