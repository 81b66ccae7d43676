import { applyDecorators, createParamDecorator, Injectable, SetMetadata, UseGuards } from '@nestjs/common';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { nameCaller } from '@tieline/background';
import { ApiCookieAuth, ApiSecurity } from '@nestjs/swagger';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { forbidden, invalidToken, missingAuthorization, tokenOfAPerson } from '../api-error.js';
import { documentErrors } from '../api-docs.js';
import { sendError } from '../error-filter.js';
import { requireReadBody } from '../json-body.js';
import { CallersInFlight } from '../limits/callers-in-flight.js';
import type { AuthenticatedRequest } from './authenticated-request.js';
import { credentialOf, noSession } from './credential.js';
import type { Credential } from './credential.js';
import { requireCsrfToken } from './csrf.js';
import { OperatorToken } from './operator-token.js';
import { TokenResolvers } from './principals.js';
import type { Principal } from './principals.js';
import { principalOfCall } from './resolved-token.js';
import { addressOf } from './client-addresses.js';
import { routeConfig } from '../routes/route-config.js';
import { requireScope } from './route-scopes.js';
import { ChargesWrites } from './write-charges.js';
import { isSessionToken, SessionCookies } from './session-cookies.js';
import type { SessionKind } from './session-cookies.js';

type Audience = 'bot' | 'client' | 'admin' | 'operator' | 'bot-or-client' | 'bot-or-capability';
const AUDIENCE = 'tieline:audience';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Requires a bearer token, or a session if the route accepts one. */
    guarded?: boolean;
  }
}

/**
 * The guard for every kind of principal: finds the caller and checks it against the route's
 * audience and scope.
 */
@Injectable()
export class PrincipalGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly resolvers: TokenResolvers,
    private readonly operator: OperatorToken,
    private readonly inFlight: CallersInFlight,
    private readonly cookies: SessionCookies,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const audience = this.reflector.getAllAndOverride<Audience | undefined>(AUDIENCE, [
      context.getHandler(),
      context.getClass(),
    ]);
    if (audience === undefined) throw new Error('a guarded route has no audience');
    const http = context.switchToHttp();
    const request = http.getRequest<AuthenticatedRequest>();
    const reply = http.getResponse<FastifyReply>();
    const credential = credentialOf(request);
    request.credential = credential;
    const principal = credential.session
      ? admit(audience, await this.signedIn(credential.session, request, reply))
      : await this.bearer(audience, credential.token, request);
    requireScope(principal, request.routeOptions.config.scope);
    const caller = callerKey(principal);
    this.inFlight.enter(caller, reply.raw);
    nameCaller(caller);
    // Routes that read no body need this check, too.
    requireReadBody(request.body);
    // Refusals are counted from here on.
    request.principal = principal;
    return true;
  }

  private async bearer(audience: Audience, token: string, request: AuthenticatedRequest): Promise<Principal> {
    if (audience === 'operator') {
      this.operator.require(token, addressOf(request));
      return { kind: 'operator' };
    }
    // A session token in a header would be readable by scripts.
    if (isSessionToken(token)) throw invalidToken();
    const known = principalOfCall(token);
    if (known) return admit(audience, known);
    const at = performance.now();
    const principal = admit(audience, await this.resolvers.resolve(token));
    request.resolved = { token, principal, at };
    return principal;
  }

  /**
   * Returns the owner of the session, which is prolonged. @throws 401; 403 without the session's
   * CSRF token
   */
  private async signedIn(
    kind: SessionKind,
    request: AuthenticatedRequest,
    reply: FastifyReply,
  ): Promise<Principal> {
    const { token, cookie = '' } = request.credential as Credential;
    if (!this.cookies.isOwn(kind, cookie)) throw missingAuthorization();
    const { principal, prolonged } = await this.resolvers.use(kind, token);
    if (!principal) throw invalidToken();
    requireCsrfToken(request, token);
    if (prolonged) this.cookies.give(reply, kind, token);
    return principal;
  }
}

/**
 * Rejects requests without a well-formed bearer token or session before their body is read
 * (docs/security.md#limits-for-one-client).
 */
export function refuseWithoutToken(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    if (!request.routeOptions.config.guarded) return done();
    try {
      credentialOf(request);
    } catch (error) {
      return sendError(request, reply, error);
    }
    done();
  });
}

/**
 * The key that requests are counted by: a bot, a person, the holder of a capability, or the
 * operator.
 */
export function callerKey(principal: Principal): string {
  if (principal.kind === 'bot') return principal.botId;
  if (principal.kind === 'user') return principal.userId;
  return principal.kind === 'capability' ? principal.token : principal.kind;
}

/**
 * A person on a bot endpoint gets 401, a bot on admin or client endpoints 403, a member on admin
 * endpoints 403, a capability elsewhere 401.
 */
function admit(audience: Audience, principal: Principal | undefined): Principal {
  if (principal === undefined) throw invalidToken();
  if (audience === 'operator') {
    if (principal.kind !== 'operator') throw invalidToken();
    return principal;
  }
  if (principal.kind === 'capability') {
    if (audience !== 'bot-or-capability') throw invalidToken();
    return principal;
  }
  if (audience === 'bot-or-client') return principal;
  if (audience === 'bot' || audience === 'bot-or-capability') {
    if (principal.kind !== 'bot') throw principal.kind === 'user' ? tokenOfAPerson() : invalidToken();
    return principal;
  }
  if (principal.kind !== 'user') throw forbidden();
  if (audience === 'admin' && principal.role !== 'admin' && principal.role !== 'owner') throw forbidden();
  return principal;
}

