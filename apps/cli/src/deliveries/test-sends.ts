import { setTimeout as sleep } from 'node:timers/promises';
import { IncomingWebhook } from '@tieline/sdk';
import type { Command } from 'commander';
import { action } from '../action.js';
import { lists, subscriptionNamed } from '../resources/entries.js';
import { findByName } from '../resources/names.js';
import { milliseconds } from '../output/durations.js';
import { EXIT } from '../output/exit-codes.js';
import { Failure } from '../output/failures.js';
import type { Session } from '../profiles/session.js';
import type { Terminal } from '../terminal/terminal.js';

interface Trial {
  readonly delivery_id: string;
  readonly result: { status_code: number | null; error: string | null; duration_ms: number } | null;
}

/** `subscription test` and `hook test`. */
export function addTestSends(subscription: Command, hook: Command, terminal: Terminal): void {
  subscription
    .command('test <name>')
    .summary('send a test event to the receiver')
    .description(
      'Sends WEBHOOK_TEST and shows the response. --wait: until it is delivered or dead. Exit code 7: it was not delivered.',
    )
    .option('--wait [duration]', 'how long to wait for the last attempt (default: 15m)')
    .action(action(terminal, testSubscription));
  hook
    .command('test <name>')
    .summary('post a signed test message to an incoming webhook')
    .description(
      'Posts a message as a program would, signed with the secret stored by --save, or with TIELINE_SECRET and TIELINE_HOOK_URL. --wait: until the message can be read in the channel. Exit code 7: it was not accepted.',
    )
    .option('--text <text>', 'of the message', 'A test by tieline')
    .option('--wait [duration]', 'how long to wait for the message (default: 10s)')
    .action(action(terminal, testHook));
}

async function testSubscription(
  session: Session,
  name: string,
  { wait }: { wait?: string | true },
): Promise<number> {
  const client = await session.person();
  const { id } = await subscriptionNamed(client, name);
  const trial = await client.call<Trial>('POST', `/api/v1/admin/outgoing_webhooks/${id}/test`);
  const answered = trial.result?.status_code ?? 0;
  let status = answered >= 200 && answered < 300 ? 'success' : 'pending';
  if (wait) {
    const ended = await waitFor(session, wait === true ? '15m' : wait, async () => {
      const path = `/api/v1/admin/deliveries/${trial.delivery_id}`;
      const { delivery } = await client.call<{ delivery: { status: string } }>('GET', path);
      return delivery.status === 'pending' ? undefined : delivery.status;
    });
    status = ended ?? status;
  }
  const {
    status_code: code,
    error,
    duration_ms: duration,
  } = trial.result ?? { status_code: null, error: 'no attempt yet', duration_ms: 0 };
  const answer = code === null ? error : `${code} after ${duration} ms`;
  session.printer.done({ ...trial, status }, `first attempt: ${answer}\n${trial.delivery_id} is ${status}`);
  return status === 'success' ? EXIT.ok : EXIT.checkFailed;
}

async function testHook(
  session: Session,
  name: string,
  { text, wait }: { text: string; wait?: string | true },
): Promise<number> {
  const { url, secret } = await secretsOf(session, name);
  const answer = await new IncomingWebhook({ url, secret }).send({ text });
  const id = (answer as { message_id?: string } | undefined)?.message_id;
  if (wait && id) {
    const client = await session.person();
    const { conversation_id: place } = findByName('hook', await lists.hooks(client), name);
    const seen = await waitFor(session, wait === true ? '10s' : wait, async () => {
      const { messages } = await client.call<{ messages: { id: string }[] }>(
        'GET',
        `/api/v1/channels/${place}/messages`,
      );
      return messages.find((message) => message.id === id)?.id;
    });
    if (!seen) {
      session.printer.done({ message_id: id, seen: false }, `accepted as ${id}, but it can't be read yet`);
      return EXIT.checkFailed;
    }
  }
  session.printer.done({ message_id: id }, `accepted as ${id}`);
  return EXIT.ok;
}

async function secretsOf(session: Session, name: string): Promise<{ url: string; secret: string }> {
  const { TIELINE_HOOK_URL: url, TIELINE_SECRET: secret } = session.terminal.env;
  if (url && secret) return { url, secret };
  const { hooks = {} } = await session.profile();
  const known = Object.entries(hooks).find(([kept]) => kept.toLowerCase() === name.toLowerCase());
  if (known) return known[1];
  throw new Failure(
    `address and secret of the hook "${name}" are not known`,
    EXIT.refused,
    'they are shown once: `tieline hook create <name> --save` keeps them; or TIELINE_HOOK_URL and TIELINE_SECRET',
  );
}

async function waitFor<T>(
  session: Session,
  patience: string,
  look: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const deadline = performance.now() + milliseconds(patience);
  const { signal } = session.terminal;
  for (;;) {
    const found = await look();
    if (found !== undefined || performance.now() > deadline) return found;
    session.terminal.progress('waiting …');
    await sleep(250, undefined, { signal });
  }
}
