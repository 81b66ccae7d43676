// What the contract promises, counted: every accepted message is stored once and told to everybody, and nothing is pending.

/** Rows that should be gone, or final, once there is no traffic any more. */
const PENDING = {
  'events to be planned': 'SELECT count(*)::int AS n FROM outbox',
  'events set aside': 'SELECT count(*)::int AS n FROM outbox_rejected',
  'deliveries to be sent': 'SELECT count(*)::int AS n FROM delivery_queue',
  'deliveries that did not succeed': "SELECT count(*)::int AS n FROM deliveries WHERE status <> 'success'",
  'notifications to be made': 'SELECT count(*)::int AS n FROM notification_jobs',
  'notifications set aside': 'SELECT count(*)::int AS n FROM notification_rejected',
  'edits of placeholders': 'SELECT count(*)::int AS n FROM agent_runs WHERE edit_due_at IS NOT NULL',
};
const EXAMPLES = 5;

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
  ];
}

/** @param {{ id: string, text: string, conversation_id: string }[]} rows every message that is stored */
export function messageFaults(rows, world, ledger, readers) {
  const inChannels = rows.filter((row) => world.channels.includes(row.conversation_id));
  const direct = rows.filter((row) => row.conversation_id === world.dm);
  return [
    ...storedFaults(rows, ledger),
    ...toldFaults('the subscriptions', readers.hook, inChannels),
    ...toldFaults('the push bot', readers.push, inChannels),
    ...toldFaults('the polling bot', readers.polling.told, inChannels),
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

function fault(what, examples) {
  return examples.length === 0
    ? []
    : [`${examples.length} ${what}: ${examples.slice(0, EXAMPLES).join(', ')}`];
}
