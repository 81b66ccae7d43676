/**
 * What the page may load: its own files and nothing else. Scripts cannot be made of text (Trusted
 * Types), and no other page can show it in a frame. Pictures may come from elsewhere over TLS, for
 * bots put them into messages; files go to and come from their store.
 */
const contentSecurityPolicy = (store: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    `img-src 'self' data: blob: https: ${store}`,
    `media-src 'self' blob: https: ${store}`,
    `connect-src 'self' ${store}`,
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    // One address of a script can be made, always the same: that of the service worker.
    'trusted-types tieline-service-worker',
  ].join('; ');

const ALWAYS = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' };

/**
 * Headers of the page; it names its files, so it is asked for anew each time.
 * @param store origin of the store that files are uploaded to and downloaded from
 */
export const pageHeaders = (store: string): Readonly<Record<string, string>> => ({
  ...ALWAYS,
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': contentSecurityPolicy(store),
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
  'x-frame-options': 'DENY',
  'cache-control': 'no-cache',
});

/** Headers of the service worker; browsers ask for it again by themselves. It fetches nothing. */
export const SERVICE_WORKER_HEADERS: Readonly<Record<string, string>> = {
  ...ALWAYS,
  'content-type': 'text/javascript; charset=utf-8',
  'content-security-policy': "default-src 'none'",
  'cache-control': 'no-cache',
};

/** Headers of the files that the page names by their hash. */
export const FILE_HEADERS: Readonly<Record<string, string>> = ALWAYS;
