// Checks the promises of docs/reliability.md: every accepted message is stored once and delivered
// to everyone, and nothing is pending.

/** Rows that should be gone, or final, once there is no traffic any more. */
const PENDING = {
  'events to be planned': 'SELECT count(*)::int AS n FROM outbox',
  'events set aside': 'SELECT count(*)::int AS n FROM outbox_rejected',
  'deliveries to be sent': 'SELECT count(*)::int AS n FROM delivery_queue',
  'deliveries that are not over': "SELECT count(*)::int AS n FROM deliveries WHERE status = 'pending'",
  'notifications to be made': 'SELECT count(*)::int AS n FROM notification_jobs',
  'notifications set aside': 'SELECT count(*)::int AS n FROM notification_rejected',
  'messages that wait for their files':
    "SELECT count(*)::int AS n FROM message_attachments WHERE status = 'pending'",
  'edits of placeholders': 'SELECT count(*)::int AS n FROM agent_runs WHERE edit_due_at IS NOT NULL',
};
const EXAMPLES = 5;
/** How far the clocks of two processes of a machine may be apart. */
const CLOCK_MS = 50;

/** @returns what is pending, by its name */
export async function pending(sql) {
  const found = {};
  for (const [name, text] of Object.entries(PENDING)) {
    const { n } = (await sql.query(text)).rows[0];
    if (n > 0) found[name] = n;
  }
  return found;
}

/** @returns sentences about everything that is not as promised */
export async function faultsOf(sql, world, ledger, readers) {
  const { rows } = await sql.query('SELECT id, text, conversation_id FROM messages');
  return [
    ...ledger.faults.map((fault) => `unexpected answer: ${fault}`),
    ...readers.polling.faults.map((fault) => `the queue gave ${fault}`),
    ...messageFaults(rows, world, ledger, readers),
    ...(await alertFaults(sql, ledger)),
    ...(await endFaults(sql, ledger)),
    ...(await changeFaults(sql, ledger, readers.changes)),
    ...(await orderFaults(sql, world, readers.ordered)),
    ...(await endedFaults(sql, world, readers)),
  ];
}

/**
 * @param {{ id: string, text: string, conversation_id: string }[]} rows every message that is
 * stored
 */
export function messageFaults(rows, world, ledger, readers) {
  const inChannels = rows.filter((row) => world.channels.includes(row.conversation_id));
  const direct = rows.filter((row) => row.conversation_id === world.dm);
  return [
    ...storedFaults(rows, ledger),
    ...toldFaults('the subscriptions', readers.hook, inChannels),
    ...toldFaults('the push bot', readers.push, inChannels),
    ...toldFaults('the polling bot', readers.polling.told, inChannels),
    ...toldFaults('the bot with a socket', readers.socket.told, inChannels),
    ...toldFaults(
      'the subscription that was recovered',
      readers.recovered,
      inChannels.filter((row) => row.conversation_id === world.other),
    ),
    ...toldFaults('the DM stream', readers.listening.told, direct),
  ];
}

function storedFaults(rows, { accepted, unknown }) {
  const ids = new Map();
  for (const { id, text } of rows) ids.set(text, [...(ids.get(text) ?? []), id]);
  const lost = [...accepted].filter(([text, id]) => !ids.get(text)?.includes(id)).map(([text]) => text);
  const doubled = [...accepted.keys(), ...unknown].filter((text) => (ids.get(text)?.length ?? 0) > 1);
  return [...fault('accepted messages are not stored', lost), ...fault('messages are stored twice', doubled)];
}

function toldFaults(who, told, rows) {
  const missed = rows.filter(({ id }) => !told.messages.has(id)).map(({ text }) => text);
  const twice = [...told.messages].filter(([, events]) => events.size > 1).map(([id]) => id);
  return [
    ...fault(`messages never reached ${who}`, missed),
    ...fault(`messages came to ${who} as several events`, twice),
  ];
}

/** A notification for the one member of the channels, once. */
async function alertFaults(sql, { alerts }) {
  const { rows } = await sql.query(
    'SELECT id, (SELECT count(*)::int FROM notifications WHERE message_id = a.id) AS n FROM unnest($1::uuid[]) AS a(id)',
    [[...alerts]],
  );
  return fault(
    'alerts were not brought to notice exactly once',
    rows.filter(({ n }) => n !== 1).map(({ id, n }) => `${id} ${n} times`),
  );
}

