import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { TielineError } from '@tieline/sdk';
import type { Client, Envelope } from '@tieline/sdk';
import type { Command } from 'commander';
import { action } from '../action.js';
import { subscriptionNamed } from '../resources/entries.js';
import { listed } from '../resources/names.js';
import { EXIT } from '../output/exit-codes.js';
import { Failure } from '../output/failures.js';
import type { Session } from '../profiles/session.js';
import type { Terminal } from '../terminal/terminal.js';
import { forward, requestOf } from './forward.js';
import type { ForwardedRequest, SocketEnvelope } from './forward.js';

const LOOK_MS = 500;

interface ListenOptions {
  readonly forwardTo?: string;
  readonly bot?: string;
  readonly subscription?: string;
  readonly events?: string[];
  readonly printSecret?: boolean;
}

/** `listen`: forwards what Tieline would send to a public address to a local port. */
export function addListen(program: Command, terminal: Terminal): void {
  program
    .command('listen')
    .summary("forward a bot's events, clicks and commands, or a subscription's deliveries, to a local port")
    .description(
      "Opens the bot's socket and POSTs what comes to the address, signed as a push or a callback is; what is answered goes back to the person.\nWith --subscription the deliveries of that subscription are forwarded as they were signed, with its own secret. No tunnel, no relay: everything goes through the Tieline of the profile.",
    )
    .option('--forward-to <url>', 'such as http://localhost:4000')
    .option('--bot <name>', 'which bot')
    .option('--subscription <name>', 'show deliveries of a subscription instead of a bot')
    .option('--events <types>', 'only these, such as button.click,slash.command,MESSAGE_CREATED', listed)
    .option('--print-secret', 'print the signing secret, which is fixed for a profile')
    .action(action(terminal, listen));
}

async function listen(session: Session, options: ListenOptions): Promise<void> {
  if (options.printSecret) session.printer.done({ secret: await secretOf(session) }, await secretOf(session));
  if (!options.forwardTo) {
    if (options.printSecret) return;
    throw new Failure('forward to where?', EXIT.usage, 'tieline listen --forward-to http://localhost:4000');
  }
  if (options.subscription)
    return listenToSubscription(session, options.subscription, options.forwardTo, options.events);
  return listenToBot(session, options, options.forwardTo);
}

/** Creates the signing secret of a profile once. */
async function secretOf(session: Session): Promise<string> {
  const { listenSecret } = await session.profile();
  if (listenSecret) return listenSecret;
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  await session.keep((profile) => {
    profile.listenSecret = secret;
  });
  return secret;
}

async function listenToBot(session: Session, { bot, events }: ListenOptions, url: string): Promise<void> {
  const client = await session.bot(bot);
  const secret = await secretOf(session);
  const { signal } = session.terminal;
  const options = {
    signal,
    onOpen: () => session.printer.note(`listening, forwarding to ${url}`),
    onTrouble: (error: unknown) => session.printer.note(`lost the socket: ${(error as Error).message}`),
    onRefusedAnswer: ({ error }: { error: string }) =>
      session.printer.note(`Tieline refuses the answer: ${error}`),
  };
  const working = new Set<Promise<void>>();
  try {
    for await (const envelope of client.socket<SocketEnvelope>(options)) {
      const work = pass(session, envelope, { url, secret, events }).finally(() => working.delete(work));
      working.add(work);
    }
  } catch (error) {
    if (error instanceof TielineError && error.status === 409)
      throw new Failure(
        "the bot's mode is not poll, which a socket needs",
        EXIT.rejected,
        'an admin changes it, or the bot: PATCH /api/v1/bot/me {"event_delivery_mode": "poll"}',
      );
    throw error;
  }
  await Promise.all(working);
}

/**
 * Acknowledges what the receiver accepted, together with its response. If the receiver is down,
 * Tieline sends it again.
 */
async function pass(
  session: Session,
  envelope: Envelope<SocketEnvelope>,
  { url, secret, events }: { url: string; secret: string; events?: string[] },
): Promise<void> {
  const request = await requestOf(envelope, secret);
  if (events && !events.includes(request.name)) return envelope.ack();
  const outcome = await attempt(session, url, request);
  if (!outcome) return;
  const isTaken = outcome.status >= 200 && outcome.status < 300;
  if (isTaken) envelope.ack(envelope.type === 'event' ? undefined : (outcome.answer ?? {}));
  else if (envelope.type !== 'event') envelope.ack();
}

async function attempt(
  session: Session,
  url: string,
  request: ForwardedRequest,
): Promise<{ status: number; answer?: object } | undefined> {
  try {
    const outcome = await forward(url, request);
    const { status, milliseconds } = outcome;
    session.printer.event(
      { event: request.name, status, milliseconds },
      `${request.name.padEnd(20)}  ${status}  ${milliseconds} ms`,
    );
    return outcome;
  } catch (error) {
    const cause = (error as { cause?: { code?: string } }).cause?.code ?? (error as Error).message;
    session.printer.event(
      { event: request.name, error: cause },
      `${request.name.padEnd(20)}  nobody answers at ${url} (${cause})`,
    );
    return undefined;
  }
}

async function listenToSubscription(
  session: Session,
  name: string,
  url: string,
  events?: string[],
): Promise<void> {
  const client = await session.person();
  const { id } = await subscriptionNamed(client, name);
  const { signal } = session.terminal;
  const since = new Date().toISOString();
  const seen = new Set<string>();
  session.printer.note(`listening, forwarding to ${url}`);
  while (!signal.aborted) {
    for (const request of await newDeliveries(client, id, since, seen))
      if (!events || events.includes(request.name)) await attempt(session, url, request);
    await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined);
  }
}

async function newDeliveries(
  client: Client,
  id: string,
  since: string,
  seen: Set<string>,
): Promise<ForwardedRequest[]> {
  const path = `/api/v1/admin/outgoing_webhooks/${id}/deliveries`;
  const { deliveries } = await client.call<{ deliveries: { delivery_id: string }[] }>('GET', path, {
    query: { since, limit: 100 },
  });
  const fresh = deliveries.filter(({ delivery_id: one }) => !seen.has(one)).reverse();
  const found: ForwardedRequest[] = [];
  for (const { delivery_id: one } of fresh) {
    seen.add(one);
    const { delivery } = await client.call<{
      delivery: { event_type: string; request: { headers: Record<string, string>; body: string } };
    }>('GET', `/api/v1/admin/deliveries/${one}`);
    found.push({ name: delivery.event_type, ...delivery.request });
  }
  return found;
}
