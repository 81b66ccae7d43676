import { RequestMethod, UseInterceptors } from '@nestjs/common';
import type { CallHandler, ExecutionContext, INestApplicationContext, NestInterceptor } from '@nestjs/common';
import { METHOD_METADATA } from '@nestjs/common/constants.js';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { from, lastValueFrom } from 'rxjs';
import type { Observable } from 'rxjs';
import { configOf, forEachHandler, routeConfig } from '../routes/route-config.js';
import type { AuthenticatedRequest } from './authenticated-request.js';
import type { BotPrincipal, UserPrincipal } from './principals.js';

/** Callers whose writes have a rate. The operator has none, and a capability acts as its bot. */
export type ChargedPrincipal = BotPrincipal | UserPrincipal;

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * `own`: the handler charges the request. All other routes that write are charged by the
     * default rate of their caller.
     */
    rate?: 'own';
  }
  interface FastifyInstance {
    /** Undefined in tests of a single lib, where writes have no rate. */
    writeCharges: WriteCharges | undefined;
  }
}

/**
 * The handler charges the request itself, against its own rate (`charged`, `@tieline/rate-limit`).
 */
export const HasOwnRate = (): ClassDecorator & MethodDecorator => routeConfig({ rate: 'own' });

/** The port to the lib that counts: charges every guarded route that writes. */
export abstract class WriteCharges {
  /** Charges a request by the default rate of its caller. @throws 429 when it is used up */
  abstract charge<T>(principal: ChargedPrincipal, work: () => Promise<T>): Promise<T>;

  /**
   * Counts why a request failed, if it is a refusal that was not counted yet.
   * @returns the error to answer with: 429 after too many refusals
   */
  abstract countRefusal(principal: ChargedPrincipal, error: unknown): Promise<unknown>;
}

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Returns the part of an application that counts, if it has one. */
export function writeChargesOf(app: INestApplicationContext): WriteCharges | undefined {
  try {
    return app.get(WriteCharges, { strict: false });
  } catch {
    return undefined;
  }
}

/** @throws Error that names the guarded routes that write, if nothing counts them */
export function requireWriteCharges({ knownRoutes, writeCharges }: FastifyInstance): void {
  if (writeCharges) return;
  const uncounted = [...knownRoutes.all()].flatMap(({ pattern, methods }) =>
    [...methods]
      .filter(([method, { guarded, part }]) => guarded && part !== 'operator' && !READS.has(method))
      .map(([method]) => `${method} ${pattern}`),
  );
  if (uncounted.length > 0) throw new Error(`nothing counts the writes of ${uncounted.join(', ')}`);
}

/** Returns the caller whose rates a request uses, undefined if it uses none. */
function chargedCaller({ method, principal }: AuthenticatedRequest): ChargedPrincipal | undefined {
  const isCharged = principal?.kind === 'bot' || principal?.kind === 'user';
  return isCharged && !READS.has(method) ? principal : undefined;
}

/**
 * Charges writing requests of bots and people by their default rate. Runs around validation, so
 * that invalid bodies count as refusals.
 */
class ChargedWrites implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    const { routeOptions, server } = request;
    const caller = chargedCaller(request);
    if (!caller || !server.writeCharges || routeOptions.config.rate === 'own') return next.handle();
    const work = (): Promise<unknown> => lastValueFrom(next.handle(), { defaultValue: undefined });
    return from(server.writeCharges.charge(caller, work));
  }
}

/**
 * Has the writes of a route, or of all routes of a class, charged. Nest's interceptors cost a
 * seventh of a small request, so reads and routes known to have their own rate get none.
 */
export const ChargesWrites = (): ClassDecorator & MethodDecorator =>
  forEachHandler((handler) => {
    const isRead = Reflect.getMetadata(METHOD_METADATA, handler) === RequestMethod.GET;
    if (isRead || configOf(handler).rate === 'own') return;
    UseInterceptors(ChargedWrites)(handler, '', { value: handler });
  });

/**
 * Counts why a request failed, if it is a refusal that was not counted yet, such as an invalid body
 * on a route with its own rate.
 * @returns the error to answer with, or undefined if the request uses no rate
 */
export function countRefusal(request: FastifyRequest, error: unknown): Promise<unknown> | undefined {
  const caller = chargedCaller(request);
  return caller && request.server.writeCharges?.countRefusal(caller, error);
}
