import { isAdmin } from '../session/is-admin.js';

/** Address prefixes of pages for admins only. */
const OF_ADMINS = [
  '/bots',
  '/incoming',
  '/outgoing',
  '/installed-apps',
  '/own-apps',
  '/people',
  '/approvals',
  '/notices',
  '/audit',
];

export type Role = 'owner' | 'admin' | 'member' | 'guest';

/** Whether a role can use the page at this address. */
export const isFor = (role: Role, path: string): boolean =>
  isAdmin(role) || !OF_ADMINS.some((begin) => path === begin || path.startsWith(`${begin}/`));
