import type { Db } from '@tieline/platform/database';
import { hashToken } from '@tieline/signing';
import type { Adapter, AdapterPayload } from 'oidc-provider';
import { FIND_GRANT } from '../authorizations/authorizations.statements.js';
import type { RevokeGrant } from '../authorizations/revoke-grant.js';
import { findClient } from '../apps.queries.js';
import { clientMetadata } from './client-metadata.js';
import { COMMAND_LINE_CLIENT } from './command-line-client.js';
import { REGISTERED_PREFIX } from './register-client.js';
import {
  CONSUME_RECORD,
  DROP_RECORD,
  DROP_RECORDS_OF_GRANT,
  FIND_RECORD,
  PUT_RECORD,
} from './records.statements.js';

/** Ids that are credentials. They are stored only as hashes, the key of their record. */
const SECRET_IDS = ['AccessToken', 'RefreshToken', 'AuthorizationCode'];
const YEAR_SECONDS = 365 * 24 * 3600;

/** What the adapters of all kinds of records need. */
export interface RecordStore {
  readonly db: Db;
  readonly revokeGrant: RevokeGrant;
  /** Whether clients may register themselves. */
  readonly takesRegistrations: boolean;
  /** Returns why the current request revokes a grant. */
  readonly reason: () => string;
  /** Returns the error for a code or refresh token that is used again. */
  readonly usedAgain: () => Error;
}

/**
 * Stores what the provider remembers in `oauth_records`. Clients are apps, grants are
 * authorizations. Sessions are not stored: every request is answered by a person of the console.
 */
export class RecordAdapter implements Adapter {
  constructor(
    private readonly kind: string,
    private readonly store: RecordStore,
  ) {}

  async upsert(id: string, payload: AdapterPayload, expiresIn: number): Promise<void> {
    if (this.kind === 'Session' || this.kind === 'Grant') return;
    const { jti, ...rest } = payload;
    const { grantId } = payload;
    const record = { ...(SECRET_IDS.includes(this.kind) ? rest : { ...rest, jti }), consumed: undefined };
    await this.store.db.query(PUT_RECORD, {
      idHash: hashToken(id),
      kind: this.kind,
      grantHash: grantId === undefined ? null : hashToken(grantId),
      payload: JSON.stringify(record),
      seconds: expiresIn,
    });
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    if (this.kind === 'Session') return undefined;
    if (this.kind === 'Grant') return this.findGrant(id);
    if (this.kind === 'Client') {
      if (id === COMMAND_LINE_CLIENT.client_id) return COMMAND_LINE_CLIENT as AdapterPayload;
      if (id.startsWith(REGISTERED_PREFIX)) return this.findRegistered(id);
      const app = await findClient(this.store.db, id);
      return app ? (clientMetadata(app) as AdapterPayload) : undefined;
    }
    const [row] = await this.store.db.query(FIND_RECORD, [hashToken(id), this.kind]);
    return row && { ...row.payload, jti: id, ...(row.isConsumed && { consumed: true }) };
  }

  /** Only one of several concurrent requests uses a code or refresh token up. */
  async consume(id: string): Promise<void> {
    const [used] = await this.store.db.query(CONSUME_RECORD, [hashToken(id), this.kind]);
    if (used) return;
    const stored = await this.find(id);
    const grantId = stored?.grantId;
    if (grantId !== undefined) await this.store.revokeGrant.run(hashToken(grantId), this.store.reason());
    throw this.store.usedAgain();
  }

  async destroy(id: string): Promise<void> {
    if (this.kind === 'Grant') await this.store.revokeGrant.run(hashToken(id), this.store.reason());
    else await this.store.db.query(DROP_RECORD, [hashToken(id), this.kind]);
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    await this.store.db.query(DROP_RECORDS_OF_GRANT, [hashToken(grantId), this.kind]);
  }

  findByUid(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  findByUserCode(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  private async findRegistered(id: string): Promise<AdapterPayload | undefined> {
    if (!this.store.takesRegistrations) return undefined;
    const [row] = await this.store.db.query(FIND_RECORD, [hashToken(id), 'Client']);
    return row && (row.payload as AdapterPayload);
  }

  private async findGrant(id: string): Promise<AdapterPayload | undefined> {
    const [grant] = await this.store.db.query(FIND_GRANT, [hashToken(id)]);
    if (!grant) return undefined;
    const scopes = [...new Set([...grant.scopes, ...(grant.forBot ? grant.botScopes : [])])];
    const iat = Math.floor(Date.now() / 1000);
    return {
      kind: 'Grant',
      jti: id,
      iat,
      exp: iat + YEAR_SECONDS,
      accountId: grant.userId,
      clientId: grant.clientId,
      openid: { scope: scopes.join(' ') },
    };
  }
}
