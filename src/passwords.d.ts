/** Made by the build from a package's list (scripts/common-passwords.mjs). */
declare module "virtual:common-passwords" {
  const list: string;
  export default list;
}
