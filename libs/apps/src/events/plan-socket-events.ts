import { appendPollRecords } from '@tieline/bots';
import type { SlackEvents } from '@tieline/bots';
import type { Tx } from '@tieline/platform/database';
import type { AppEventPayload } from './append-app-event.js';
import { FIND_SOCKET_BOTS } from './app-events.statements.js';

/**
 * Queues events of installations for their bots, where the app receives its events by Slack's
 * socket mode. Others are dropped. Call it in the relay's planning transaction.
 * @returns the bots, to announce after the commit
 */
export async function planSocketEvents(
  tx: Tx,
  slackEvents: SlackEvents,
  events: readonly (AppEventPayload & { eventId: string })[],
): Promise<string[]> {
  if (events.length === 0) return [];
  const ofInstallations = events.map((event) => ({ ...event, installationId: installationOf(event) }));
  const ids = [...new Set(ofInstallations.map(({ installationId }) => installationId))];
  const bots = new Map((await tx.query(FIND_SOCKET_BOTS, [ids])).map((bot) => [bot.id, bot]));
  const received = ofInstallations.flatMap(({ installationId, eventId, app_id: appId, body }) => {
    const bot = bots.get(installationId);
    return bot ? [{ bot, app: { eventId, appId, body } }] : [];
  });
  if (received.length === 0) return [];
  const translated = await slackEvents.translate(
    tx,
    received.map(({ app }) => ({ app })),
  );
  const records = received.flatMap(({ bot: { spaceId, botId } }, at) =>
    (translated[at] ?? []).map((event) => ({ spaceId, botId, ...event })),
  );
  await appendPollRecords(tx, records);
  return records.map(({ botId }) => botId);
}

const installationOf = ({ body }: AppEventPayload): string =>
  (JSON.parse(body) as { installation_id: string }).installation_id;
