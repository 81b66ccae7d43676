import { Injectable } from '@nestjs/common';
import { Db, runInTx } from '@tieline/platform/database';
import type { Queryable, Tx } from '@tieline/platform/database';
import type { UserPrincipal } from '@tieline/platform/http';
import { uuidv7 } from 'uuidv7';
import type { Member } from '../actors.js';
import { StoredConversation } from '../conversation.entity.js';
import { userNotFound } from '../conversations.errors.js';
import { insertMembers } from '../members/insert-members.js';
import { MemberDirectory } from '../members/member-directory.js';
import { INSERT_DIRECT } from './direct.statements.js';

/**
 * The two members of a direct chat; `a` opens it. The caller has already looked up both in the
 * space.
 */
export interface DirectPair {
  spaceId: string;
  a: Member;
  /** The same as `a` for notes to oneself. */
  b: Member;
}

/**
 * Returns the direct chat of two members of the space, creating it if needed. Concurrent
 * transactions wait for the one that creates it and return the same chat. Emits no
 * CONVERSATION_CREATED; only its members are announced.
 *
 * @returns the conversation's id
 */
export async function openDirectConversation(tx: Tx, { spaceId, a, b }: DirectPair): Promise<string> {
  const dmKey = directKey(a.id, b.id);
  const known = await findDirect(tx, spaceId, dmKey);
  if (known !== undefined) return known;
  const [inserted] = await tx.query(INSERT_DIRECT, { spaceId, id: uuidv7(), dmKey, createdBy: a.id });
  if (inserted) {
    const members = a.id === b.id ? [a] : [a, b];
    await (await insertMembers(tx, { spaceId, conversationId: inserted.id, members })).announce();
    return inserted.id;
  }
  const other = await findDirect(tx, spaceId, dmKey);
  if (other === undefined) throw new Error('direct chat created by another transaction is not visible');
  return other;
}

/** Returns the direct chat of two members of the space, if they have one. */
export function findDirectConversation(
  q: Queryable,
  spaceId: string,
  a: string,
  b: string,
): Promise<string | undefined> {
  return findDirect(q, spaceId, directKey(a, b));
}

/** Opens direct chats of people. */
@Injectable()
export class OpenDirectConversation {
  constructor(
    private readonly db: Db,
    private readonly directory: MemberDirectory,
  ) {}

  /**
   * Opens a person's direct chat with an active person or bot of the space, creating it if needed.
   * @returns the conversation's id
   * @throws 400 `user not found`
   */
  run({ spaceId, userId }: UserPrincipal, otherId: string): Promise<string> {
    return runInTx(
      this.db,
      async (tx) => {
        const type = (await this.directory.find(tx, spaceId, [otherId])).get(otherId);
        if (type === undefined) throw userNotFound('user_id');
        return openDirectConversation(tx, {
          spaceId,
          a: { id: userId, type: 'user' },
          b: { id: otherId, type },
        });
      },
      { spaceId, place: userId },
    );
  }
}

/** Returns both ids in lower case, the smaller first. */
function directKey(a: string, b: string): string {
  return [a.toLowerCase(), b.toLowerCase()].sort().join(':');
}

async function findDirect(
  { manager }: Queryable,
  spaceId: string,
  dmKey: string,
): Promise<string | undefined> {
  const found = await manager.findOne(StoredConversation, {
    select: { id: true },
    where: { spaceId, dmKey },
  });
  return found?.id;
}
