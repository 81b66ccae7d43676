import { Field, OkAnswer } from '@tieline/platform/http';

const ID = '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d41';
const VIEW = {
  id: ID,
  bot_id: '01939d3e-0003-7aaa-9c1d-2f6a5b1c0d41',
  type: 'modal',
  title: { type: 'plain_text', text: 'Deploy' },
  submit: { type: 'plain_text', text: 'Start' },
  close: null,
  submit_disabled: false,
  blocks: [],
  hash: '1.5b1c0d41',
  previous_view_id: null,
  root_view_id: ID,
  state: { values: {} },
};
const DESCRIPTION = 'as in Slack, without what the app keeps to itself; ids are uuids';

/** Response of GET /client/views/{id}. */
export class ViewAnswer extends OkAnswer {
  @Field({ example: VIEW, description: DESCRIPTION })
  view: Record<string, unknown>;
}

/** Response of GET /client/bots/{bot_id}/home. */
export class HomeAnswer extends OkAnswer {
  @Field({ example: VIEW, nullable: true, description: `${DESCRIPTION}; null if there is none` })
  view: Record<string, unknown> | null;
}

/** A home that a bot published. */
export class PublishedHomeView {
  @Field({ example: '01939d3e-0002-7aaa-9c1d-2f6a5b1c0d41' })
  user_id: string;

  @Field({ example: '1.5b1c0d41', description: 'names this version' })
  hash: string;

  @Field({ isArray: true, example: [{ type: 'divider' }], description: 'with the ids that were missing' })
  blocks: Record<string, unknown>[];
}

/** Response of PUT /bot/homes/{user_id}. */
export class PublishedHomeAnswer extends OkAnswer {
  @Field({ type: PublishedHomeView })
  home: PublishedHomeView;
}

const RESULTS = ['closed', 'errors', 'updated', 'pushed', 'cleared'] as const;

/** Response of POST /client/views/{id}/submit. */
export class SubmitViewAnswer extends OkAnswer {
  @Field({ enum: RESULTS, description: '`cleared`: all views are closed' })
  result: (typeof RESULTS)[number];

  @Field({
    ofTexts: true,
    example: { name: 'This name is taken.' },
    optional: true,
    description: 'for `errors`, by `block_id`',
  })
  errors?: Record<string, string>;

  @Field({ example: VIEW, optional: true, description: 'for `updated` and `pushed`' })
  view?: Record<string, unknown>;
}

class StreamedView {
  @Field({ enum: ['view.opened', 'view.updated'] })
  event: 'view.opened' | 'view.updated';

  @Field({ example: VIEW, description: DESCRIPTION })
  view: Record<string, unknown>;
}

class StreamedViewClosed {
  @Field({ enum: ['view.closed'] })
  event: 'view.closed';

  @Field({ example: ID })
  view_id: string;
}

/** Stream events for people, in the API docs. */
export const STREAMED_VIEWS = [StreamedView, StreamedViewClosed];
