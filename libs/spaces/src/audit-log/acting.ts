import { createParamDecorator } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import { callerOf } from '@tieline/platform/http';
import type { BotPrincipal, UserPrincipal } from '@tieline/platform/http';
import { byBot, byUser } from './record-change.js';
import type { Origin } from './record-change.js';

/** A person whose request changes something. */
export interface ActingUser extends UserPrincipal {
  /** The origin of the change in the audit log. */
  readonly origin: Origin;
}

/** An admin whose request changes something. */
export type ActingAdmin = ActingUser;

/** A bot whose request changes something. */
export interface ActingBot extends BotPrincipal {
  /** The origin of the change in the audit log. */
  readonly origin: Origin;
}

/**
 * Injects the caller with the origin of the change: an {@link ActingAdmin} for routes of
 * `@AdminApi()`, an {@link ActingUser} for `@ClientApi()`, an {@link ActingBot} for `@BotApi()`.
 */
export const Acting = createParamDecorator(
  (_: unknown, context: ExecutionContext): ActingUser | ActingBot => {
    const { principal, ip } = callerOf(context);
    if (principal.kind === 'bot') return { ...principal, origin: byBot(principal, ip) };
    const user = principal as UserPrincipal;
    return { ...user, origin: byUser(user, ip) };
  },
);
