import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { createSlackAdapter } from '@chat-adapter/slack';
import { createMemoryState } from '@chat-adapter/state-memory';
import { freePort } from '@tieline/testing';
import {
  Actions,
  Button,
  Card,
  Chat,
  Modal,
  Plan,
  Select,
  SelectOption,
  StreamingPlan,
  TextInput,
} from 'chat';
import type { StreamChunk, Thread } from 'chat';
import { call, expectOk } from '../tieline.js';
import { SILENT } from './silent-logger.js';
import { spelled } from './slack-workspace.js';
import type { SlackBot, SlackWorkspace } from './slack-workspace.js';

type Mode = 'socket' | 'webhook';

/** The warnings and errors of an app. */
class AppLog {
  readonly lines: unknown[][] = [];
  debug(): void {}
  info(): void {}
  warn(...args: unknown[]): void {
    this.lines.push(args);
  }
  error(...args: unknown[]): void {
    this.lines.push(args);
  }
  child(): this {
    return this;
  }
}

/** What the app got. */
interface Seen {
  edits: [before: string | undefined, after: string][];
  deletions: string[];
  closed: string[];
}

const feedbackForm = (title: string) =>
  Modal({
    callbackId: 'feedback',
    title,
    submitLabel: 'Send',
    notifyOnClose: true,
    privateMetadata: 'kept',
    children: [
      TextInput({ id: 'message', label: 'Message', multiline: true }),
      Select({
        id: 'kind',
        label: 'Kind',
        optional: true,
        options: [SelectOption({ label: 'Bug', value: 'bug' })],
      }),
    ],
  });

async function* answer(): AsyncIterable<string | StreamChunk> {
  yield { type: 'plan_update', title: 'Reading' };
  yield { type: 'task_update', id: '1', title: 'Read the log', status: 'in_progress' };
  yield 'The **build** ';
  yield { type: 'task_update', id: '1', title: 'Read the log', status: 'complete', output: '3 lines' };
  yield 'is green.';
}

/** What the app does when a person writes a word into its thread. */
const WORDS: Record<string, (thread: Thread) => Promise<unknown>> = {
  async card(thread) {
    await thread.post(
      Card({
        title: 'Deploy?',
        children: [
          Actions([
            Button({ id: 'approve', label: 'Approve', style: 'primary', value: 'v1' }),
            Button({ id: 'form', label: 'Comment' }),
          ]),
        ],
      }),
    );
  },
  async file(thread) {
    await thread.post({
      markdown: 'The **report**:',
      files: [{ data: Buffer.from('a,b'), filename: 'report.csv', mimeType: 'text/csv' }],
    });
  },
  async history(thread) {
    const texts: string[] = [];
    for await (const message of thread.allMessages) texts.push(message.text);
    await thread.post(`${texts.length} messages since: ${texts[0]?.replace(/^\S+ /, '')}`);
  },
  async plan(thread) {
    const plan = new Plan({ initialMessage: 'Looking' });
    await thread.post(plan);
    await plan.addTask({ title: 'Search' });
    await plan.updateTask('Found');
    await plan.complete({ completeMessage: 'Found it' });
  },
};

