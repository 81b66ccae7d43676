/**
 * How the console's addresses begin. Below these paths, and at `/`, the api serves the page; other
 * addresses are not affected. A test compares the console's routes with this list.
 */
export const PAGES = [
  'sign-in',
  'overview',
  'bots',
  'incoming',
  'outgoing',
  'people',
  'approvals',
  'waiting',
  'notices',
  'audit',
  'sessions',
  'apps',
  'installed-apps',
  'own-apps',
  'authorizations',
  'settings',
  'operator',
  'chat',
  'search',
  'c',
  'oauth/consent',
] as const;
