/** Mail as people meet it: a forgotten password, an address to confirm, an admin's code; and a place that sends none. */
import { type AdminStage, setAdminStage } from "@tests/support/admin-stage";
import { openProfile, type Profile } from "@tests/support/browser";
import { lookInAllSizes } from "@tests/support/look-at-page";
import { lookAtScreen } from "@tests/support/look-at-screen";
import { type Mailbox, openMailbox, runSchedule, setMail, tokenIn } from "@tests/support/mailbox";
import { mediaFixture } from "@tests/support/media-fixtures";
import { afterAll, beforeAll, expect, test } from "vitest";
import { AdminPage } from "./pages/admin-page";
import { LoginPage } from "./pages/login-page";
import { MediaPage } from "./pages/media-page";
import { ProfilePage } from "./pages/profile-page";
import { SignupPage } from "./pages/signup-page";

let stage: AdminStage;
let url: string;
let box: Mailbox;
let profile: Profile;

beforeAll(async () => {
  box = await openMailbox();
  stage = await setAdminStage();
  url = stage.app.url;
  profile = await openProfile({ viewport: { width: 390, height: 844 } });
  // A form with something typed asks before it is left.
  profile.page.on("dialog", (dialog) => void dialog.accept());
});

afterAll(async () => {
  await profile?.close();
  await stage?.app.stop();
  await box?.close();
});

/** Nothing is wrong with what is on screen. */
async function look(name: string): Promise<void> {
  expect(await lookInAllSizes(profile.page, { name })).toEqual([]);
}

async function signOut(): Promise<void> {
  const { page } = profile;
  await page.getByTestId("profile-menu").click();
  await page.getByTestId("logout").click();
  await page.getByTestId("login-link").waitFor();
}

test("where no mail is sent nothing of it is offered, and the panel says so", async () => {
  const { page } = profile;
  const login = new LoginPage(page);
  await login.enter(url, stage.admin);
  const panel = new AdminPage(page);
  await panel.openSettings(url, "app");
  const section = page.getByTestId("mail-settings");
  await section.getByText("No mail server is set").waitFor();
  expect(await section.getByRole("switch").count()).toBe(0);
  await section.scrollIntoViewIfNeeded();
  await look("mail-unset");
  await page.goto(url);
  await signOut();
  // It says so once it knows, and then the sign-in form knows too.
  await page.goto(`${url}/forgot-password`);
  await page.getByTestId("no-mail").waitFor();
  const asked = page.waitForResponse(`${url}/api/account/mail`);
  await login.open(url);
  await (await asked).finished();
  await login.signIn("nobody@example.com", "Kirschkuchen-7");
  await page.getByText("No account found with this email address").waitFor();
  expect(await page.getByTestId("forgot-password").count()).toBe(0);
});

test("a forgotten password is replaced by the link in a mail, once", async () => {
  await setMail(stage.app, stage.superuser, box.port);
  const { page } = profile;
  const login = new LoginPage(page);
  await login.open(url);
  const forgot = page.getByTestId("forgot-password");
  await forgot.waitFor();
  expect(await forgot.getByText("Passwort vergessen?").getAttribute("lang")).toBe("de");
  await look("login-with-mail");
  await forgot.click();
  const form = page.getByTestId("forgot-form");
  await form.getByTestId("email").fill(stage.ann.email);
  await form.getByTestId("submit-forgot").click();
  await page.getByText("an email is on its way").waitFor();
  await look("forgot-password");
  const link = `${url}/reset-password#${tokenIn(await box.arrived(stage.ann.email), "/reset-password")}`;
  await page.goto(link);
  const reset = page.getByTestId("reset-form");
  const save = async (password: string) => {
    await reset.getByTestId("password").fill(password);
    await reset.getByTestId("passwordConfirm").fill(password);
    await reset.getByTestId("submit-reset").click();
  };
  await save("Password1");
  await page.getByText("This password is too common.").waitFor();
  await look("reset-password");
  await save("Neuer-Kuchen-8");
  await page.waitForURL(`${url}/login`);
  await login.signIn(stage.ann.email, "Neuer-Kuchen-8");
  await page.getByTestId("profile-menu").waitFor();
  await signOut();
  await page.goto(link);
  await save("Neuer-Kuchen-9");
  await page.getByTestId("dead-link").waitFor();
  await look("dead-link");
  await page.getByTestId("dead-link").getByRole("link").click();
  await form.waitFor();
});

