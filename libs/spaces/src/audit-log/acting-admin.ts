import { createParamDecorator } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import { callerOf } from '@tieline/platform/http';
import type { AdminPrincipal } from '@tieline/platform/http';
import { byUser } from './record-change.js';
import type { Origin } from './record-change.js';

/** An admin whose request changes something. */
export interface ActingAdmin extends AdminPrincipal {
  /** The origin of the change in the audit log. */
  readonly origin: Origin;
}

/** Injects the admin of the request as an {@link ActingAdmin}; for routes of `@AdminApi()`. */
export const Acting = createParamDecorator((_: unknown, context: ExecutionContext): ActingAdmin => {
  const { principal, ip } = callerOf(context);
  const admin = principal as AdminPrincipal;
  return { ...admin, origin: byUser(admin, ip) };
});
