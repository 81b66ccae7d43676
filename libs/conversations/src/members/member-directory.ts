import { Injectable } from '@nestjs/common';
import type { Queryable } from '@tieline/platform/database';
import { findActiveUsers } from '@tieline/spaces';
import type { MemberType } from '../actors.js';
import { BotDirectory } from '../ports/bot-directory.js';

/** Looks up who can be mentioned, added and written to in a space: its active people and bots. */
@Injectable()
export class MemberDirectory {
  constructor(private readonly bots: BotDirectory) {}

  /**
   * Finds active people and bots of the space.
   * @returns the kind of each id that was found
   */
  async find(q: Queryable, spaceId: string, ids: readonly string[]): Promise<Map<string, MemberType>> {
    const wanted = [...new Set(ids)];
    const found = new Map<string, MemberType>();
    if (wanted.length === 0) return found;
    for (const id of await findActiveUsers(q, spaceId, wanted)) found.set(id, 'user');
    const missing = wanted.filter((id) => !found.has(id));
    if (missing.length === 0) return found;
    for (const id of await this.bots.findActive(q, spaceId, missing)) found.set(id, 'bot');
    return found;
  }
}
