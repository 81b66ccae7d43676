import { Injectable } from '@nestjs/common';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { PlatformSettings } from '@tieline/platform/config';
import type { ApiError } from '@tieline/platform/http';
import type { FastifyRequest } from 'fastify';
import { hostNotAllowed, originNotAllowed } from './mcp.errors.js';

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Rejects requests that a page of another site sends to this server under a name of that site
 * (docs/mcp.md#addresses). Ports don't matter.
 */
@Injectable()
export class AddressGuard implements CanActivate {
  private readonly hosts: readonly string[];
  private readonly origins: readonly string[];

  constructor({ publicUrl }: PlatformSettings) {
    const own = hostnameOf(publicUrl) ?? '';
    this.hosts = [own, ...LOOPBACK];
    this.origins = LOOPBACK.includes(own) ? LOOPBACK : [own];
  }

  canActivate(context: ExecutionContext): boolean {
    const refused = this.refusalOf(context.switchToHttp().getRequest<FastifyRequest>().raw.headers);
    if (refused) throw refused;
    return true;
  }

  /** Returns why a request with these headers is refused, if it is. */
  refusalOf({ host = '', origin }: { host?: string; origin?: string }): ApiError | undefined {
    if (!this.hosts.includes(hostnameOf(`http://${host}`) ?? '')) return hostNotAllowed();
    if (origin !== undefined && !this.origins.includes(hostnameOf(origin) ?? '')) return originNotAllowed();
    return undefined;
  }
}

const hostnameOf = (url: string): string | undefined =>
  URL.canParse(url) ? new URL(url).hostname : undefined;
