import { openLoop, quantile, statsOf } from './load.mjs';
import { waitUntil } from './rows.mjs';

/**
 * Posts at a steady rate until all has arrived.
 * @returns quantiles of the time from an event's commit to the receiver's request, in milliseconds
 */
export async function ages(apiUrl, receiverUrl, { perSecond, seconds, request }) {
  await fetch(`${receiverUrl}/reset`);
  const { total, failures } = await openLoop({ origin: apiUrl, perSecond, seconds, request });
  let stats;
  await waitUntil(async () => {
    stats = await statsOf(receiverUrl);
    return stats.count >= total - failures;
  });
  return { p50: quantile(stats.ages, 0.5), p99: quantile(stats.ages, 0.99) };
}
