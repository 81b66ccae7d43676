// as libs/bots/src/index.ts: no-restricted-syntax
import type { FastifyRequest } from 'fastify';

export const isMetrics = (request: FastifyRequest): boolean => request.url.startsWith('/metrics');
