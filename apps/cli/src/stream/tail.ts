import type { Client } from '@tieline/sdk';
import type { PersonEvent } from '@tieline/sdk/testing';
import type { Command } from 'commander';
import { action } from '../action.js';
import { lists } from '../resources/entries.js';
import { listed, findByName } from '../resources/names.js';
import type { Named } from '../resources/names.js';
import { moment } from '../output/durations.js';
import type { Session } from '../profiles/session.js';
import type { Terminal } from '../terminal/terminal.js';
import { follow } from './follow.js';

interface TailOptions {
  readonly since: string;
  readonly limit?: string;
  readonly only?: string[];
}

/** `tail events|deliveries|requests`: shows entries as they happen, until Ctrl-C. */
export function addTail(program: Command, terminal: Terminal): void {
  const tail = program
    .command('tail')
    .summary('follow events, deliveries or requests until Ctrl-C')
    .description('Shows events, deliveries or requests as they happen. With --json, one object per line.');
  tail
    .command('events')
    .summary('events of your stream: messages, reactions, forms')
    .option('--only <types>', 'such as message.new,ephemeral', listed)
    .option('--limit <count>', 'stop after this many')
    .action(action(terminal, tailEvents));
  tail
    .command('deliveries [name]')
    .summary('deliveries to subscriptions and bots, and every change of their state')
    .option('--since <age>', 'start in the past, such as 1h', '0s')
    .option('--limit <count>', 'stop after this many')
    .action(action(terminal, tailDeliveries));
  tail
    .command('requests [hook]')
    .summary('requests to incoming webhooks, accepted or refused')
    .option('--since <age>', 'start in the past, such as 1h', '0s')
    .option('--limit <count>', 'stop after this many')
    .action(action(terminal, tailRequests));
}

async function tailEvents(session: Session, { only, limit = 'Infinity' }: TailOptions): Promise<void> {
  const client = await session.person();
  const { signal } = session.terminal;
  const onOpen = (): void => session.printer.note('listening');
  const onTrouble = (error: unknown): void =>
    session.printer.note(`lost the stream: ${(error as Error).message}`);
  let left = Number(limit);
  for await (const { data } of client.stream<PersonEvent>('/api/v1/client/stream', {
    signal,
    onOpen,
    onTrouble,
  })) {
    if (only && !only.includes(data.event)) continue;
    session.printer.event(data, `${time()}  ${data.event.padEnd(16)}  ${summary(data)}`);
    if (--left <= 0) return;
  }
}

function summary({ text, emoji, modal, errors }: PersonEvent): string {
  if (emoji) return String(emoji);
  if (errors) return JSON.stringify(errors);
  if (modal) return String((modal as { title?: string }).title ?? '');
  return String(text ?? '').replaceAll('\n', ' ');
}

interface Delivery {
  readonly delivery_id: string;
  readonly event_type: string;
  readonly status: string;
  readonly attempts: number;
  readonly next_attempt_at: string | null;
  readonly created_at: string;
}

async function tailDeliveries(
  session: Session,
  name: string | undefined,
  options: TailOptions,
): Promise<void> {
  const client = await session.person();
  const targets = await deliveryTargets(client, name);
  const since = moment(options.since);
  const seen = new Map<string, string>();
  await follow(session, options.limit, async () => {
    const found: { line: string; entry: object }[] = [];
    for (const { path, to } of targets) {
      const query = { since, limit: 100 };
      const { deliveries } = await client.call<{ deliveries: Delivery[] }>('GET', `${path}/deliveries`, {
        query,
      });
      for (const delivery of deliveries.reverse()) {
        const state = `${delivery.status} ${delivery.attempts}`;
        if (seen.get(delivery.delivery_id) === state) continue;
        // Entries that existed before are shown with their own time.
        const at = seen.has(delivery.delivery_id) ? Date.now() : delivery.created_at;
        seen.set(delivery.delivery_id, state);
        const line = `${time(at)}  ${to.padEnd(16)}  ${delivery.event_type.padEnd(20)}  ${delivery.status.padEnd(9)}  attempts ${delivery.attempts}  ${delivery.delivery_id}`;
        found.push({ line, entry: { to, ...delivery } });
      }
    }
    return found;
  });
}

async function deliveryTargets(client: Client, name?: string): Promise<{ path: string; to: string }[]> {
  const subscriptions = (await lists.subscriptions(client)).map((one) => ({
    ...one,
    owner: 'outgoing_webhooks',
  }));
  const bots = (await lists.bots(client)).map(({ display_name: own, id }) => ({
    id,
    name: own,
    owner: 'bots',
  }));
  const all: (Named & { name: string; owner: string })[] = [...subscriptions, ...bots];
  const meant = name === undefined ? all : [findByName('subscription or bot', all, name)];
  return meant.map((one) => ({ path: `/api/v1/admin/${one.owner}/${one.id}`, to: one.name }));
}

interface HookRequest {
  readonly id: string;
  readonly time: string;
  readonly verdict: string;
  readonly reason: string | null;
  readonly status: number;
  readonly address: string | null;
}

async function tailRequests(session: Session, name: string | undefined, options: TailOptions): Promise<void> {
  const client = await session.person();
  const all = await lists.hooks(client);
  const hooks = name === undefined ? all : [findByName('hook', all, name)];
  const since = Date.parse(moment(options.since));
  const seen = new Set<string>();
  await follow(session, options.limit, async () => {
    const found: { line: string; entry: object }[] = [];
    for (const hook of hooks) {
      const path = `/api/v1/admin/incoming_webhooks/${hook.id}/requests`;
      const { requests } = await client.call<{ requests: HookRequest[] }>('GET', path);
      for (const request of requests.reverse()) {
        if (seen.has(request.id) || Date.parse(request.time) < since) continue;
        seen.add(request.id);
        const line = `${time(request.time)}  ${hook.name.padEnd(16)}  ${request.status}  ${request.verdict}  ${request.reason ?? ''}`;
        found.push({ line: line.trimEnd(), entry: { hook: hook.name, ...request } });
      }
    }
    return found;
  });
}

const time = (at: string | number = Date.now()): string => new Date(at).toISOString().slice(11, 19);
