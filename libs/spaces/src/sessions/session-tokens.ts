import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { PlatformSettings } from '@tieline/platform/config';
import { Db, LOOK_UP, microBatch } from '@tieline/platform/database';
import type { RowOf } from '@tieline/platform/database';
import { SESSION_MAX_SECONDS, SESSION_SECONDS, sessionPrefix, TokenResolvers } from '@tieline/platform/http';
import type { Principal, SessionKind, UsedSession } from '@tieline/platform/http';
import { hashToken, newToken } from '@tieline/signing';
import { PROLONG_SESSION, SESSIONS_BY_TOKEN } from './sessions.statements.js';

type Found = RowOf<typeof SESSIONS_BY_TOKEN>;

/**
 * Creates and looks up the tokens in cookies. Always queries the database, so that every process
 * refuses an ended session with the next request. Concurrent lookups share one statement.
 */
@Injectable()
export class SessionTokens implements OnModuleInit {
  private readonly lookUp: (hash: Buffer) => Promise<Found | undefined>;

  constructor(
    private readonly db: Db,
    private readonly resolvers: TokenResolvers,
    private readonly settings: PlatformSettings,
  ) {
    this.lookUp = microBatch((hashes) => findByHashes(db, hashes), LOOK_UP.batches);
  }

  onModuleInit(): void {
    for (const kind of ['person', 'operator'] as const)
      this.resolvers.registerSessions(kind, {
        find: async (token) => principalOf(await this.lookUp(this.hash(kind, token))),
        use: (token) => this.use(this.hash(kind, token)),
      });
  }

  /** Returns a new token: 256 random bits. */
  make(kind: SessionKind): string {
    return newToken(sessionPrefix(kind));
  }

  /**
   * Returns the stored form of a token. The operator's is keyed with OPERATOR_TOKEN, so a new
   * OPERATOR_TOKEN ends those sessions.
   */
  hash(kind: SessionKind, token: string): Buffer {
    if (kind === 'person') return hashToken(token);
    return createHmac('sha256', this.settings.operatorToken).update(token).digest();
  }

  /** Prolongs the session, at most once a second. */
  private async use(hash: Buffer): Promise<UsedSession> {
    const found = await this.lookUp(hash);
    if (!found?.isDue) return { principal: principalOf(found), prolonged: false };
    const prolonged = await this.db.query(PROLONG_SESSION, [hash, SESSION_SECONDS, SESSION_MAX_SECONDS]);
    return { principal: principalOf(found), prolonged: prolonged.length > 0 };
  }
}

async function findByHashes(db: Db, hashes: Buffer[]): Promise<(Found | undefined)[]> {
  const rows = await db.lookUp(SESSIONS_BY_TOKEN, [hashes]);
  const byHash = new Map(rows.map((row) => [row.tokenHash.toString('hex'), row]));
  return hashes.map((hash) => byHash.get(hash.toString('hex')));
}

function principalOf(found: Found | undefined): Principal | undefined {
  if (!found) return undefined;
  const { spaceId, userId, role } = found;
  if (spaceId === null || userId === null || role === null) return { kind: 'operator' };
  return { kind: 'user', userId, spaceId, role, scopes: 'all' };
}
