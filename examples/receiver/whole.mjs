/** Fetches the messages of thin payloads with the token of a bot that may read them. */
const { API, TIELINE_TOKEN } = process.env;
/** Deleted, or not readable by the bot. Retrying does not help. */
const NOTHING_TO_READ = [403, 404, 410];

/**
 * Returns the content of an event: text and msg_index of a message, or nothing if it cannot be
 * read. Rejects if retrying may help.
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
