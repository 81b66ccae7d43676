import { Injectable } from '@nestjs/common';
import { Db, runInTx } from '@tieline/platform/database';
import type { RowOf, Tx, WritePlace } from '@tieline/platform/database';
import { invalidToken } from '@tieline/platform/http';
import { hashToken } from '@tieline/signing';
import { byUser, recordChange } from '../audit-log/record-change.js';
import { LOCK_KIND_OF_SPACE } from '../spaces/spaces.statements.js';
import { invalidInvite } from '../spaces.errors.js';
import { openSession } from './open-session.js';
import type { Browser } from './open-session.js';
import type { Session } from './session.entity.js';
import { SessionTokens } from './session-tokens.js';
import { LOCK_USER_BY_INVITE, LOCK_USER_BY_TOKEN, OPEN_INVITE, TAKE_INVITE } from './sessions.statements.js';
import { USERS_BY_TOKEN } from '../users/users.statements.js';

/** A session with its token, which only the cookie contains. */
export interface SignedIn {
  session: Session;
  token: string;
}

/** A person of a space, locked. */
interface LockedUser {
  space_id: string;
  id: string;
}

/**
 * The space becomes known only inside the transaction, so the sign-ins of all people share the
 * limits of one space.
 */
const placeOf = (hash: Buffer): WritePlace => ({ spaceId: 'people', place: hash.toString('hex') });
const OF_OPERATOR: WritePlace = { spaceId: 'operator', place: 'sign-in' };

/**
 * Opens sessions, each with a new token, whatever cookie the browser sent
 * (docs/sign-in.md#start-a-session).
 */
@Injectable()
export class SignIn {
  constructor(
    private readonly db: Db,
    private readonly tokens: SessionTokens,
  ) {}

  /** Returns whether this is the token of an active person: one lookup, no lock. */
  async knowsToken(token: string): Promise<boolean> {
    return (await this.db.query(USERS_BY_TOKEN, [[hashToken(token)]])).length > 0;
  }

  /**
   * Returns the person of an open invite: one lookup, no lock. Undefined for an invite that is not
   * open.
   */
  async findInvite(invite: string): Promise<RowOf<typeof OPEN_INVITE> | undefined> {
    const [found] = await this.db.query(OPEN_INVITE, [hashToken(invite)]);
    return found;
  }

  /** @throws 401 for a token without an active person */
  withToken(token: string, browser: Browser): Promise<SignedIn> {
    const hash = hashToken(token);
    return runInTx(
      this.db,
      async (tx) => {
        const [user] = await tx.query(LOCK_USER_BY_TOKEN, [hash]);
        if (!user) throw invalidToken();
        return this.open(tx, user, browser);
      },
      placeOf(hash),
    );
  }

  /** Uses the invite up. @throws 401 for one that is not open */
  withInvite(invite: string, browser: Browser): Promise<SignedIn> {
    const hash = hashToken(invite);
    return runInTx(
      this.db,
      async (tx) => {
        const [user] = await tx.query(LOCK_USER_BY_INVITE, [hash]);
        const taken = user ? await tx.query(TAKE_INVITE, [hash]) : [];
        if (!user || taken.length === 0) throw invalidInvite();
        const record = { spaceId: user.space_id, objectType: 'user', objectId: user.id, changes: {} };
        await recordChange(tx, {
          ...byUser({ userId: user.id }, browser.ip),
          ...record,
          action: 'user.invite_used',
        });
        return this.open(tx, user, browser);
      },
      placeOf(hash),
    );
  }

  /** The caller has checked the operator's token. */
  asOperator(browser: Browser): Promise<SignedIn> {
    const token = this.tokens.make('operator');
    return runInTx(
      this.db,
      async (tx) => {
        await tx.query(LOCK_KIND_OF_SPACE, ['sessions', '']);
        const owner = { spaceId: null, userId: null };
        return { token, session: await openSession(tx, owner, browser, this.tokens.hash('operator', token)) };
      },
      OF_OPERATOR,
    );
  }

  private async open(
    tx: Tx,
    { space_id: spaceId, id: userId }: LockedUser,
    browser: Browser,
  ): Promise<SignedIn> {
    const token = this.tokens.make('person');
    const hash = this.tokens.hash('person', token);
    const session = await openSession(tx, { spaceId, userId }, browser, hash);
    await recordChange(tx, {
      ...byUser({ userId }, browser.ip),
      ...{ spaceId, action: 'session.opened', objectType: 'session', objectId: session.id, changes: {} },
    });
    return { token, session };
  }
}
