import { ChoicesDto } from '@tieline/interactive';
import { Field } from '@tieline/platform/http';
import type { Sent } from '@tieline/platform/http';
import { CommandAnswerDto } from '../commands/invocations/dto/command-answer.dto.js';

/* API docs of the payloads that bots receive for commands. */

const ID = '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d4';

class SlashCommandEvent {
  @Field({ example: `${ID}2`, description: 'lets the bot post one answer in the conversation' })
  trigger_id: string;

  @Field({ example: 'deploy' })
  command: string;

  @Field({ example: `${ID}3` })
  command_id: string;

  @Field({ example: `${ID}4` })
  space_id: string;

  @Field({ example: `${ID}1` })
  conversation_id: string;

  @Field({ example: `${ID}5` })
  user_id: string;

  @Field({ example: 'api v1.4.2', description: 'the text after the name' })
  text: string;

  @Field({ example: '/deploy api v1.4.2' })
  raw_text: string;

  @Field({
    example: { service: 'api', count: 2 },
    optional: true,
    description: 'typed values keyed by option name; only for a command with options',
  })
  options?: Record<string, unknown>;

  @Field({ example: '2026-01-31T09:00:00.123456000Z' })
  invoked_at: string;

  @Field({ example: `${ID}6`, optional: true, description: 'root message of the thread' })
  thread_id?: string;

  @Field({ example: 'tlr_…', description: 'token for a late answer' })
  response_token: string;

  @Field({ example: 'https://chat.example.com/api/v1/bot/responses/tlr_…' })
  response_url: string;
}

class CommandOptionsEvent {
  @Field({ enum: ['command.options'] })
  event_type: 'command.options';

  @Field({ example: `${ID}3` })
  command_id: string;

  @Field({ example: 'deploy' })
  command: string;

  @Field({ example: 'version' })
  option: string;

  @Field({ example: 'v1.', description: 'text typed so far' })
  typed: string;

  @Field({ example: `${ID}5` })
  user_id: string;

  @Field({ example: `${ID}1` })
  conversation_id: string;

  @Field({ example: `${ID}4` })
  space_id: string;

  @Field({ example: `${ID}6`, optional: true, description: 'root message of the thread' })
  thread_id?: string;

  @Field({ example: 'tlr_…', description: 'token for the answer in poll mode' })
  response_token: string;
}

/** Events for commands in the API docs. */
export const SENT_COMMANDS: readonly Sent[] = [
  {
    event: 'slash.command',
    summary: 'A person ran a command of the bot',
    payload: SlashCommandEvent,
    answer: CommandAnswerDto,
  },
  {
    event: 'command.options',
    summary: 'A person is typing a value for which the bot provides choices',
    payload: CommandOptionsEvent,
    answer: ChoicesDto,
  },
];
