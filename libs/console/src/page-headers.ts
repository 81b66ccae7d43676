/**
 * What the page may load: its own files and nothing else. Scripts cannot be made of text (Trusted Types), and no other page can
 * show it in a frame. Pictures may come from elsewhere over TLS: bots put them into messages, and files lie in object stores.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' data: blob: https:",
  "media-src 'self' blob: https:",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const ALWAYS = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' };

/** Headers of the page; it names its files, so it is asked for anew each time. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  ...ALWAYS,
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
  'x-frame-options': 'DENY',
  'cache-control': 'no-cache',
};

/** Headers of the files that the page names by their hash. */
export const FILE_HEADERS: Readonly<Record<string, string>> = ALWAYS;
