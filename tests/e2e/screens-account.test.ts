/** Signing in, up and out as a person meets it: every fault at the place it belongs (specification §5, §8). */
import { type App, openProfile, type Profile, startApp } from "@tests/support/browser";
import type { Locator } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DEVICE_KEY } from "@/data/account/session-store";
import { LoginPage } from "./pages/login-page";
import { SignupPage } from "./pages/signup-page";

const ADA = { email: "ada@example.com", username: "ada.l", password: "Kirschkuchen-7" };
let app: App;
let profile: Profile;

beforeAll(async () => {
  app = await startApp();
  profile = await openProfile({ viewport: { width: 390, height: 844 } });
  // A form with something typed asks before it is left.
  profile.page.on("dialog", (dialog) => void dialog.accept());
});

afterAll(async () => {
  await profile?.close();
  await app?.stop();
});

const hasFocus = (control: Locator): Promise<boolean> =>
  control.evaluate((element) => element === document.activeElement);

test("password managers find the name of an account in its address", async () => {
  const { page } = profile;
  for (const form of [new SignupPage(page), new LoginPage(page)]) {
    await form.open(app.url);
    expect(await form.email.getAttribute("autocomplete")).toBe("username");
    expect(await form.email.getAttribute("name")).toBe("email");
  }
});

test("sign-up names each fault at its field and then lets one in", async () => {
  const { page } = profile;
  const signup = new SignupPage(page);
  await signup.open(app.url);
  await signup.submit.click();
  for (const text of [
    "Email is required",
    "Username is required",
    "Password is required",
    "Please confirm your password",
    "You must accept the terms and conditions",
  ]) {
    await page.getByText(text, { exact: true }).waitFor();
  }
  await expect.poll(() => hasFocus(signup.email)).toBe(true);
  await signup.email.fill("not an address");
  await page.getByText("Please enter a valid email address").waitFor();
  for (const [name, text] of [
    ["ab", "Username must be at least 3 characters long"],
    ["a b c", "Username cannot contain spaces"],
    ["<b>ada</b>", "Username can only contain letters, numbers, dots, hyphens and underscores"],
  ] as const) {
    await signup.username.fill(name);
    await page.getByText(text, { exact: true }).waitFor();
  }
  await signup.password.fill("Ab1-");
  const short = page.getByText("Passwort muss mindestens 8 Zeichen lang sein");
  await short.waitFor();
  expect(await short.getAttribute("lang")).toBe("de");
  for (const [password, strength] of [
    ["kirschen", "weak"],
    ["kirschen7", "medium"],
    ["Kirschen7", "medium"],
    ["Kirschkuchen-7", "strong"],
  ] as const) {
    await signup.password.fill(password);
    await expect.poll(() => signup.strength.getAttribute("data-strength")).toBe(strength);
  }
  await signup.confirmation.fill("something else");
  await page.getByText("Passwords do not match").waitFor();
  await signup.fill(ADA);
  await page.getByText("This username is available.").waitFor();
  await signup.submit.click();
  await page.getByText("Account created successfully!").first().waitFor();
  await page.waitForURL(`${app.url}/`);
  await page.getByTestId("profile-menu").click();
  await page.getByTestId("logout").click();
  await page.getByTestId("login-link").waitFor();
});

test("a taken name is told while typing in whatever case, a taken address on sending", async () => {
  const { page } = profile;
  const signup = new SignupPage(page);
  await signup.open(app.url);
  await signup.username.fill("ADA.L");
  await page.getByText("This username is already taken", { exact: true }).waitFor();
  await signup.fill({ ...ADA, username: "ada.two" });
  await page.getByText("This username is available.").waitFor();
  await signup.submit.click();
  await page.getByText("This email address is already registered").waitFor();
});

test("a session that the server ended is told with the way back in, and goes on after it", async () => {
  const { page } = profile;
  const login = new LoginPage(page);
  const notice = page.getByTestId("needs-login");
  await login.open(app.url);
  await login.signIn(ADA.email, ADA.password);
  await page.getByTestId("profile-menu").waitFor();
  const { body } = await app.api("POST", "/api/collections/users/auth-with-password", {
    identity: ADA.email,
    password: ADA.password,
  });
  await app.api(
    "PATCH",
    `/api/collections/users/records/${body.record.id}`,
    { oldPassword: ADA.password, password: "Apfelkuchen-8", passwordConfirm: "Apfelkuchen-8" },
    body.token,
  );
  await page.reload();
  await notice.getByRole("link", { name: "Sign In" }).click();
  await login.submit.waitFor();
  expect(await notice.getByRole("link").count()).toBe(0);
  await login.signIn(ADA.email, "Apfelkuchen-8");
  await notice.waitFor({ state: "detached" });
  await page.getByTestId("profile-menu").click();
  await page.getByTestId("logout").click();
  await page.getByTestId("login-link").waitFor();
});

test("sign-in tells an unknown address from a wrong password, and asks to wait after too many", async () => {
  const { page } = profile;
  const login = new LoginPage(page);
  await login.open(app.url);
  // A device on which she was signed in is no stranger's.
  await page.evaluate((key) => localStorage.removeItem(key), DEVICE_KEY);
  await login.open(app.url);
  await login.submit.click();
  await page.getByText("Email is required", { exact: true }).waitFor();
  await page.getByText("Password is required", { exact: true }).waitFor();
  await login.signIn("nobody@example.com", "Kirschkuchen-7");
  await page.getByText("No account found with this email address").waitFor();
  await expect.poll(() => hasFocus(login.email)).toBe(true);
  await login.signIn(ADA.email, "wrong");
  await page.getByText("Incorrect password").waitFor();
  await expect.poll(() => hasFocus(login.password)).toBe(true);
  for (let i = 0; i < 12; i++) {
    await app.api("POST", "/api/collections/users/auth-with-password", {
      identity: ADA.email,
      password: "wrong again",
    });
  }
  await login.submit.click();
  await page.getByText("Too many attempts").first().waitFor();
});

test("without a server the form says so, keeps what was typed, and blames nobody", async () => {
  const { page } = profile;
  const login = new LoginPage(page);
  await login.open(app.url);
  await app.stop();
  await login.signIn("grace@example.com", "Kirschkuchen-7");
  await page.getByTestId("form-offline").waitFor();
  expect(await login.email.inputValue()).toBe("grace@example.com");
  expect(await page.getByTestId("toast").count()).toBe(0);
  await app.restart();
  await login.submit.click();
  await page.getByText("No account found with this email address").waitFor();
});
