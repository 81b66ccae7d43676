import { Injectable } from '@nestjs/common';
import { threadFieldsOf } from '@tieline/conversations';
import { Db } from '@tieline/platform/database';
import type { ArgumentKinds } from '../dispatcher/arguments.js';
import type { MethodGroup, SlackCall } from '../dispatcher/slack-method.js';
import { SlackPlaces } from '../messages/places.js';
import { sessionStatusOf, setSessionStatus } from '../sessions/session-status.js';

const SESSION = { channel_id: 'text', thread_ts: 'text', title: 'text' } as const satisfies ArgumentKinds;
const METHOD = { scopes: ['chat:write'], only: 'bot' } as const;

/** `agents.sessions.*`: a session is a thread, and its states are statuses of the bot there. */
@Injectable()
export class SessionMethods implements MethodGroup {
  readonly methods: MethodGroup['methods'] = [
    {
      ...METHOD,
      name: 'agents.sessions.setStatus',
      arguments: {
        ...SESSION,
        status: 'text',
        initiator_user_id: 'unused',
        ...{ icon_emoji: 'dropped', icon_url: 'dropped', username: 'dropped' },
      },
      run: (call: SlackCall) => this.setStatus(call),
    },
    {
      ...METHOD,
      name: 'agents.sessions.rename',
      arguments: SESSION,
      run: (call: SlackCall) => this.rename(call),
    },
  ];

  constructor(
    private readonly db: Db,
    private readonly places: SlackPlaces,
  ) {}

  private async setStatus(call: SlackCall): Promise<object> {
    const status = sessionStatusOf(call.args.required('status'));
    const conversation = await this.places.conversation(call, 'channel_id');
    const rootId = await this.places.root(call, conversation);
    const title = rootId === undefined ? this.withoutTitle(call) : await this.titleOf(call, rootId);
    await setSessionStatus(call, { conversation, rootId }, status);
    return { status, agent_status: status, ...(title !== undefined && { title }) };
  }

  private async rename(call: SlackCall): Promise<object> {
    const title = call.args.required('title');
    call.args.required('thread_ts');
    const conversation = await this.places.conversation(call, 'channel_id');
    const rootId = (await this.places.root(call, conversation)) as string;
    await setTitle(call, rootId, title);
    return { title };
  }

  private withoutTitle({ args, warn }: SlackCall): undefined {
    if (args.text('title') !== undefined) warn('title: left out, only threads have one');
    return undefined;
  }

  /** Returns the title of a thread. A thread without one gets that of the call. */
  private async titleOf(call: SlackCall, rootId: string): Promise<string | undefined> {
    const threads = await threadFieldsOf(this.db, call.caller.spaceId, [{ id: rootId, threadId: null }]);
    const { thread_title: known } = threads.get(rootId) ?? {};
    const title = call.args.text('title');
    if (known !== undefined || title === undefined) return known;
    await setTitle(call, rootId, title);
    return title;
  }
}

/** Sets the title of a thread (docs/agents.md#titles). */
async function setTitle({ rest }: SlackCall, rootId: string, title: string): Promise<void> {
  await rest('PATCH', `/api/v1/bot/threads/${rootId}`, { body: { title } });
}
