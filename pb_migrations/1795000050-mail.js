/// <reference path="../.cache/pocketbase/types.d.ts" />
/**
 * Mail: what it says, in English and in German, with links to our own pages. The token stands after
 * `#`, which no browser sends to a server. `_mails` holds what is to be sent outside of a request
 * (pb_hooks/src/mail).
 */
migrate(
  (app) => {
    const both = (english, german) => `${english}\n<hr>\n<div lang="de">\n${german}\n</div>`;
    const button = (path, text) =>
      `<p><a class="btn" href="{APP_URL}${path}#{TOKEN}" target="_blank" rel="noopener noreferrer">${text}</a></p>`;

    const users = app.findCollectionByNameOrId("users");
    users.resetPasswordTemplate.subject = "A new password for {APP_NAME} / Ein neues Passwort";
    users.resetPasswordTemplate.body = both(
      `<p>Hello {RECORD:username},</p>
<p>you asked for a new password at {APP_NAME}. Choose one here, within the next half hour:</p>
${button("/reset-password", "Choose a new password")}
<p>If it was not you, simply leave this mail alone: your password stays as it is.</p>`,
      `<p>Hallo {RECORD:username},</p>
<p>Sie möchten ein neues Passwort für {APP_NAME}. Hier wählen Sie es, innerhalb der nächsten halben Stunde:</p>
${button("/reset-password", "Neues Passwort wählen")}
<p>Waren Sie es nicht? Dann lassen Sie diese Mail einfach liegen: Ihr Passwort bleibt, wie es ist.</p>`,
    );
    users.verificationTemplate.subject =
      "Please confirm your address for {APP_NAME} / Bitte bestätigen Sie Ihre Adresse";
    users.verificationTemplate.body = both(
      `<p>Hello {RECORD:username},</p>
<p>nice to have you at {APP_NAME}. Is this your address? Then please confirm it within a week:</p>
${button("/verify", "Yes, this is my address")}
<p>If you know nothing of it, somebody has mistyped an address. You need not do anything.</p>`,
      `<p>Hallo {RECORD:username},</p>
<p>schön, dass Sie bei {APP_NAME} sind. Ist das Ihre Adresse? Dann bestätigen Sie sie bitte innerhalb einer Woche:</p>
${button("/verify", "Ja, das ist meine Adresse")}
<p>Sie wissen von nichts? Dann hat sich jemand vertippt, und Sie müssen nichts tun.</p>`,
    );
    users.verificationToken.duration = 7 * 24 * 3600;
    users.otp.duration = 300;
    users.otp.length = 8;
    users.otp.emailTemplate.subject = "Your code for {APP_NAME} / Ihr Code";
    users.otp.emailTemplate.body = both(
      `<p>Hello {RECORD:username},</p>
<p>your code for signing in is <strong>{OTP}</strong>. It is good for five minutes.</p>
<p>If you are not signing in right now, somebody knows your password: please change it.</p>`,
      `<p>Hallo {RECORD:username},</p>
<p>Ihr Code für die Anmeldung ist <strong>{OTP}</strong>. Er gilt fünf Minuten.</p>
<p>Sie melden sich gerade gar nicht an? Dann kennt jemand Ihr Passwort: Bitte ändern Sie es.</p>`,
    );
    users.mfa.rule = "isAdmin = true";
    app.save(users);

    const settings = app.findCollectionByNameOrId("settings");
    settings.fields.add(new BoolField({ name: "requireVerified" }));
    settings.fields.add(new BoolField({ name: "adminCodes" }));
    app.save(settings);

    app
      .db()
      .newQuery(
        `CREATE TABLE _mails (n INTEGER PRIMARY KEY, kind TEXT NOT NULL, person TEXT NOT NULL,
          name TEXT NOT NULL, address TEXT NOT NULL, tries INTEGER NOT NULL DEFAULT 0)`,
      )
      .execute();

    const server = app.settings();
    server.meta.appName = "Augenblick";
    const asking = ["requestPasswordReset", "requestVerification", "requestOTP"];
    const mails = asking.map((action) => ({
      label: `*:${action}`,
      audience: "",
      duration: 600,
      maxRequests: 20,
    }));
    server.rateLimits.rules = [...mails, ...server.rateLimits.rules];
    app.save(server);
  },
  () => {
    throw new Error("The first schema has no way back: restore a backup instead.");
  },
);
