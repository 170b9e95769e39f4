/// <reference path="../.cache/pocketbase/types.d.ts" />
/**
 * The language of the community: a code of src/domain/languages.ts, or "" for the standard one. And
 * mails in English as people say it; what an operator has rewritten is left as it is.
 */
migrate(
  (app) => {
    const settings = app.findCollectionByNameOrId("settings");
    settings.fields.add(new TextField({ name: "defaultLanguage", max: 20 }));
    app.save(settings);

    const sentences = [
      [
        "you asked for a new password at {APP_NAME}. Choose one here, within the next half hour:",
        "You asked for a new password for {APP_NAME}. Choose one here within the next 30 minutes:",
      ],
      [
        "If it was not you, simply leave this mail alone: your password stays as it is.",
        "If this wasn't you, you can ignore this email. Your password won't change.",
      ],
      [
        "nice to have you at {APP_NAME}. Is this your address? Then please confirm it within a week:",
        "Welcome to {APP_NAME}. Please confirm your email address within a week:",
      ],
      [
        "If you know nothing of it, somebody has mistyped an address. You need not do anything.",
        "If this wasn't you, someone mistyped their address. There's nothing you need to do.",
      ],
      [
        "your code for signing in is <strong>{OTP}</strong>. It is good for five minutes.",
        "Your sign-in code is <strong>{OTP}</strong>. It's valid for five minutes.",
      ],
      [
        "If you are not signing in right now, somebody knows your password: please change it.",
        "If you aren't signing in right now, someone knows your password. Please change it.",
      ],
    ];
    const users = app.findCollectionByNameOrId("users");
    const { resetPasswordTemplate, verificationTemplate, otp } = users;
    for (const template of [resetPasswordTemplate, verificationTemplate, otp.emailTemplate]) {
      for (const [before, after] of sentences)
        template.body = template.body.replace(before ?? "", after ?? "");
    }
    app.save(users);
  },
  () => {
    throw new Error("The first schema has no way back: restore a backup instead.");
  },
);
