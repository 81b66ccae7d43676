import { Injectable } from '@nestjs/common';
import type { ArgumentKinds } from '../dispatcher/arguments.js';
import { invalidArgument } from '../dispatcher/slack-error.js';
import type { MethodGroup, SlackCall } from '../dispatcher/slack-method.js';
import { SlackPlaces } from '../messages/places.js';

const SCOPES = ['assistant:write', 'chat:write'];
const THREAD = { channel_id: 'text', thread_ts: 'text' } as const satisfies ArgumentKinds;
/** Limits of a status here. Longer texts are cut, because they only last for moments. */
const MAX_STATUS = 100;
const MAX_LOADING = 50;
const MAX_LOADING_MESSAGES = 10;

/** The conversation and the thread that a call names. */
interface Target {
  readonly path: string;
  readonly rootId: string | undefined;
}

/** `assistant.threads.*`. */
@Injectable()
export class AssistantMethods implements MethodGroup {
  readonly methods: MethodGroup['methods'] = [
    {
      name: 'assistant.threads.setStatus',
      scopes: SCOPES,
      only: 'bot',
      arguments: {
        ...THREAD,
        status: 'text',
        loading_messages: 'list',
        ...{ icon_emoji: 'dropped', icon_url: 'dropped', username: 'dropped' },
      },
      run: (call) => this.setStatus(call),
    },
    {
      name: 'assistant.threads.setSuggestedPrompts',
      scopes: SCOPES,
      only: 'bot',
      arguments: { ...THREAD, title: 'text', prompts: 'json' },
      run: (call) => this.setPrompts(call),
    },
    {
      name: 'assistant.threads.setTitle',
      scopes: SCOPES,
      only: 'bot',
      arguments: { ...THREAD, title: 'text' },
      run: (call) => this.setTitle(call),
    },
  ];

  constructor(private readonly places: SlackPlaces) {}

  private async setStatus(call: SlackCall): Promise<object> {
    const { path, rootId } = await this.target(call);
    const text = call.args.text('status')?.trim() ?? '';
    if (text === '')
      await call.rest('DELETE', `${path}/status`, {
        ...(rootId !== undefined && { query: { thread_id: rootId } }),
      });
    else {
      const loading = call.args
        .list('loading_messages')
        .map((message) => cut(message.trim(), MAX_LOADING))
        .filter((message) => message !== '');
      await call.rest('PUT', `${path}/status`, {
        body: {
          text: cut(text, MAX_STATUS),
          ...(rootId !== undefined && { thread_id: rootId }),
          ...(loading.length > 0 && { loading_messages: loading.slice(0, MAX_LOADING_MESSAGES) }),
        },
      });
    }
    return {};
  }

  private async setPrompts(call: SlackCall): Promise<object> {
    const prompts = call.args.json('prompts') ?? [];
    if (!Array.isArray(prompts)) throw invalidArgument('prompts must be a list');
    const { path, rootId } = await this.target(call);
    const title = call.args.text('title');
    await call.rest('PUT', `${path}/prompts`, {
      body: {
        prompts: prompts.map((prompt: unknown) => promptOf(prompt)),
        ...(title !== undefined && { title }),
        ...(rootId !== undefined && { thread_id: rootId }),
      },
    });
    return {};
  }

  private async setTitle(call: SlackCall): Promise<object> {
    call.args.required('thread_ts');
    const { rootId } = await this.target(call);
    const title = call.args.text('title') ?? null;
    await call.rest('PATCH', `/api/v1/bot/threads/${rootId}`, { body: { title } });
    return {};
  }

  private async target(call: SlackCall): Promise<Target> {
    const conversation = await this.places.conversation(call, 'channel_id');
    const rootId = await this.places.root(call, conversation);
    return { path: `/api/v1/bot/conversations/${conversation.id}`, rootId };
  }
}

/** Slack's apps may send more fields than the two that make a prompt. */
function promptOf(prompt: unknown): object {
  if (typeof prompt !== 'object' || prompt === null) throw invalidArgument('prompts must be objects');
  const { title, message } = prompt as { title?: unknown; message?: unknown };
  return { title, message };
}

const cut = (text: string, limit: number): string => [...text].slice(0, limit).join('');
