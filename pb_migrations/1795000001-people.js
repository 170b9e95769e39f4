/// <reference path="../pb_hooks/dist/types.d.ts" />
/**
 * Accounts, and what everybody may see of them. Only the account itself and admins read `users`;
 * `profiles` is the public view, without e-mail, so that not even a sort can order by it.
 */
migrate(
  (app) => {
    const pictures = ["image/jpeg", "image/png", "image/gif", "image/webp"];
    const users = app.findCollectionByNameOrId("users");
    for (const name of ["name", "avatar", "created", "updated"]) users.fields.removeByName(name);
    const counter = (name) => new NumberField({ name, onlyInt: true, min: 0 });
    const picture = (name) =>
      new FileField({ name, maxSelect: 1, maxSize: 2097152, mimeTypes: pictures });
    const fields = [
      new TextField({
        name: "username",
        required: true,
        presentable: true,
        min: 3,
        max: 64,
        pattern: "^[A-Za-z0-9._-]+$",
      }),
      new TextField({ name: "bio", max: 500 }),
      picture("profilePicture"),
      picture("profileThumbnail"),
      counter("followers"),
      counter("following"),
      counter("mediaCount"),
      new BoolField({ name: "isAdmin" }),
      new BoolField({ name: "isBlocked" }),
      new BoolField({ name: "chatDisabled" }),
      new BoolField({ name: "termsAccepted" }),
      new DateField({ name: "termsAcceptedDate" }),
      new AutodateField({ name: "createdAt", onCreate: true }),
      new AutodateField({ name: "updatedAt", onCreate: true, onUpdate: true }),
      new NumberField({ name: "seq", onlyInt: true }),
    ];
    for (const field of fields) users.fields.add(field);
    users.fields.getByName("password").min = 6;
    const self =
      '@request.auth.id != "" && (id = @request.auth.id || @request.auth.isAdmin = true)';
    users.listRule = self;
    users.viewRule = self;
    users.createRule = "@request.body.id:isset = false";
    users.updateRule = self;
    users.deleteRule = null;
    users.manageRule = null;
    users.authRule = "isBlocked = false";
    users.passwordAuth.enabled = true;
    users.passwordAuth.identityFields = ["email"];
    users.otp.enabled = false;
    users.mfa.enabled = false;
    users.oauth2.enabled = false;
    users.authAlert.enabled = false;
    // A device that was offline for weeks must still be signed in when it comes back.
    users.authToken.duration = 90 * 24 * 3600;
    users.indexes = [
      "CREATE UNIQUE INDEX idx_users_tokenKey ON users (tokenKey)",
      "CREATE UNIQUE INDEX idx_users_email ON users (email COLLATE NOCASE) WHERE email != ''",
      "CREATE UNIQUE INDEX idx_users_username ON users (username COLLATE NOCASE)",
      "CREATE INDEX idx_users_seq ON users (seq)",
      "CREATE INDEX idx_users_admin ON users (id) WHERE isAdmin = TRUE AND isBlocked = FALSE",
    ];
    app.save(users);

    app.save(
      new Collection({
        type: "view",
        name: "profiles",
        listRule: "",
        viewRule: "",
        viewQuery:
          "SELECT id, username, bio, profilePicture, profileThumbnail, followers, following, mediaCount, createdAt, isBlocked, seq FROM users",
      }),
    );
  },
  () => {
    throw new Error("The first schema has no way back: restore a backup instead.");
  },
);
