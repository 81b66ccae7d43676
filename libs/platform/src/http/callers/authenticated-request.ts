import type { FastifyRequest } from 'fastify';
import type { Credential } from './credential.js';
import type { Principal } from './principals.js';
import type { ResolvedToken } from './resolved-token.js';

/** A request of a guarded route. */
export interface AuthenticatedRequest extends FastifyRequest {
  principal?: Principal;
  credential?: Credential;
  /** Set for bearer tokens. */
  resolved?: ResolvedToken;
}
