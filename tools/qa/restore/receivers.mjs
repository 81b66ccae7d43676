import { startReceiver } from '../receiver.mjs';

/**
 * Starts two receivers: one accepts everything, the other nothing until it is repaired, so that
 * something is always in flight.
 */
export async function startReceivers() {
  /**
   * What was accepted, in the order of arrival; a repeat is there twice.
   * @type {{ path: string, eventId: string, messageId: string }[]}
   */
  const taken = [];
  let isRepaired = false;
  const receiver = await startReceiver((path, { event_id: eventId, data }, response) => {
    // 429 is tried again and opens no breaker.
    if (path === '/late' && !isRepaired) return response.writeHead(429).end();
    taken.push({ path, eventId, messageId: data.message_id });
    return response.end();
  });
  return {
    ...receiver,
    taken,
    repair: () => (isRepaired = true),
    damage: () => (isRepaired = false),
  };
}
