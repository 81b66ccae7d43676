import { Field } from '@tieline/platform/http';

/** Answer of POST /slack/api/{method}. Each method adds the fields that Slack documents. */
export class SlackMethodAnswer {
  @Field({ example: true, description: 'false for an error, too, which has status 200' })
  ok: boolean;

  @Field({ optional: true, example: 'channel_not_found', description: "Slack's name of the error" })
  error?: string;

  @Field({ optional: true, example: 'see_messages', description: 'set beside warnings' })
  warning?: string;

  @Field({ optional: true, example: 'chat:write', description: 'of `missing_scope`: what the token lacks' })
  needed?: string;

  @Field({ optional: true, example: 'users:read', description: 'of `missing_scope`: scopes of the token' })
  provided?: string;

  @Field({
    optional: true,
    example: { next_cursor: 'dXNlcjpVMEc5V0ZYTlo=', messages: ['[WARN] unknown argument: colour'] },
    description: '`next_cursor` of lists, and `messages` for developers',
  })
  response_metadata?: Record<string, unknown>;
}