async function endFaults(sql, { runs, tasks }) {
  const left = async (table, ids) =>
    (
      await sql.query(
        `SELECT id, status FROM unnest($1::uuid[]) AS a(id) LEFT JOIN ${table} t USING (id) WHERE t.status IS DISTINCT FROM 'completed'`,
        [[...ids]],
      )
    ).rows.map(({ id, status }) => `${id} ${status}`);
  return [
    ...fault('runs are not completed', await left('agent_runs', runs)),
    ...fault('tasks are not completed', await left('execution_tasks', tasks)),
  ];
}

/** Checks that accepted changes are stored and were delivered. */
async function changeFaults(sql, { edits, reactions, files }, changes) {
  const { rows } = await sql.query('SELECT id, text FROM messages WHERE id = ANY($1)', [[...edits.keys()]]);
  const reacted = await sql.query('SELECT message_id FROM reactions WHERE message_id = ANY($1)', [
    [...reactions],
  ]);
  const attached = await sql.query(
    "SELECT message_id FROM message_attachments WHERE message_id = ANY($1) AND status = 'attached'",
    [[...files]],
  );
  const untold = (type, ids) => [...ids].filter((id) => !changes.messages.has(`${type} ${id}`));
  return [
    ...fault(
      'edits are not stored',
      rows.filter(({ id, text }) => edits.get(id) !== text).map(({ text }) => text),
    ),
    ...fault('reactions are not stored', without(reactions, reacted.rows)),
    ...fault('messages have lost their files', without(files, attached.rows)),
    ...fault('edits were told to nobody', untold('MESSAGE_UPDATED', edits.keys())),
    ...fault('reactions were told to nobody', untold('REACTION_ADDED', reactions)),
  ];
}

const without = (ids, rows) => {
  const found = new Set(rows.map((row) => row.message_id));
  return [...ids].filter((id) => !found.has(id));
};

async function orderFaults(sql, { ordinary }, ordered) {
  const { rows } = await sql.query(
    'SELECT id, msg_index::int AS n FROM messages WHERE conversation_id = $1',
    [ordinary],
  );
  return disorder(rows, ordered);
}

/**
 * In an ordered subscription nothing comes after what is newer, however often it comes.
 * @param {{ id: string, n: number }[]} rows its messages with their `msg_index` @param {string[]}
 * ordered ids as they came
 */
export function disorder(rows, ordered) {
  const index = new Map(rows.map(({ id, n }) => [id, n]));
  let newest = -1;
  const late = [];
  for (const id of ordered) {
    const n = index.get(id) ?? newest;
    if (n < newest) late.push(`${n} after ${newest}`);
    newest = Math.max(newest, n);
  }
  const heard = new Set(ordered);
  const missed = rows.filter(({ id }) => !heard.has(id)).map(({ n }) => n);
  return [
    ...fault('messages came out of order', late),
    ...fault('messages never reached the ordered subscription', missed),
  ];
}

async function endedFaults(sql, world, readers) {
  const { rows } = await sql.query(
    "SELECT id, target_id, extract(epoch FROM finished_at) * 1000 AS ended FROM deliveries WHERE status = 'dead'",
  );
  return wrongEnds(rows, world, readers);
}

/**
 * Only failing receivers may have dead deliveries, and dead deliveries are not sent again.
 * @param {{ id: string, target_id: string, ended: number | string }[]} rows dead deliveries and
 * when they ended, in milliseconds
 */
export function wrongEnds(rows, { unwell, refusing }, { arrivals, trapped }) {
  const given = rows.filter((row) => ![...unwell, refusing].includes(row.target_id)).map(({ id }) => id);
  const late = rows
    .filter(({ id, ended }) => arrivals.get(id) > Number(ended) + CLOCK_MS)
    .map(({ id }) => id);
  return [
    ...fault('deliveries to receivers that work were given up', given),
    ...fault('deliveries were sent after they had been given up', late),
    ...(trapped > 0 ? [`${trapped} redirects were followed`] : []),
  ];
}

function fault(what, examples) {
  return examples.length === 0
    ? []
    : [`${examples.length} ${what}: ${examples.slice(0, EXAMPLES).join(', ')}`];
}