function listen(bot: Chat, name: string): Seen {
  const seen: Seen = { edits: [], deletions: [], closed: [] };
  bot.onNewMention(async (thread) => {
    await thread.subscribe();
    await thread.startTyping('Thinking');
    await thread.post(new StreamingPlan(answer(), { groupTasks: 'plan' }));
  });
  bot.onSubscribedMessage(async (thread, message) => void (await WORDS[message.text]?.(thread)));
  bot.onDirectMessage(async (thread, message) => {
    await thread.post(answerTo(message.text));
  });
  bot.onAction('approve', async (event) => {
    await event.adapter.editMessage(event.threadId, event.messageId, `Approved ${event.value}`);
    await event.thread?.postEphemeral(event.user, 'Thanks', { fallbackToDM: false });
  });
  bot.onAction('form', async (event) => void (await event.openModal(feedbackForm(name))));
  bot.onModalSubmit('feedback', async (event) => {
    const { message, kind } = event.values;
    if (message === 'bad') return { action: 'errors', errors: { message: 'Too short.' } };
    const { privateMetadata } = event;
    await event.relatedThread?.post(`${message} ${kind} ${privateMetadata} ${event.user.fullName}`);
    await event.relatedChannel?.post(`${message} in the channel`);
    return undefined;
  });
  bot.onAction(
    'message_feedback',
    async (event) => void (await event.thread?.post(`feedback: ${event.value}`)),
  );
  bot.onModalClose('feedback', async (event) => void seen.closed.push(event.viewId));
  bot.onSlashCommand(`/${name}`, async (event) => {
    if (event.text === 'form') await event.openModal(feedbackForm(name));
    else await event.channel.post(`${event.command} ${event.text} by ${event.user.fullName}`);
  });
  bot.onReaction(async (event) => {
    await event.adapter.addReaction(event.threadId, event.messageId, event.emoji);
  });
  bot.onMessageUpdated(async (_, message, before) => void seen.edits.push([before?.text, message.text]));
  bot.onMessageDeleted(async (event) => void seen.deletions.push(event.messageId));
  return seen;
}

async function* answerTo(text: string): AsyncIterable<string> {
  yield 'You said ';
  yield text;
}

/** Serves the webhook of a bot. */
function serve(bot: Chat<{ slack: ReturnType<typeof createSlackAdapter> }>): Server {
  return createServer((request, response) => {
    void (async () => {
      const body = await buffer(request);
      const headers = Object.entries(request.headers).map(([key, value]) => [key, String(value)] as const);
      const got = await bot.webhooks.slack(
        new Request(`http://app.test${request.url}`, {
          method: 'POST',
          headers: [...headers] as never,
          body,
        }),
        { waitUntil: () => undefined },
      );
      response.writeHead(got.status, Object.fromEntries(got.headers));
      response.end(await got.text());
    })();
  });
}

/** A running app with its bot. */
export interface ChatApp {
  bot: SlackBot;
  seen: Seen;
  log: AppLog;
  name: string;
}

/** Runs an app of the Chat SDK with a new bot, until `use` ends. */
export async function withChatApp(
  slack: SlackWorkspace,
  mode: Mode,
  use: (app: ChatApp) => Promise<void>,
): Promise<void> {
  const name = `chat-${mode}`;
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/slack`;
  const delivery =
    mode === 'socket'
      ? { event_delivery_mode: 'poll' }
      : { event_delivery_mode: 'webhook', webhook_url: url };
  const bot = await slack.bot({ ...delivery, display_name: name });
  if (mode === 'webhook')
    await expectOk(
      call(slack.api, 'PATCH', '/api/v1/bot/interactive_config', bot.token, { callback_url: url }),
    );
  await expectOk(
    call(slack.api, 'POST', `/api/v1/bots/${bot.id}/commands`, bot.token, {
      name,
      ...(mode === 'webhook' && { callback_url: url }),
    }),
  );
  const log = new AppLog();
  const chat = new Chat({
    userName: name,
    logger: log,
    state: createMemoryState(),
    adapters: {
      slack: createSlackAdapter({
        apiUrl: slack.slackApiUrl,
        botToken: spelled('xoxb-', bot),
        logger: log,
        feedbackButtons: true,
        webClientOptions: { logger: SILENT as never },
        ...(mode === 'socket' ? { mode, appToken: spelled('xapp-', bot) } : { signingSecret: bot.secret }),
      }),
    },
  });
  const seen = listen(chat, name);
  await chat.initialize();
  const server = mode === 'webhook' ? serve(chat).listen(port) : undefined;
  try {
    await use({ bot, seen, log, name });
  } finally {
    server?.close();
    await chat.shutdown();
  }
}
