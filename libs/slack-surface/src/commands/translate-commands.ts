import { Injectable } from '@nestjs/common';
import { SlackCommands } from '@tieline/slash';
import type { InvocationPayload } from '@tieline/slash';
import { commandAnswer } from './command-answer.js';
import { CommandRequests } from './command-requests.js';

/** Translates commands that are sent by HTTP (docs/slack-apps.md#slash-commands). */
@Injectable()
export class TranslateCommands extends SlackCommands {
  constructor(private readonly requests: CommandRequests) {
    super();
  }

  async form(botId: string, payload: InvocationPayload): Promise<string> {
    const bot = { spaceId: payload.space_id, botId };
    const fields = await this.requests.fieldsOf(bot, [{ id: payload.trigger_id, payload }]);
    return new URLSearchParams(fields.get(payload.trigger_id)).toString();
  }

  answer(given: Record<string, unknown> | undefined): Record<string, unknown> | undefined {
    return commandAnswer(given) as Record<string, unknown> | undefined;
  }
}
