// as libs/bots/src/index.ts: no-restricted-syntax
import type { FastifyRequest } from 'fastify';

export const addressIn = (request: FastifyRequest): string => request.ip;
