import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { PlatformSettings } from '@tieline/platform/config';
import type { FastifyInstance } from 'fastify';
import { MCP_PATH, METADATA_PATH } from './paths.js';

/** Adds `WWW-Authenticate` to every 401 of the MCP endpoint (RFC 9728). */
@Injectable()
export class Challenge {
  constructor({ httpAdapter }: HttpAdapterHost, { publicUrl }: PlatformSettings) {
    const challenge = `Bearer resource_metadata="${publicUrl}${METADATA_PATH}"`;
    // Most requests without a token are refused before a guard or filter runs.
    httpAdapter.getInstance<FastifyInstance>().addHook('onSend', (request, reply, payload, done) => {
      if (reply.statusCode === 401 && request.routeOptions.url === MCP_PATH)
        void reply.header('www-authenticate', challenge);
      done(null, payload);
    });
  }
}
