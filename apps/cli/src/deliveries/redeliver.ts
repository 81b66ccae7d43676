import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@tieline/sdk';
import type { Command } from 'commander';
import { action } from '../action.js';
import { lists, subscriptionNamed } from '../resources/entries.js';
import { everyEntry, listed, findByName } from '../resources/names.js';
import { moment } from '../output/durations.js';
import { EXIT } from '../output/exit-codes.js';
import { Failure } from '../output/failures.js';
import type { Session } from '../profiles/session.js';
import { bar, withProgress } from '../terminal/progress.js';
import type { Terminal } from '../terminal/terminal.js';

interface Delivery {
  readonly delivery_id: string;
  readonly event_type: string;
  readonly status: string;
  readonly redelivered_as: string | null;
}

interface Recovery {
  readonly id: string;
  readonly state: string;
  readonly total: number;
  readonly done: number;
}

/** `redeliver` and `recover`: send missed events again. */
export function addRedeliver(program: Command, terminal: Terminal): void {
  program
    .command('redeliver [delivery_id...]')
    .summary('send dead deliveries again, one by one')
    .description(
      'Sends deliveries again: the given ones, or with --failed every dead delivery that has not been sent again.',
    )
    .option('--failed', 'all dead deliveries')
    .option('--since <age>', 'with --failed: maximum age', '24h')
    .option('--subscription <name>', 'with --failed: only deliveries of this subscription (default: all)')
    .action(action(terminal, redeliver));
  program
    .command('recover <subscription>')
    .summary('send the events of a period again, in the background')
    .description(
      'Sends the events of a subscription since a point in time again. New deliveries have new delivery ids and the same event ids.',
    )
    .requiredOption('--since <age>', 'start of the period: an age such as 6h, or a time')
    .option('--until <age>', 'end of the period: an age or a time (default: now)')
    .option('--all', 'include successful deliveries')
    .option('--events <types>', 'only these event types', listed)
    .option('--to <subscription>', 'send to another subscription')
    .option('--wait', 'wait until the recovery ends')
    .action(action(terminal, recover));
}

async function redeliver(
  session: Session,
  ids: string[],
  options: { failed?: boolean; since: string; subscription?: string },
): Promise<number> {
  if (ids.length > 0 === Boolean(options.failed))
    throw new Failure('which deliveries?', EXIT.usage, 'name their ids, or use --failed [--since 2h]');
  const client = await session.person();
  const deliveryIds = options.failed
    ? await failedDeliveryIds(client, options.since, options.subscription)
    : ids;
  const results = await withProgress(session.terminal, 'redelivering', deliveryIds, async (id) => {
    try {
      const { delivery_id: newId } = await client.call<{ delivery_id: string }>(
        'POST',
        `/api/v1/admin/deliveries/${id}/redeliver`,
      );
      return { delivery_id: id, redelivered_as: newId };
    } catch (error) {
      if (session.terminal.signal.aborted) throw error;
      return { delivery_id: id, error: (error as Error).message };
    }
  });
  const failed = results.filter((result) => 'error' in result);
  for (const { delivery_id: id, error } of failed as { delivery_id: string; error: string }[])
    session.printer.note(`${id}: ${error}`);
  session.printer.done(results, `sent ${results.length - failed.length} of ${results.length} again`);
  return failed.length > 0 ? EXIT.failed : EXIT.ok;
}

async function failedDeliveryIds(client: Client, since: string, subscription?: string): Promise<string[]> {
  const all = await lists.subscriptions(client);
  const selected = subscription === undefined ? all : [findByName('subscription', all, subscription)];
  const pages = await Promise.all(
    selected.map(({ id }) =>
      everyEntry<Delivery>(client, `/api/v1/admin/outgoing_webhooks/${id}/deliveries`, {
        filter: 'failed',
        status: 'dead',
        since: moment(since),
        limit: 100,
      }),
    ),
  );
  return pages
    .flat()
    .filter((delivery) => !delivery.redelivered_as)
    .map((delivery) => delivery.delivery_id)
    .reverse();
}

interface RecoverOptions {
  readonly since: string;
  readonly until?: string;
  readonly all?: boolean;
  readonly events?: string[];
  readonly to?: string;
  readonly wait?: boolean;
}

async function recover(session: Session, name: string, options: RecoverOptions): Promise<void> {
  const client = await session.person();
  const { id } = await subscriptionNamed(client, name);
  const body = {
    since: moment(options.since),
    only: options.all ? 'all' : 'failed',
    ...(options.until && { until: moment(options.until) }),
    ...(options.events && { event_types: options.events }),
    ...(options.to && { to: (await subscriptionNamed(client, options.to)).id }),
  };
  const path = `/api/v1/admin/outgoing_webhooks/${id}/recover`;
  let { recovery } = await client.call<{ recovery: Recovery }>('POST', path, { body });
  while (options.wait && recovery.state === 'running') {
    session.terminal.progress(bar('recovering', recovery.done, recovery.total));
    await sleep(200, undefined, { signal: session.terminal.signal });
    ({ recovery } = await client.call<{ recovery: Recovery }>(
      'GET',
      `/api/v1/admin/recoveries/${recovery.id}`,
    ));
  }
  session.terminal.progress(undefined);
  session.printer.done(
    recovery,
    `recovery ${recovery.id}: ${recovery.state}, ${recovery.done} of ${recovery.total}`,
  );
}
