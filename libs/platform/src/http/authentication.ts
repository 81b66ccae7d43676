import { timingSafeEqual, createHash } from 'node:crypto';
import { applyDecorators, createParamDecorator, Injectable, SetMetadata, UseGuards } from '@nestjs/common';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiBearerAuth } from '@nestjs/swagger';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { PlatformSettings } from '../config/index.js';
import {
  forbidden,
  invalidAuthorization,
  invalidToken,
  missingAuthorization,
  tokenOfAPerson,
} from './api-error.js';
import { documentErrors } from './api-docs.js';
import { sendError } from './error-filter.js';
import { requireReadBody } from './json-body.js';
import { CallersInFlight, OperatorFailures } from './limits/callers-in-flight.js';
import { TokenResolvers } from './principals.js';
import type { Principal } from './principals.js';
import { routeConfig } from './routes/route-config.js';

type Audience = 'bot' | 'client' | 'admin' | 'operator' | 'bot-or-client' | 'bot-or-capability';
const AUDIENCE = 'tieline:audience';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Nobody gets in without a bearer token. */
    guarded?: boolean;
  }
}

/** @internal */
export interface AuthenticatedRequest extends FastifyRequest {
  principal?: Principal;
}

/** One guard for every kind of principal: finds the caller and checks it against the route's audience. */
@Injectable()
export class PrincipalGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly resolvers: TokenResolvers,
    private readonly settings: PlatformSettings,
    private readonly inFlight: CallersInFlight,
    private readonly failures: OperatorFailures,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const audience = this.reflector.getAllAndOverride<Audience | undefined>(AUDIENCE, [
      context.getHandler(),
      context.getClass(),
    ]);
    if (audience === undefined) throw new Error('a guarded route has no audience');
    const http = context.switchToHttp();
    const request = http.getRequest<AuthenticatedRequest>();
    const token = bearerToken(request.headers.authorization);
    request.principal =
      audience === 'operator'
        ? this.operator(token, request.ip)
        : admit(audience, await this.resolvers.resolve(token));
    this.inFlight.enter(callerKey(request.principal), http.getResponse<FastifyReply>().raw);
    // Also where the route reads no body at all.
    requireReadBody(request.body);
    return true;
  }

  /** @throws 401; 429 when the address has guessed too often */
  private operator(token: string, address: string): Principal {
    this.failures.requireFew(address);
    const digest = (value: string): Buffer => createHash('sha256').update(value).digest();
    const { operatorToken } = this.settings;
    if (operatorToken === '' || !timingSafeEqual(digest(token), digest(operatorToken))) {
      this.failures.add(address);
      throw invalidToken();
    }
    return { kind: 'operator' };
  }
}

/** Refuses requests without the form of a bearer token before anything of their bodies is read (decisions, section 11.1). */
export function refuseWithoutToken(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    if (!request.routeOptions.config.guarded) return done();
    try {
      bearerToken(request.headers.authorization);
    } catch (error) {
      return sendError(request, reply, error);
    }
    done();
  });
}

/** By whom requests are counted: a bot, a person, the holder of a capability, or the operator. */
export function callerKey(principal: Principal): string {
  if (principal.kind === 'bot') return principal.botId;
  if (principal.kind === 'user') return principal.userId;
  return principal.kind === 'capability' ? principal.token : principal.kind;
}

/** The token of an `Authorization: Bearer …` header; the scheme is case-insensitive. @throws 401 with the contract's texts. */
export function bearerToken(header: string | undefined): string {
  if (header === undefined || header.trim() === '') throw missingAuthorization();
  const match = /^bearer +([^\s]+) *$/i.exec(header);
  if (!match?.[1]) throw invalidAuthorization();
  return match[1];
}

/** Decisions, section 1: a person on a bot endpoint 401; a bot on admin or client endpoints 403; a member on admin 403. Section 6: a capability elsewhere 401. */
function admit(audience: Exclude<Audience, 'operator'>, principal: Principal | undefined): Principal {
  if (principal === undefined) throw invalidToken();
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

const protect = (audience: Audience, ...statuses: number[]): ClassDecorator & MethodDecorator =>
  applyDecorators(
    SetMetadata(AUDIENCE, audience),
    UseGuards(PrincipalGuard),
    routeConfig({ guarded: true }),
    ApiBearerAuth(audience),
    documentErrors(...statuses, 503),
  );

/** Routes for bots: bearer token of a bot. */
export const BotApi = (): ClassDecorator & MethodDecorator => protect('bot', 401);
/** On a route of a `@BotApi()` class: capabilities are let in too, for a guard of that lib to judge and {@link actAs} its bot. */
export const AdmitsCapabilities = (): MethodDecorator => SetMetadata(AUDIENCE, 'bot-or-capability');
/** Routes for people's chat clients: bearer token of a person. */
export const ClientApi = (): ClassDecorator & MethodDecorator => protect('client', 401, 403);
/** Routes that take a bot's or a person's token. */
export const BotOrClientApi = (): ClassDecorator & MethodDecorator => protect('bot-or-client', 401);
/** Routes for admins and owners of a space. */
export const AdminApi = (): ClassDecorator & MethodDecorator => protect('admin', 401, 403);
/** Routes for the operator of this installation. */
export const OperatorApi = (): ClassDecorator & MethodDecorator => protect('operator', 401, 429);

/** Who calls a guarded route, and from which network address. @throws Error where no guard has let the caller in */
export function callerOf(context: ExecutionContext): { principal: Principal; ip: string } {
  const { principal, ip } = context.switchToHttp().getRequest<AuthenticatedRequest>();
  if (!principal) throw new Error('this route is not guarded');
  return { principal, ip };
}

/** From here on the request is made by somebody else: the bot in whose name a capability speaks. */
export function actAs(context: ExecutionContext, principal: Principal): void {
  context.switchToHttp().getRequest<AuthenticatedRequest>().principal = principal;
}

/** Injects the caller: a `BotPrincipal`, `UserPrincipal` or `OperatorPrincipal`, as the route's audience says. */
export const Caller = createParamDecorator(
  (_: unknown, context: ExecutionContext): Principal => callerOf(context).principal,
);

/** Injects a request header's value, undefined when it is absent; describe it with `@ApiHeader`. */
export const HeaderText = createParamDecorator(
  (name: string, context: ExecutionContext): string | undefined => {
    const value = context.switchToHttp().getRequest<FastifyRequest>().headers[name];
    return Array.isArray(value) ? value[0] : value;
  },
);

/** Injects the network address of the caller, for the audit log and request logs. */
export const RemoteAddress = createParamDecorator(
  (_: unknown, context: ExecutionContext): string => context.switchToHttp().getRequest<FastifyRequest>().ip,
);
