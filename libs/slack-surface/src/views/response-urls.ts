import { Injectable } from '@nestjs/common';
import { ResponseTokens } from '@tieline/interactive';
import type { AppView } from '@tieline/interactive';
import { PlatformSettings } from '@tieline/platform/config';
import { uuidv7 } from 'uuidv7';
import { elementsIn } from '../blocks/find-element.js';
import type { StateValues } from '../blocks/state.js';
import { responseUrl } from '../commands/command-fields.js';
import { CONVERSATION_KINDS, slackId, uuidOf } from '../ids/slack-ids.js';
import { blocksOf } from './view-shapes.js';

/** An address for answers in a conversation that a person chose in a view. */
interface ChosenPlace {
  block_id: string;
  action_id: string;
  channel_id: string;
  response_url: string;
}

/** Issues `response_urls` of submissions (docs/slack-apps.md#response_url). */
@Injectable()
export class ResponseUrls {
  constructor(
    private readonly tokens: ResponseTokens,
    private readonly settings: PlatformSettings,
  ) {}

  /**
   * Returns an address for each input with `response_url_enabled` where a conversation is chosen.
   * The choice lets the bot answer there without being a member, as a command does.
   * @param values with ids in Slack's spelling, of conversations that the person can read
   */
  of(view: AppView, values: StateValues): ChosenPlace[] {
    return elementsIn(blocksOf(view)).flatMap(({ block, element }) => {
      if (block['type'] !== 'input' || element['response_url_enabled'] !== true) return [];
      const [blockId, actionId] = [String(block['block_id']), String(element['action_id'])];
      const value = values[blockId]?.[actionId];
      const channel = value?.['selected_conversation'] ?? value?.['selected_channel'];
      const conversationId = typeof channel === 'string' && uuidOf(channel, ...CONVERSATION_KINDS);
      if (!conversationId) return [];
      const place = { block_id: blockId, action_id: actionId, channel_id: channel };
      return [{ ...place, response_url: this.issue(view, conversationId) }];
    });
  }

  private issue({ spaceId, botId, userId }: AppView, conversationId: string): string {
    const { response_token: token } = this.tokens.issue(spaceId, {
      ...{ kind: 'choice', id: uuidv7(), botId, userId, conversationId },
      ...{ threadId: null, messageId: null },
    });
    return responseUrl(this.settings.publicUrl, slackId('space', spaceId), token);
  }
}
