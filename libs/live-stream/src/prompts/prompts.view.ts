import { Field, OkAnswer } from '@tieline/platform/http';

const CONVERSATION = '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d41';
const ROOT = '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d42';
const BOT = '01939d3e-0003-7aaa-9c1d-2f6a5b1c0d41';

/** A message that a bot suggests. */
export class PromptView {
  @Field({ example: 'Release status', description: 'what people choose' })
  title: string;

  @Field({ example: 'What is in release 4711?', description: 'what the client then sends as the person' })
  message: string;
}

/** The prompts of a bot in a conversation or thread. */
export class PromptsView {
  @Field({ example: CONVERSATION })
  conversation_id: string;

  @Field({ example: ROOT, optional: true, description: 'root message of the thread' })
  thread_id?: string;

  @Field({ example: BOT })
  bot_id: string;

  @Field({ example: 'Ask about a release', optional: true, description: 'shown above the prompts' })
  title?: string;

  @Field({ type: PromptView, isArray: true })
  prompts: PromptView[];

  @Field({ example: '2026-01-31T09:00:00.123Z', description: 'when the bot set them' })
  updated_at: string;
}

/** Response of GET /client/conversations/{id}/prompts. */
export class PromptsAnswer extends OkAnswer {
  @Field({ type: PromptsView, isArray: true, description: 'one entry per bot, latest first' })
  prompts: PromptsView[];
}

/** Prompts of a bot on people's streams. */
export class StreamedPrompts extends PromptsView {
  @Field({ enum: ['bot.prompts'], description: 'without `prompts`, the bot has none there anymore' })
  event: 'bot.prompts';
}