/**
 * Sessions that a route accepts besides bearer tokens, and their security scheme in the document.
 */
const SESSIONS: Readonly<Partial<Record<Audience, { session: SessionKind; scheme: string }>>> = {
  client: { session: 'person', scheme: 'cookieAuth' },
  'bot-or-client': { session: 'person', scheme: 'cookieAuth' },
  admin: { session: 'person', scheme: 'cookieAuth' },
  operator: { session: 'operator', scheme: 'operatorCookieAuth' },
};

/**
 * The security scheme of all bearer tokens in the document. An operation names its callers as the
 * role of the token.
 */
export const TOKEN_SCHEME = 'token';

/** The callers of a route, as the document names them. */
const CALLERS: Readonly<Record<Audience, readonly string[]>> = {
  bot: ['bot'],
  client: ['person'],
  'bot-or-client': ['bot', 'person'],
  'bot-or-capability': ['bot'],
  admin: ['admin'],
  operator: ['operator'],
};

const protect = (audience: Audience, ...statuses: number[]): ClassDecorator & MethodDecorator =>
  applyDecorators(
    SetMetadata(AUDIENCE, audience),
    UseGuards(PrincipalGuard),
    ChargesWrites(),
    routeConfig({
      guarded: true,
      ...(SESSIONS[audience] && { session: SESSIONS[audience].session }),
      ...(audience === 'operator' && { part: 'operator' }),
      ...(audience === 'admin' && { scope: 'all' }),
    }),
    ...CALLERS[audience].map((caller) => ApiSecurity(TOKEN_SCHEME, [caller])),
    ...(SESSIONS[audience] ? [ApiCookieAuth(SESSIONS[audience].scheme)] : []),
    documentErrors(...statuses, 429, 503),
  );

/** Routes for bots: bearer token of a bot. */
export const BotApi = (): ClassDecorator & MethodDecorator => protect('bot', 401, 403);
/**
 * On a route of a `@BotApi()` class: accepts capabilities too. A guard of that lib checks them and
 * calls {@link actAs} with the bot.
 */
export const AdmitsCapabilities = (): MethodDecorator => SetMetadata(AUDIENCE, 'bot-or-capability');
/** Routes for people's chat clients: bearer token of a person. */
export const ClientApi = (): ClassDecorator & MethodDecorator => protect('client', 401, 403);
/** Routes for bots and people. */
export const BotOrClientApi = (): ClassDecorator & MethodDecorator => protect('bot-or-client', 401, 403);
/** Routes for admins and owners of a space. Refused to tokens with limited scopes. */
export const AdminApi = (): ClassDecorator & MethodDecorator => protect('admin', 401, 403);
/** Routes for the operator of this installation. */
export const OperatorApi = (): ClassDecorator & MethodDecorator => protect('operator', 401, 403);

/**
 * Returns the caller of a guarded route and its network address. @throws Error on an unguarded
 * route
 */
export function callerOf(context: ExecutionContext): { principal: Principal; ip: string } {
  const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
  if (!request.principal) throw new Error('this route is not guarded');
  return { principal: request.principal, ip: addressOf(request) };
}

/** Replaces the caller of the request: a capability acts as its bot. */
export function actAs(context: ExecutionContext, principal: Principal): void {
  context.switchToHttp().getRequest<AuthenticatedRequest>().principal = principal;
}

/**
 * Injects the caller: a `BotPrincipal`, `UserPrincipal` or `OperatorPrincipal`, depending on the
 * route's audience.
 */
export const Caller = createParamDecorator(
  (_: unknown, context: ExecutionContext): Principal => callerOf(context).principal,
);

/** Injects the token of the caller's session. @throws 404 for a bearer token */
export const CurrentSession = createParamDecorator((_: unknown, context: ExecutionContext): string => {
  const session = sessionOf(context);
  if (session === undefined) throw noSession();
  return session;
});

/** Injects the token of the caller's session; undefined for a bearer token. */
export const SessionIfAny = createParamDecorator(
  (_: unknown, context: ExecutionContext): string | undefined => sessionOf(context),
);

function sessionOf(context: ExecutionContext): string | undefined {
  const { credential } = context.switchToHttp().getRequest<AuthenticatedRequest>();
  return credential?.session && credential.token;
}

/**
 * Injects the value of a request header, undefined when it is absent; document it with
 * `@ApiHeader`.
 */
export const HeaderText = createParamDecorator(
  (name: string, context: ExecutionContext): string | undefined => {
    const value = context.switchToHttp().getRequest<FastifyRequest>().headers[name];
    return Array.isArray(value) ? value[0] : value;
  },
);

/** Injects the network address of the client, for the audit log and request logs. */
export const RemoteAddress = createParamDecorator((_: unknown, context: ExecutionContext): string =>
  addressOf(context.switchToHttp().getRequest<FastifyRequest>()),
);
