import { microBatch } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import { CLAIM_SIGNATURES, RELEASE_SIGNATURE } from './signatures.statements.js';

/** A signature that a webhook's request came with, in bytes. */
export interface Signature {
  webhookId: string;
  bytes: Buffer;
}

/**
 * The signatures that were accepted, so that none is accepted again while its timestamp counts (decisions, section 11.2). Noted before the message
 * is posted, and forgotten when it is not, so that a sender may repeat what failed; those that come at the same time share one statement.
 */
export class AcceptedSignatures {
  private readonly claims: (signature: Signature) => Promise<boolean>;

  constructor(private readonly db: Db) {
    this.claims = microBatch((signatures: Signature[]) => claim(db, signatures), { maxInFlight: 2 });
  }

  /** Notes a signature. @returns whether it is the first time */
  claim(signature: Signature): Promise<boolean> {
    return this.claims(signature);
  }

  async release({ webhookId, bytes }: Signature): Promise<void> {
    await this.db.query(RELEASE_SIGNATURE, [webhookId, bytes]);
  }
}

async function claim(db: Db, signatures: Signature[]): Promise<boolean[]> {
  const columns = [signatures.map(({ webhookId }) => webhookId), signatures.map(({ bytes }) => bytes)];
  const rows = await db.query(CLAIM_SIGNATURES, columns);
  const fresh = new Set(rows.map(({ webhookId, signature }) => nameOf({ webhookId, bytes: signature })));
  // Of equal ones in one batch the first has it.
  return signatures.map((signature) => fresh.delete(nameOf(signature)));
}

function nameOf({ webhookId, bytes }: Signature): string {
  return `${webhookId}/${bytes.toString('hex')}`;
}
