/** The addresses of workers, as the page's policy (Trusted Types) lets them be started. */
interface Policy {
  createScriptURL: (address: string) => string;
}

interface Policies {
  createPolicy: (name: string, rules: Policy) => Policy;
}

const { trustedTypes } = globalThis as { trustedTypes?: Policies };

const policy = trustedTypes?.createPolicy("augenblick", {
  createScriptURL: (address) => {
    if (new URL(address, location.href).origin === location.origin) return address;
    throw new TypeError(`no script of this origin: ${address}`);
  },
});

/** For `Worker` and the service worker. The types of the DOM call it a text. */
export const ownScript = (address: string): string => policy?.createScriptURL(address) ?? address;
