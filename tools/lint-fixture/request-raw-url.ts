// as libs/bots/src/index.ts: no-restricted-syntax
import type { FastifyRequest } from 'fastify';

export function isMetrics(request: FastifyRequest): boolean {
  const { url = '' } = request.raw;
  return url === '/metrics';
}
