// as libs/bots/src/index.ts: no-restricted-syntax
import type { FastifyRequest } from 'fastify';

export const isMetrics = ({ originalUrl }: FastifyRequest): boolean => originalUrl === '/metrics';
