import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { minify } from "terser";
import { defineConfig, type Plugin, type UserConfig } from "vite";
import { VitePWA } from "vite-plugin-pwa";
import { commonPasswordsModule } from "./scripts/common-passwords.mjs";
import { firstPaint } from "./scripts/vite-first-paint.ts";
import { lean } from "./scripts/vite-lean.ts";
import { leanReact } from "./scripts/vite-lean-react.ts";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
/** The mode of the build of the sender, which follows the app's. */
const SENDER = "sender";
/** The parts of the data that main.tsx asks for. */
const DATA = /(?:^|\/)(?:store|scope|browser-client)[-.]/;
/** The replica's rows. */
const STORE = /\/src\/data\/engine\/(?:rows|store|outbox-row)\./;
const LATER = /\/src\/(?:app\/late-parts|features\/outbox\/waiting-mark|data\/when-closed)\./;
/** But for DOMPurify, which legal texts need where the browser sanitises nothing. */
const WIDGETS =
  /\/src\/ui\/(?!purified-html)|node_modules\/(?:@radix-ui|@floating-ui|aria-hidden|react-remove-scroll|react-style-singleton|use-)/;
/** The panel is for few. */
const SHARED_BY_PAGES = /\/src\/(?:features\/(?!admin)|routes\/|state\/)/;
const ACCOUNT = /\/src\/routes\/(?:account|mail|open|not-found|device|legal|tag)-routes?\./;
const PROFILE =
  /\/src\/routes\/(?:user-route|profile-(?:route|settings)|outbox-route|admin-route)\./;
/** What opens over a page or within it when somebody asks for it. */
const DIALOGS =
  /\/src\/features\/(?:(?!admin|device)\w+\/(?!delete-)[\w-]+-dialog|media\/(?:edit|report)-media|chat\/(?:view|send)-photo|gallery\/search-results)\./;
/** What stands round every page, and comes after it. */
const AROUND =
  /\/src\/(?:app\/(?:next-page|bottom-bar)|features\/media\/card-actions|features\/(?:auth\/profile-menu|chat\/chats-button|notifications\/bell-button)|lib\/image-preloader)\./;
const SENDING = /\/src\/data\/files\/(?:prepare|worker-client|checksums|tus)\./;
/** For who has an account: kept once read, and from then on in each version (src/sw/sw.ts). */
const RARE = /^assets\/(?:notifications|news|word-offers|offer-tags|explore-route|exploring|week)-/;
/** The decoder's own code asks for these in Node alone. */
const withoutNode: Plugin = {
  name: "without-node",
  enforce: "pre",
  resolveId: (id, importer) =>
    /^(?:fs|path|crypto)$/.test(id) && importer?.includes("libheif-js") ? "\0without-node" : null,
  load: (id) => (id === "\0without-node" ? "export default {};" : null),
};
/** Before Vite's own minifier: together they leave 5 KB less (Brotli) than either alone. */
const compact: Plugin = {
  name: "compact",
  enforce: "post",
  apply: "build",
  renderChunk: async (code) => {
    const { code: smaller = "" } = await minify(code, {
      module: true,
      ecma: 2022,
      mangle: false,
      // What is inlined in many places packs worse than calls.
      compress: { passes: 3, inline: 1 },
    });
    return { code: smaller, map: null };
  },
};
const server = process.env["POCKETBASE_URL"] ?? "http://127.0.0.1:8090";
const resolve = {
  tsconfigPaths: true,
  alias: { unload: at("./src/data/engine/unload-stand-in.ts") },
};

/** The worker that sends: one classic script, because a service worker loads nothing later on. */
const sender: UserConfig = {
  root: at("./src"),
  publicDir: false,
  build: {
    target: "es2022",
    emptyOutDir: false,
    modulePreload: false,
    rolldownOptions: {
      input: at("./src/sw/sender.ts"),
      output: { format: "iife", entryFileNames: "sender.js", codeSplitting: false },
    },
  },
  plugins: [lean({ isWhole: false }), compact],
  resolve,
};

