/** The Sign In form (`/login`). */
import type { Locator, Page } from "playwright-core";

export class LoginPage {
  readonly page: Page;
  readonly email: Locator;
  readonly password: Locator;
  readonly submit: Locator;

  constructor(page: Page) {
    this.page = page;
    const form = page.getByTestId("login-form");
    this.email = form.getByTestId("email");
    this.password = form.getByTestId("password");
    this.submit = form.getByTestId("submit-login");
  }

  async open(url: string): Promise<void> {
    await this.page.goto(`${url}/login`);
    await this.submit.waitFor();
  }

  async signIn(email: string, password: string): Promise<void> {
    await this.email.fill(email);
    await this.password.fill(password);
    await this.submit.click();
  }

  /** Opens the form, signs in, and waits until the app is there for this person. */
  async enter(url: string, who: { email: string; password: string }): Promise<void> {
    await this.open(url);
    await this.signIn(who.email, who.password);
    await this.page.getByTestId("profile-menu").waitFor();
    await this.page.waitForURL(`${url}/`);
  }
}
