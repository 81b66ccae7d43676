import { Injectable } from '@nestjs/common';
import { SendBotMessage } from '@tieline/bot-messages';
import { BotRates } from '@tieline/conversations';
import { isBlankText, oneLineProblem, toOneLine } from '@tieline/platform/http';
import type { BotPrincipal } from '@tieline/platform/http';
import type { SlackCall } from '../dispatcher/slack-method.js';
import type { PostedMessage, PostingTarget } from './post-as-person.js';
import { author } from './slack-message.js';

/** Longest name of an author, in characters. */
const MAX_NAME = 64;
/** Longest address of a picture. */
const MAX_URL = 2048;

/** Posts messages of bots. */
@Injectable()
export class PostAsBot {
  constructor(
    private readonly rates: BotRates,
    private readonly sendMessage: SendBotMessage,
  ) {}

  /** The same write as POST /bot/messages, with the same rates. */
  async run(
    { args, warn }: SlackCall,
    bot: BotPrincipal,
    { content, conversation, parentMessageId }: PostingTarget,
  ): Promise<PostedMessage> {
    const message = {
      content: content.content,
      metadata: content.metadata,
      textDerived: content.textDerived,
      sourceJson: content.sourceJson,
      conversationId: conversation.id,
      parentMessageId,
      displayName: shownName(args.text('username'), warn),
      displayAvatarUrl: httpsUrl(args.text('icon_url'), warn),
      fileIds: [],
    };
    const { messageId, sentAt = '' } = await this.rates.message(bot, conversation.id, () =>
      this.sendMessage.run(bot, message, undefined),
    );
    return { messageId, sentAt };
  }
}

/** Returns the fields that say who wrote the message of this call. */
export function authorOf({ caller, args }: SlackCall): object {
  const name = args.text('username');
  return author({
    author_id: caller.kind === 'bot' ? caller.botId : caller.userId,
    author_type: caller.kind,
    ...(name !== undefined && { display_name: name }),
  });
}

/** Names that cannot be shown are left out, because they only decorate. */
function shownName(name: string | undefined, warn: (text: string) => void): string | undefined {
  if (name === undefined) return undefined;
  const line = toOneLine(name).trim();
  const problem = oneLineProblem(line, MAX_NAME);
  if (problem === undefined && !isBlankText(line)) return line;
  warn(`username: left out, ${problem ?? 'it is blank'}`);
  return undefined;
}

function httpsUrl(url: string | undefined, warn: (text: string) => void): string | undefined {
  if (url === undefined) return undefined;
  if (url.length <= MAX_URL && /^https:\/\//i.test(url) && URL.canParse(url)) return url;
  warn('icon_url: left out, it must be an HTTPS address');
  return undefined;
}
