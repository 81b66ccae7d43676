import { Field, OkAnswer } from '@tieline/platform/http';
import { shownMetadata } from '../ephemeral/ephemeral-message.js';
import type { InteractionResult } from './interaction-asker.js';

const RESULTS = [
  'update_message',
  'send_message',
  'ephemeral',
  'open_modal',
  'errors',
  'update_modal',
  'push_modal',
  'noop',
  'queued',
  'duplicate',
] as const;

/** Response to the client of the person who clicked or submitted. */
export class InteractionAnswer extends OkAnswer {
  @Field({
    enum: RESULTS,
    description:
      '`queued`: the bot will answer later; `duplicate`: the same click within 60 seconds of an accepted one',
  })
  result: InteractionResult['result'];

  @Field({
    example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d41',
    optional: true,
    description: 'for `update_message` and `send_message`, and for `ephemeral` with metadata',
  })
  message_id?: string;

  @Field({ example: 'Thanks, noted.', optional: true, description: 'for `ephemeral`' })
  ephemeral_text?: string;

  @Field({
    example: '{"version":1,"blocks":[]}',
    optional: true,
    description: 'for `ephemeral`: blocks with buttons that this person can use',
  })
  metadata_json?: string;

  @Field({
    example: { title: 'Why?' },
    optional: true,
    description:
      'for `open_modal`, `update_modal` and `push_modal`, as the bot sent it; validated modals omit `private_metadata`',
  })
  modal?: Readonly<Record<string, unknown>>;

  @Field({
    example: '3pJm0c1rQdUuXo9y7w2tq0H6bZk8eN4vRfLhGsTjAxE',
    optional: true,
    description:
      'for `open_modal` and `push_modal`: submits the modal once; for `errors` and `update_modal`: the token of the open form, still valid',
  })
  modal_token?: string;

  @Field({
    ofTexts: true,
    example: { reason: 'This change needs a ticket.' },
    optional: true,
    description: "for `errors`: the bot's messages, keyed by field id",
  })
  errors?: Readonly<Record<string, string>>;

  @Field({ example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d51', optional: true, description: 'for `queued`' })
  interaction_id?: string;
}

export function interactionAnswer(result: InteractionResult): InteractionAnswer {
  const message = result.result === 'ephemeral' ? result.message : undefined;
  return {
    ok: true,
    result: result.result,
    ...('messageId' in result && { message_id: result.messageId }),
    ...('ephemeralText' in result && { ephemeral_text: result.ephemeralText }),
    ...(message && { message_id: message.id, metadata_json: shownMetadata(message) }),
    ...('modal' in result && { modal: result.modal }),
    ...('modalToken' in result && { modal_token: result.modalToken }),
    ...('errors' in result && { errors: result.errors }),
    ...('interactionId' in result && { interaction_id: result.interactionId }),
  };
}
