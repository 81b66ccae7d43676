import type { Role } from '@tieline/platform/http';

/** Who may decide an approval. Without people and roles: members who are not guests. */
export interface Approvers {
  approverIds: readonly string[];
  approverRoles: readonly Role[];
  /** Asked the bot for what is to be approved, so may not decide. */
  requestedBy: string | null;
}

/** A person, and their rights in the conversation of an approval. */
export interface PossibleApprover {
  userId: string;
  role: Role;
  isMember: boolean;
  mayRead: boolean;
}

/** Roles that decide if an approval names no one. */
export const DEFAULT_ROLES = ['owner', 'admin', 'member'] as const satisfies readonly Role[];

/** Whether an approval names its approvers. */
export function namesApprovers({ approverIds, approverRoles }: Approvers): boolean {
  return approverIds.length > 0 || approverRoles.length > 0;
}

/** Whether a person may decide: docs/approvals.md#approvers. */
export function mayDecide(approvers: Approvers, person: PossibleApprover): boolean {
  const { approverIds, approverRoles, requestedBy } = approvers;
  if (person.userId === requestedBy) return false;
  if (approverIds.includes(person.userId)) return true;
  if (!namesApprovers(approvers)) return person.isMember && person.role !== 'guest';
  return approverRoles.includes(person.role) && person.mayRead;
}
