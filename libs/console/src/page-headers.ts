/**
 * The page may load only its own files. Scripts cannot be created from text (Trusted Types), and
 * other pages cannot embed it in a frame. Images may come from other hosts over TLS, because bots
 * put them into messages. Files are uploaded to and downloaded from their store.
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
    // Only one script address can be created, always the same: that of the service worker.
    'trusted-types tieline-service-worker',
  ].join('; ');

const ALWAYS = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' };

/**
 * Headers of the page. It names its files, so it is not cached.
 *
 * @param store origin of the store for uploads and downloads
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

/**
 * Headers of the service worker, which browsers check for updates. It only calls the api, to decide
 * approvals from their notifications.
 */
export const SERVICE_WORKER_HEADERS: Readonly<Record<string, string>> = {
  ...ALWAYS,
  'content-type': 'text/javascript; charset=utf-8',
  'content-security-policy': "default-src 'none'; connect-src 'self'",
  'cache-control': 'no-cache',
};

/** Headers of the files that the page names by their hash. */
export const FILE_HEADERS: Readonly<Record<string, string>> = ALWAYS;
