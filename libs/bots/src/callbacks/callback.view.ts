import { Field, PageAnswer } from '@tieline/platform/http';

const CALLBACK_KINDS = ['click', 'submit', 'command', 'options'] as const;
/** What a callback is for: a button or select, a modal, a slash command, or choices for one. */
export type CallbackKind = (typeof CALLBACK_KINDS)[number];

/** A request to an address of a bot while a person waited. */
export class CallbackView {
  @Field({ example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d41' })
  callback_id: string;

  @Field({ enum: CALLBACK_KINDS, example: 'click' })
  kind: CallbackKind;

  @Field({ example: 'https://bot.example/interactive', description: 'without its query' })
  target: string;

  @Field({ example: 503, nullable: true, description: 'null if no response arrived; `error` says why' })
  status_code: number | null;

  @Field({
    example: 'timeout',
    nullable: true,
    description: 'why there was no answer, or why it was invalid',
  })
  error: string | null;

  @Field({ example: 42, description: 'milliseconds' })
  duration_ms: number;

  @Field({ example: 'busy', description: 'the first 4 KiB of the response' })
  response: string;

  @Field({ example: '2026-11-21T09:00:00.000Z' })
  created_at: string;
}

export class CallbacksPage extends PageAnswer {
  @Field({ type: CallbackView, isArray: true })
  callbacks: CallbackView[];
}
