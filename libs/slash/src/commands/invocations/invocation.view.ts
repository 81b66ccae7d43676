import { appBlocksField } from '@tieline/conversations';
import { Field, OkAnswer } from '@tieline/platform/http';
import { shownMetadata } from '@tieline/interactive';
import type { InvocationResult } from './invocation-result.js';

/** Immediate response to the person who ran a command. */
export class InvocationAnswer extends OkAnswer {
  @Field({
    enum: ['in_channel', 'ephemeral', 'ack', 'open_modal'],
    description:
      '`ephemeral`: shown to the caller only, also if the bot fails; `ack`: the answer will follow',
  })
  result: InvocationResult['result'];

  @Field({ example: 'Deployed **v1.4.2**', optional: true })
  text?: string;

  @Field({
    example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d41',
    optional: true,
    description: 'for `in_channel`: the posted message; for `ephemeral` with metadata: its id',
  })
  message_id?: string;

  @Field({
    example: '{"version":1,"blocks":[]}',
    optional: true,
    description: 'for `ephemeral`: blocks with buttons that the caller can use',
  })
  metadata_json?: string;

  @Field({
    example: [{ type: 'divider' }],
    optional: true,
    description: 'for `ephemeral`: blocks of a Slack app, to be shown in place of the text',
  })
  app_blocks?: object[];

  @Field({ example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d71' })
  trigger_id: string;

  @Field({ example: { title: 'Why?' }, optional: true, description: 'for `open_modal`, as the bot sent it' })
  modal?: Readonly<Record<string, unknown>>;

  @Field({
    example: '3pJm0c1rQdUuXo9y7w2tq0H6bZk8eN4vRfLhGsTjAxE',
    optional: true,
    description: 'for `open_modal`: submits the modal once',
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
    ...(shown && {
      message_id: shown.id,
      metadata_json: shownMetadata(shown),
      ...appBlocksField(shown.sourceJson),
    }),
    trigger_id: triggerId,
    ...(opened && { modal: opened.modal, modal_token: opened.modalToken }),
  };
}
