import type { Role } from '@tieline/platform/http';

export type { Role } from '@tieline/platform/http';

export const ROLES = ['owner', 'admin', 'member', 'guest'] as const satisfies readonly Role[];

/** Rights that not every role has. Everything else is open to everyone in the space. */
export type Right = 'administer' | 'manage_owners' | 'create_channel' | 'join_public_channel';

/**
 * A guest takes part in conversations that others added them to, but can neither create channels
 * nor join public ones.
 */
const HOLDERS: Readonly<Record<Right, readonly Role[]>> = {
  administer: ['owner', 'admin'],
  manage_owners: ['owner'],
  create_channel: ['owner', 'admin', 'member'],
  join_public_channel: ['owner', 'admin', 'member'],
};

/** Returns whether this role has a right. */
export function roleMay(role: Role, right: Right): boolean {
  return HOLDERS[right].includes(role);
}

/**
 * Returns whether `actor` may give someone the role `next`, or change someone whose role is
 * `present` (and give them `next`). Only owners create, change or remove owners; a new token or
 * name for an owner is such a change.
 */
export function mayManage(actor: Role, next: Role, present: Role = next): boolean {
  if (!roleMay(actor, 'administer')) return false;
  return (present !== 'owner' && next !== 'owner') || roleMay(actor, 'manage_owners');
}

/** Returns whether this change removes an active owner from the space. */
export function removesOwner(present: RoleStatus, next: RoleStatus): boolean {
  return isActiveOwner(present) && !isActiveOwner(next);
}

/** The facts that a person's rights depend on. */
export interface RoleStatus {
  role: Role;
  isActive: boolean;
}

function isActiveOwner({ role, isActive }: RoleStatus): boolean {
  return role === 'owner' && isActive;
}
