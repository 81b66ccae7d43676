import { ChoicesDto } from '@tieline/interactive';
import { Field } from '@tieline/platform/http';
import type { Sent } from '@tieline/platform/http';
import { CommandAnswerDto } from '../commands/invocations/dto/command-answer.dto.js';

/*
 * What a bot is told of its commands (contract, "Slash invocation payload"), as the document says
 * it.
 */

const ID = '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d4';

export class SlashCommandEvent {
  @Field({ example: `${ID}2`, description: 'lets the bot answer in the conversation once' })
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

  @Field({ example: 'api v1.4.2', description: 'what follows the name' })
  text: string;

  @Field({ example: '/deploy api v1.4.2' })
  raw_text: string;

  @Field({
    example: { service: 'api', count: 2 },
    optional: true,
    description: 'typed values by name; of a command with options',
  })
  options?: Record<string, unknown>;

  @Field({ example: '2026-01-31T09:00:00.123456000Z' })
  invoked_at: string;

  @Field({ example: `${ID}6`, optional: true, description: 'root message of the thread' })
  thread_id?: string;

  @Field({ example: 'tlr_…', description: 'answers it late' })
  response_token: string;

  @Field({ example: 'https://chat.example.com/api/v1/bot/responses/tlr_…' })
  response_url: string;
}

export class CommandOptionsEvent {
  @Field({ enum: ['command.options'] })
  event_type: 'command.options';

  @Field({ example: `${ID}3` })
  command_id: string;

  @Field({ example: 'deploy' })
  command: string;

  @Field({ example: 'version' })
  option: string;

  @Field({ example: 'v1.', description: 'so far' })
  typed: string;

  @Field({ example: `${ID}5` })
  user_id: string;

  @Field({ example: `${ID}1` })
  conversation_id: string;

  @Field({ example: `${ID}4` })
  space_id: string;

  @Field({ example: `${ID}6`, optional: true, description: 'root message of the thread' })
  thread_id?: string;

  @Field({ example: 'tlr_…', description: 'answers it in mode `poll`' })
  response_token: string;
}

/** Commands, for the document. */
export const SENT_COMMANDS: readonly Sent[] = [
  {
    event: 'slash.command',
    summary: 'A person gave a command of the bot',
    payload: SlashCommandEvent,
    answer: CommandAnswerDto,
  },
  {
    event: 'command.options',
    summary: 'A person is typing a value whose choices the bot knows',
    payload: CommandOptionsEvent,
    answer: ChoicesDto,
  },
];
