import { isAdmin } from '../session/is-admin.js';

/** Where pages begin that would only refuse everybody else. */
const OF_ADMINS = ['/bots', '/incoming', '/outgoing', '/people', '/notices', '/audit'];

export type Role = 'owner' | 'admin' | 'member' | 'guest';

/** Whether pages at this address are for the role. */
export const isFor = (role: Role, path: string): boolean =>
  isAdmin(role) || !OF_ADMINS.some((begin) => path === begin || path.startsWith(`${begin}/`));