export const app: UserConfig = {
  root: at("./src"),
  publicDir: at("./public"),
  build: {
    outDir: at("./dist"),
    emptyOutDir: true,
    target: "es2022",
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // A few large files, not twenty: over plain HTTP a phone fetches six at a time. And not one: each is read in a task of its
            // own, between which the page answers.
            {
              name: "react",
              test: /node_modules\/(?:react|react-dom|react-router|react-router-dom|scheduler)\//,
              tags: ["$initial"],
            },
            { name: "initial", tags: ["$initial"] },
            {
              name: "shared",
              test: /\/src\/(?:domain|lib|media-cache|data\/engine\/(?:answers|remote)\.)|node_modules\/tslib\//,
              minShareCount: 2,
            },
            { name: "dexie", test: /node_modules\/dexie\// },
            { name: "rxdb", test: /node_modules\/(?:rxdb\/(?!.*storage-memory)|rxjs\/)/ },
            // Each would be a file of 200 bytes with a kilobyte of headers.
            { name: "icons", test: /node_modules\/lucide-react\//, minShareCount: 2 },
            // What every page loads as soon as its first picture stands.
            { name: "later", test: LATER },
            { name: "cards", test: /\/src\/features\/media\/card-(?:post|video)\./ },
            // A file costs 300 bytes of headers, and is compressed without the others.
            { name: "widgets", test: WIDGETS, minShareCount: 2 },
            { name: "pages", test: SHARED_BY_PAGES, minShareCount: 2 },
            { name: "account", test: ACCOUNT },
            { name: "profile", test: PROFILE },
            { name: "dialogs", test: DIALOGS },
            { name: "sending", test: SENDING },
            { name: "around", test: AROUND },
            { name: "store", test: STORE },
            // Read together, see i18n/setup.ts.
            { name: "online", test: /\/src\/i18n\/(?:en|de)\/online\./ },
            { name: "exploring", test: /\/src\/i18n\/(?:en|de)\/explore\./ },
            { name: "news", test: /\/src\/i18n\/(?:en|de)\/news\./ },
            { name: "panel", test: /\/src\/features\/admin\/admin-panel\./ },
          ],
        },
      },
    },
    modulePreload: {
      // Every browser that knows service workers and ES2022 preloads modules by itself.
      polyfill: false,
      // The lists of what each lazy page needs would weigh down the entry. Pages come out of the precache, where they cost
      // nothing; only the first paint and the data behind it are waited for.
      resolveDependencies: (file, needed, { hostType }) =>
        hostType === "html" || DATA.test(file) ? needed : [],
    },
  },
  plugins: [
    react(),
    tailwindcss(),
    firstPaint(),
    commonPasswordsModule(),
    lean({ isWhole: true }),
    leanReact,
    compact,
    VitePWA({
      strategies: "injectManifest",
      srcDir: "sw",
      filename: "sw.ts",
      injectRegister: false,
      manifest: false,
      injectManifest: {
        // Every route must start offline after one visit; screenshots are for the browser's install dialog alone.
        // The manifest is the browser's own, which keeps it.
        globPatterns: ["**/*.{js,css,html,svg,png,ico,woff2}"],
        // The list of passwords is for forms that need the server anyway.
        globIgnores: [
          "screenshots/**",
          "assets/*common-passwords-*",
          // For those who use them, and kept from then on (src/sw/sw.ts): decoders of rare pictures, what makes videos smaller, the
          // archive of one's own data, the sanitiser where the browser has none, the admin panel.
          "assets/{converter,libheif,UTIF,video-shrinker,export-data,purified-html}-*",
          "assets/{panel,admin}-*",
          // Notifications are set up with a network alone, as the app itself.
          "assets/{push,install-offer}-*",
          // Sessions, mails, an archive and the end of an account are the server's alone.
          "assets/{sessions,session-list,export-panel,mail,delete-account-dialog}-*",
          // What the followed post is asked for, and whom one might follow, with a network alone.
          "assets/{online,pull-followed,whom-to-follow}-*",
          // For who has an account and keeps something for a journey.
          "assets/{keep-dialog,list-plan}-*",
          // For browsers that give no storage, and so keep no part either.
          "assets/storage-memory-*",
          // The system shows these, and keeps them by itself.
          "icons/**",
          "**/node_modules/**",
          "sw.js",
        ],
        manifestTransforms: [
          (files) => ({
            manifest: files.map((file) => (RARE.test(file.url) ? { ...file, rare: true } : file)),
          }),
        ],
      },
    }),
  ],
  worker: { format: "es", plugins: () => [withoutNode, compact] },
  resolve,
  server: { proxy: { "/api": server, "/_": server } },
};

export default defineConfig(({ mode }) => (mode === SENDER ? sender : app));
