/**
 * The first segments of the console's addresses. Below them, and at `/`, the api serves the page;
 * everywhere else it answers as it always did. A test holds the console's routes against this list.
 */
export const PAGES = [
  'sign-in',
  'overview',
  'bots',
  'incoming',
  'outgoing',
  'people',
  'notices',
  'audit',
  'sessions',
  'settings',
  'operator',
  'chat',
  'c',
] as const;
