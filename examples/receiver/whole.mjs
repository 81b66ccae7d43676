/**
 * Thin payloads name a message and say nothing of it: the receiver asks, with the token of a bot
 * that may read it.
 */
const { API, TIELINE_TOKEN } = process.env;
/** The object was deleted, or the bot may not read it: there is nothing to wait for. */
const NOTHING_TO_READ = [403, 404, 410];

/**
 * Loads the object of a thin event.
 *
 * @returns text and msg_index of a message, nothing if it cannot be read. Rejects if a later retry
 * may succeed
 */
export async function wholeOf({ event_type: type, data }) {
  if (type === 'NOTICE_CREATED' || data.text !== undefined || !data.message_id) return pick(data);
  if (type === 'MESSAGE_DELETED') return { fetched: false };
  const response = await fetch(`${API}/bot/messages/${data.message_id}`, {
    headers: { authorization: `Bearer ${TIELINE_TOKEN}` },
  });
  if (NOTHING_TO_READ.includes(response.status)) return { fetched: false };
  if (!response.ok) throw new Error(`the message was answered with ${response.status}`);
  const { message } = await response.json();
  return { fetched: true, ...pick(message) };
}

const pick = ({ text, msg_index, kind, object_id }) => ({ text, msg_index, kind, object_id });
