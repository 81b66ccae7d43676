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
import { SignInFailures } from './sign-in-failures.js';
import { LOCK_USER_BY_INVITE, LOCK_USER_BY_TOKEN, OPEN_INVITE, TAKE_INVITE } from './sessions.statements.js';
import { USERS_BY_TOKEN } from '../users/users.statements.js';

/** A session with its token, which only the cookie contains. */
export interface SignedIn {
  session: Session;
  token: string;
}

/** The person of an open invite, and when it expires. */
type OpenInvite = RowOf<typeof OPEN_INVITE>;
/** A person of a space, locked. */
type LockedUser = RowOf<typeof LOCK_USER_BY_TOKEN>;

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
    private readonly failures: SignInFailures,
  ) {}

  /** @throws 401 for a token without an active person; 429 after too many failures */
  withToken(token: string, browser: Browser): Promise<SignedIn> {
    const attempt = {
      address: browser.ip,
      secret: token,
      isGood: async () => (await this.db.query(USERS_BY_TOKEN, [[hashToken(token)]])).length > 0,
    };
    return this.failures.counting(attempt, () => this.useToken(token, browser));
  }

  /** Uses the invite up. @throws 401 for one that is not open; 429 after too many failures */
  withInvite(invite: string, browser: Browser): Promise<SignedIn> {
    return this.countingInvite(invite, browser.ip, () => this.useInvite(invite, browser));
  }

  /**
   * Returns the person of an invite. @throws 401 for one that is not open; 429 after too many
   * failures
   */
  showInvite(invite: string, ip: string): Promise<OpenInvite> {
    return this.countingInvite(invite, ip, async () => {
      const found = await this.findInvite(invite);
      if (!found) throw invalidInvite();
      return found;
    });
  }

  private countingInvite<T>(invite: string, address: string, work: () => Promise<T>): Promise<T> {
    const isGood = async () => (await this.findInvite(invite)) !== undefined;
    return this.failures.counting({ address, secret: invite, isGood }, work);
  }

  private async findInvite(invite: string): Promise<OpenInvite | undefined> {
    const [found] = await this.db.query(OPEN_INVITE, [hashToken(invite)]);
    return found;
  }

  private useToken(token: string, browser: Browser): Promise<SignedIn> {
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

  private useInvite(invite: string, browser: Browser): Promise<SignedIn> {
    const hash = hashToken(invite);
    return runInTx(
      this.db,
      async (tx) => {
        const [user] = await tx.query(LOCK_USER_BY_INVITE, [hash]);
        const taken = user ? await tx.query(TAKE_INVITE, [hash]) : [];
        if (!user || taken.length === 0) throw invalidInvite();
        const { spaceId, id: userId } = user;
        const record = { spaceId, objectType: 'user', objectId: userId, changes: {} };
        const origin = byUser({ userId }, browser.ip);
        await recordChange(tx, { ...origin, ...record, action: 'user.invite_used' });
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

  private async open(tx: Tx, { spaceId, id: userId }: LockedUser, browser: Browser): Promise<SignedIn> {
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