test("who must confirm the address is told why nothing is sent, confirms it, and tries again", async () => {
  const { page } = profile;
  await stage.change("settings", "app", { requireVerified: true }, stage.superuser);
  const mediaId = await stage.media(stage.ben, "Elbe", Buffer.from(mediaFixture("photo.jpg")));
  const cleo = { email: "cleo@example.com", username: "cleo", password: "Kirschkuchen-7" };
  const signup = new SignupPage(page);
  await signup.open(url);
  await signup.signUp(cleo);
  const own = new ProfilePage(page);
  await own.openOwn(url, "settings");
  const notice = page.getByTestId("confirm-address");
  await notice.getByText(cleo.email).waitFor();
  await look("confirm-address");
  await notice.getByTestId("confirm-later").click();
  await notice.waitFor({ state: "detached" });
  const media = new MediaPage(page);
  await page.goto(`${url}/view/${mediaId}`);
  await media.write("What a light!");
  await media.commentIn("What a light!", "refused").waitFor();
  await page.getByText("Please confirm your email address first,").first().waitFor();
  await own.openOwn(url, "settings");
  await notice.getByTestId("confirm-again").click();
  await page.getByText("The email is on its way.").first().waitFor();
  await page.goto(`${url}/verify#${tokenIn(await box.arrived(cleo.email), "/verify")}`);
  await page.getByTestId("verified").waitFor();
  await look("verified");
  await page.goto(`${url}/view/${mediaId}`);
  await page.getByTestId("retry-comment").click();
  await media.commentIn("What a light!", "stored").waitFor();
  await page.goto(`${url}/verify#nonsense`);
  await page.getByTestId("dead-link").waitFor();
  await page.goto(url);
  await signOut();
  await stage.change("settings", "app", { requireVerified: false }, stage.superuser);
});

test("an admin switches codes on, and then signs in with one", async () => {
  const { page } = profile;
  const login = new LoginPage(page);
  await login.enter(url, stage.admin);
  const panel = new AdminPage(page);
  await panel.openSettings(url, "app");
  await page.getByText(`Links in emails start with ${url}.`).waitFor();
  await page.getByTestId("admin-codes").click();
  await page.getByTestId("mail-settings").scrollIntoViewIfNeeded();
  await look("mail-settings");
  await page.getByTestId("save-settings").click();
  await panel.toast.filter({ hasText: "Settings saved." }).waitFor();
  await page.goto(url);
  await signOut();
  await login.open(url);
  await login.signIn(stage.admin.email, stage.admin.password);
  const form = page.getByTestId("code-form");
  const mail = await box.arrived(stage.admin.email);
  const code = /<strong>(\d{8})<\/strong>/.exec(mail.html)?.[1] ?? "";
  expect(code).toMatch(/^\d{8}$/);
  await form.getByTestId("code").fill("1");
  await form.getByTestId("submit-code").click();
  await page.getByText("That code is wrong or has expired.").waitFor();
  await look("code");
  expect(await lookAtScreen(page, { name: "code", variant: "walked" })).toEqual([]);
  await form.getByTestId("code").fill(` ${code} `);
  await form.getByTestId("submit-code").click();
  await page.getByTestId("profile-menu").waitFor();
  await new ProfilePage(page).openOwn(url, "settings");
  await page.getByTestId("password-current").fill(stage.admin.password);
  const change = async (password: string) => {
    for (const field of ["password-next", "password-confirmation"]) {
      await page.getByTestId(field).fill(password);
    }
    await page.getByTestId("save-password").click();
  };
  await change("football");
  await page.getByText("This password is too common.").waitFor();
  await change("Neuer-Kuchen-8");
  await panel.toast.filter({ hasText: "Your password has been changed" }).waitFor();
  await page.getByTestId("needs-login").waitFor();
  await runSchedule(stage.app, stage.superuser);
  expect((await box.arrived(stage.admin.email)).subject).toMatch(/^Your password/);
});
