import { Injectable } from '@nestjs/common';
import type { CallHandler, ExecutionContext, INestApplicationContext, NestInterceptor } from '@nestjs/common';
import { from, lastValueFrom } from 'rxjs';
import type { Observable } from 'rxjs';
import { routeConfig } from '../routes/route-config.js';
import type { AuthenticatedRequest } from './authentication.js';
import type { BotPrincipal, CapabilityPrincipal, UserPrincipal } from './principals.js';

/** Callers whose writes have a rate. The operator has none. */
export type ChargedPrincipal = BotPrincipal | UserPrincipal | CapabilityPrincipal;

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * `own`: the handler charges the request. All other routes that write are charged by the
     * default rate of their caller.
     */
    rate?: 'own';
  }
}

/**
 * The handler charges the request itself, against its own rate (`charged`, `@tieline/rate-limit`).
 */
export const HasOwnRate = (): ClassDecorator & MethodDecorator => routeConfig({ rate: 'own' });

/** The port to the lib that counts: charges every guarded route that writes. */
export abstract class WriteCharges {
  /**
   * Runs the work of a request.
   * @param rate `own`: counts only refusals that the handler did not count
   * @throws 429 when the caller's rate is used up
   */
  abstract charge<T>(
    principal: ChargedPrincipal,
    rate: 'own' | 'default',
    work: () => Promise<T>,
  ): Promise<T>;
}

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Charges every writing request of a bot or person. Runs around validation, so that invalid bodies
 * count as refusals.
 */
@Injectable()
export class ChargedWrites implements NestInterceptor {
  constructor(
    private readonly app: INestApplicationContext,
    private readonly mayLackRates: boolean,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    const { principal, method, routeOptions } = request;
    if (READS.has(method) || !principal || principal.kind === 'operator') return next.handle();
    const charges = this.charges();
    if (!charges) return next.handle();
    const work = (): Promise<unknown> => lastValueFrom(next.handle(), { defaultValue: undefined });
    return from(charges.charge(principal, routeOptions.config.rate ?? 'default', work));
  }

  private charges(): WriteCharges | undefined {
    try {
      return this.app.get(WriteCharges, { strict: false });
    } catch (error) {
      if (this.mayLackRates) return undefined;
      throw error;
    }
  }
}
