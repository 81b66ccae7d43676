/** Roles that the admin endpoints let in. */
const ADMINS: readonly string[] = ['owner', 'admin'];

/** Where pages begin that would only refuse everybody else. */
const OF_ADMINS = ['/bots', '/incoming', '/outgoing', '/people', '/notices', '/audit'];

export type Role = 'owner' | 'admin' | 'member' | 'guest';

/** Whether pages at this address are for the role. */
export const isFor = (role: Role, path: string): boolean =>
  ADMINS.includes(role) || !OF_ADMINS.some((begin) => path === begin || path.startsWith(`${begin}/`));
