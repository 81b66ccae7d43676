import { Injectable } from '@nestjs/common';
import { Db } from '@tieline/platform/database';
import { PlatformSettings } from '@tieline/platform/config';
import { commandFields } from './command-fields.js';
import type { CommandPayload } from './command-fields.js';
import { NAMES_OF_COMMANDS } from './command-fields.statements.js';

/** Reads what Slack apps receive for commands. */
@Injectable()
export class CommandRequests {
  constructor(
    private readonly db: Db,
    private readonly settings: PlatformSettings,
  ) {}

  /** Returns the fields of commands of a bot, by the ids that the caller gives them. */
  async fieldsOf(
    { spaceId, botId }: { spaceId: string; botId: string },
    commands: readonly { id: string; payload: CommandPayload }[],
  ): Promise<Map<string, Record<string, string>>> {
    const found = new Map<string, Record<string, string>>();
    if (commands.length === 0) return found;
    const names = await this.db.query(NAMES_OF_COMMANDS, {
      spaceId,
      botId,
      userIds: commands.map(({ payload }) => payload.user_id),
      conversationIds: commands.map(({ payload }) => payload.conversation_id),
    });
    const { publicUrl } = this.settings;
    for (const { id, payload } of commands) {
      const own = names.find(
        ({ userId, conversationId }) =>
          userId === payload.user_id && conversationId === payload.conversation_id,
      );
      if (own) found.set(id, commandFields(payload, own, { botId, publicUrl }));
    }
    return found;
  }
}
