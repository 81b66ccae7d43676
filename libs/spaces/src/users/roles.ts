import type { Role } from '@tieline/platform/http';

export type { Role } from '@tieline/platform/http';

export const ROLES = ['owner', 'admin', 'member', 'guest'] as const satisfies readonly Role[];

/** Rights that not every role has. Everything else is open to everybody in the space. */
export type Right = 'administer' | 'manage_owners' | 'create_channel' | 'join_public_channel';

/**
 * A guest is a restricted member: they take part where somebody added them, but neither create
 * channels nor join public ones.
 */
const HOLDERS: Readonly<Record<Right, readonly Role[]>> = {
  administer: ['owner', 'admin'],
  manage_owners: ['owner'],
  create_channel: ['owner', 'admin', 'member'],
  join_public_channel: ['owner', 'admin', 'member'],
};

/** Whether people of this role hold a right. */
export function roleMay(role: Role, right: Right): boolean {
  return HOLDERS[right].includes(role);
}

/**
 * Whether `actor` may make somebody a `next`, or change somebody who is a `present` (and make them
 * a `next`): only owners make, change or remove owners, and changing an owner's token or name is
 * changing an owner.
 */
export function mayManage(actor: Role, next: Role, present: Role = next): boolean {
  if (!roleMay(actor, 'administer')) return false;
  return (present !== 'owner' && next !== 'owner') || roleMay(actor, 'manage_owners');
}

/** Whether this change takes an active owner away from the space. */
export function removesOwner(present: Standing, next: Standing): boolean {
  return isActiveOwner(present) && !isActiveOwner(next);
}

/** What a person's rights depend on. */
export interface Standing {
  role: Role;
  isActive: boolean;
}

function isActiveOwner({ role, isActive }: Standing): boolean {
  return role === 'owner' && isActive;
}
