import { applyDecorators, Injectable, UseGuards } from '@nestjs/common';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { PlatformSettings } from '../../config/index.js';
import { ApiError, forbidden } from '../api-error.js';
import { documentErrors } from '../api-docs.js';
import { requireReadBody } from '../json-body.js';

/** 403 if the browser reports another origin. */
const foreignOrigin = (): ApiError => forbidden('foreign_origin', 'sign-in from a page of another origin');
/** 415: a form of another site can send any other type. */
const jsonOnly = (): ApiError =>
  new ApiError(415, 'unsupported_media_type', 'content-type must be application/json');

/**
 * Rejects sign-ins by pages of other sites (docs/sign-in.md#sign-in-errors). The body must be
 * declared as JSON, which no form can do. If the browser reports the origin of the page, it must be
 * ours.
 */
@Injectable()
export class SignInGuard implements CanActivate {
  private readonly origin: string;

  constructor({ publicUrl }: PlatformSettings) {
    this.origin = new URL(publicUrl).origin;
  }

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (!this.isOurs(request)) throw foreignOrigin();
    if (request.mediaType !== 'application/json') throw jsonOnly();
    requireReadBody(request.body);
    return true;
  }

  private isOurs({ headers }: FastifyRequest): boolean {
    const { origin, host } = headers;
    if (headers['sec-fetch-site'] === 'cross-site') return false;
    if (origin === undefined || origin === this.origin) return true;
    return URL.canParse(origin) && new URL(origin).host === host;
  }
}

/** A route that takes a secret in its body and opens a session. */
export const SignInApi = (): MethodDecorator & ClassDecorator =>
  applyDecorators(UseGuards(SignInGuard), documentErrors(400, 401, 403, 415, 429, 503));
