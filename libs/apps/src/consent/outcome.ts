import type { Role, Scope } from '@tieline/platform/http';
import { scopesIn } from '../app.js';
import type { Installation } from '../installations/installation.entity.js';

/** What an app asks for, and what is approved in the space. */
export interface AskedScopes {
  bot: readonly Scope[];
  user: readonly Scope[];
}

export const OUTCOMES = ['install', 'authorize', 'request', 'refuse'] as const;
/**
 * What happens if this person agrees (docs/apps.md#who-may-install):
 * - `install`: the app is installed, or its installation is extended
 * - `authorize`: it is installed with these scopes; the person only authorizes it
 * - `request`: admins decide
 * - `refuse`: guests cannot agree
 */
export type Outcome = (typeof OUTCOMES)[number];

interface Situation {
  role: Role;
  asked: AskedScopes;
  /** What admins approved; null if the app is not installed. */
  approved: AskedScopes | null;
  /** The space's setting `apps_need_approval`. */
  needsApproval: boolean;
}

/** Returns what admins approved; null if the app is not installed. */
export function approvedScopes(
  installation: Pick<Installation, 'botScopes' | 'userScopes'> | null,
): AskedScopes | null {
  return installation && { bot: scopesIn(installation.botScopes), user: scopesIn(installation.userScopes) };
}

/** Decides what happens if a person agrees to a request of an app. */
export function outcomeOf({ role, asked, approved, needsApproval }: Situation): Outcome {
  if (role === 'guest') return 'refuse';
  if (role === 'owner' || role === 'admin') return 'install';
  const isApproved =
    approved !== null &&
    asked.bot.every((scope) => approved.bot.includes(scope)) &&
    asked.user.every((scope) => approved.user.includes(scope));
  if (isApproved) return 'authorize';
  return needsApproval ? 'request' : 'install';
}
