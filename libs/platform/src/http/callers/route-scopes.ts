import { applyDecorators } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import { ApiError } from '../api-error.js';
import type { KnownRoutes } from '../routes/known-routes.js';
import { routeConfig } from '../routes/route-config.js';
import type { Principal } from './principals.js';
import { SCOPES } from './scopes.js';
import type { Scope } from './scopes.js';

/**
 * The scope that a route requires. `none`: every token may call it. `all`: only a token that is not
 * limited to scopes may call it.
 */
export type RequiredScope = Scope | 'none' | 'all';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The scope that the caller's token must have. */
    scope?: RequiredScope;
  }
}

/**
 * Declares the scope that a route, or every route of a class, requires (docs/scopes.md). The
 * declaration of a route overrides that of its class. A route for bots or people without one keeps
 * the process from starting.
 */
export const RequiresScope = (scope: RequiredScope): ClassDecorator & MethodDecorator =>
  applyDecorators(routeConfig({ scope }, { isDefault: true }), ApiExtension('x-scope', scope));

/** 403 for a token without this scope, with the header of RFC 6750. */
const insufficientScope = (required: Scope, granted: ReadonlySet<Scope>): ApiError =>
  new ApiError(403, 'insufficient_scope', `the token lacks the scope ${required}`, {
    scopes: { required, granted: inOrder(granted) },
    headers: { 'www-authenticate': `Bearer error="insufficient_scope", scope="${required}"` },
  });
/** 403 for a token with limited scopes where no scope is enough. */
const limitedToken = (granted: ReadonlySet<Scope>): ApiError =>
  new ApiError(403, 'insufficient_scope', 'a token with limited scopes cannot do this', {
    scopes: { required: 'all', granted: inOrder(granted) },
    headers: { 'www-authenticate': 'Bearer error="insufficient_scope"' },
  });

const inOrder = (granted: ReadonlySet<Scope>): Scope[] => SCOPES.filter((scope) => granted.has(scope));

/**
 * Checks a caller against the scope of a route. Capabilities and the operator have no scopes: what
 * they may do is checked elsewhere. @throws 403
 */
export function requireScope(principal: Principal, required: RequiredScope | undefined): void {
  if (principal.kind === 'capability' || principal.kind === 'operator') return;
  const { scopes } = principal;
  if (scopes === 'all' || required === 'none') return;
  // Routes that lack a declaration do not start; this keeps a mistake from opening one.
  if (required === undefined || required === 'all') throw limitedToken(scopes);
  if (!scopes.has(required)) throw insufficientScope(required, scopes);
}

/** @throws Error that names every guarded route without a declared scope */
export function requireDeclaredScopes(routes: KnownRoutes): void {
  const missing: string[] = [];
  for (const { pattern, methods } of routes.all())
    for (const [method, { guarded, part, scope }] of methods)
      if (guarded && part !== 'operator' && scope === undefined) missing.push(`${method} ${pattern}`);
  if (missing.length > 0) throw new Error(`routes without @RequiresScope(): ${missing.join(', ')}`);
}
