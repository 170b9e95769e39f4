/** The first superuser of an empty database, from the environment; later starts change nothing. */
const INSTALLER = "__pbinstaller@example.com";

export function createFirstSuperuser(e: core.BootstrapEvent): void {
  e.next();
  const email = $os.getenv("POCKETBASE_SUPERUSER_EMAIL");
  const password = $os.getenv("POCKETBASE_SUPERUSER_PASSWORD");
  if (email === "" || password === "") return;
  const real = $dbx.exp("email != {:installer}", { installer: INSTALLER });
  if (e.app.countRecords("_superusers", real) > 0) return;
  const superuser = new Record(e.app.findCollectionByNameOrId("_superusers"));
  superuser.setEmail(email);
  superuser.setPassword(password);
  e.app.save(superuser);
}
