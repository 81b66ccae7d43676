import { Field, OkAnswer } from '@tieline/platform/http';

const CONVERSATION = '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d41';
const ROOT = '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d42';
const BOT = '01939d3e-0003-7aaa-9c1d-2f6a5b1c0d41';

export class StatusAnswer extends OkAnswer {
  @Field({ example: '2026-01-31T09:02:00.123Z', description: 'when the status ends by itself' })
  expires_at: string;
}

/** What a bot is doing, on people's streams. */
class StreamedStatus {
  @Field({ enum: ['bot.status'] })
  event: 'bot.status';

  @Field({ example: CONVERSATION })
  conversation_id: string;

  @Field({ example: ROOT, optional: true, description: 'root message of the thread' })
  thread_id?: string;

  @Field({ example: BOT })
  bot_id: string;

  @Field({ example: 'is searching the tickets' })
  text: string;

  @Field({ example: ['Reading 2024 …', 'Reading 2025 …'], optional: true, description: 'shown in turn' })
  loading_messages?: string[];

  @Field({ example: '2026-01-31T09:02:00.123Z', description: 'remove the status then' })
  expires_at: string;
}

/** The end of a status. */
class StreamedStatusCleared {
  @Field({ enum: ['bot.status_cleared'] })
  event: 'bot.status_cleared';

  @Field({ example: CONVERSATION })
  conversation_id: string;

  @Field({ example: ROOT, optional: true, description: 'root message of the thread' })
  thread_id?: string;

  @Field({ example: BOT })
  bot_id: string;
}

/** Events of statuses on people's streams, for the OpenAPI document. */
export const STREAMED_STATUSES = [StreamedStatus, StreamedStatusCleared];
