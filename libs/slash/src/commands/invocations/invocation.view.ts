import { Field, OkAnswer } from '@tieline/platform/http';
import { shownMetadata } from '@tieline/interactive';
import type { InvocationResult } from './invocation-result.js';

/** The immediate answer to the person who gave a command (decisions, section 8). */
export class InvocationAnswer extends OkAnswer {
  @Field({
    enum: ['in_channel', 'ephemeral', 'ack', 'open_modal'],
    description: '`ephemeral`: for the caller alone, also when the bot fails; `ack`: the answer will follow',
  })
  result: InvocationResult['result'];

  @Field({ example: 'Deployed **v1.4.2**', optional: true })
  text?: string;

  @Field({
    example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d41',
    optional: true,
    description: 'of `in_channel`: what was posted; of `ephemeral` with metadata: its own id',
  })
  message_id?: string;

  @Field({
    example: '{"version":1,"blocks":[]}',
    optional: true,
    description: 'of `ephemeral`: blocks, whose buttons work for the caller',
  })
  metadata_json?: string;

  @Field({ example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d71' })
  trigger_id: string;

  @Field({ example: { title: 'Why?' }, optional: true, description: 'of `open_modal`, as the bot gave it' })
  modal?: Readonly<Record<string, unknown>>;

  @Field({
    example: '3pJm0c1rQdUuXo9y7w2tq0H6bZk8eN4vRfLhGsTjAxE',
    optional: true,
    description: 'of `open_modal`: submits it, once',
  })
  modal_token?: string;
}

export function invocationAnswer({
  result,
  text,
  messageId,
  triggerId,
  shown,
  opened,
}: InvocationResult): InvocationAnswer {
  return {
    ok: true,
    result,
    ...(text !== undefined && { text }),
    ...(messageId !== undefined && { message_id: messageId }),
    ...(shown && { message_id: shown.id, metadata_json: shownMetadata(shown) }),
    trigger_id: triggerId,
    ...(opened && { modal: opened.modal, modal_token: opened.modalToken }),
  };
}
