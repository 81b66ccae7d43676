import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { EventStreamClient, eventually, freePort, TEST_ENVIRONMENT } from '@tieline/testing';
import type { AppProcess } from '@tieline/testing';
import { call, expectOk, createWorkspace, Tieline } from '../tieline.js';
import type { Workspace } from '../tieline.js';

let tieline: Tieline;
let api: AppProcess;
let workspace: Workspace;
let metricsPort: number, operatorPort: number;
const sockets: Socket[] = [];

beforeAll(async () => {
  [metricsPort, operatorPort] = [await freePort(), await freePort()];
  tieline = await Tieline.create({ HTTP_STALLED_SECONDS: '10' });
  api = await tieline.start('api', { LOG_LEVEL: 'debug' });
  workspace = await createWorkspace(api);
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});
afterAll(() => tieline?.close());

/** Opens a connection, sends these bytes and never reads. */
function unread(bytes: string): Socket {
  const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
  sockets.push(socket.on('error', () => undefined));
  socket.write(bytes);
  return socket;
}

async function megabytes(): Promise<number> {
  const metrics = await fetch(`${api.url}/metrics`).then((response) => response.text());
  return Number(/^process_resident_memory_bytes (\S+)$/m.exec(metrics)?.[1]) / 1_048_576;
}

const open = (): Promise<EventStreamClient> =>
  EventStreamClient.open(`${api.url}/api/v1/client/stream`, workspace.ownerToken);

test('forty unread pages of large messages use no lasting memory, and a page is limited to 1 MiB', async () => {
  const channel = workspace.channels[0] as string;
  await tieline.sql.query(
    `INSERT INTO messages (space_id, id, conversation_id, msg_index, author_id, author_type, text, metadata_json, sent_at)
     SELECT $1, gen_random_uuid(), $2, n, $3, 'bot', 'x', json_build_object('a', repeat(md5(n::text), 2000)), now() FROM generate_series(1, 200) n`,
    [workspace.spaceId, channel, workspace.botId],
  );
  await tieline.sql.query('UPDATE conversations SET last_msg_index = 200 WHERE id = $1', [channel]);
  const path = `/api/v1/channels/${channel}/messages?limit=200`;
  const page = await fetch(`${api.url}${path}`, {
    headers: { authorization: `Bearer ${workspace.ownerToken}` },
  });
  const text = await page.text();
  const { messages, ...rest } = JSON.parse(text);
  expect(text.length).toBeLessThanOrEqual(1_048_576);
  expect([messages.at(-1).msg_index, rest]).toEqual([
    200,
    { ok: true, has_more_before: true, has_more_after: false },
  ]);
  let seen = messages.length as number;
  for (let before = messages[0].msg_index as number; before > 1;) {
    const { body } = await call(api, 'GET', `${path}&before_msg_index=${before}`, workspace.ownerToken);
    seen += body.messages.length;
    before = body.messages[0].msg_index;
  }
  expect(seen).toBe(200);

  const before = await megabytes();
  for (let n = 0; n < 40; n += 1)
    unread(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${workspace.ownerToken}\r\n\r\n`);
  // Later requests run after them or are refused if that takes too long; by then all were answered.
  expect([200, 429]).toContain((await call(api, 'GET', path, workspace.ownerToken)).status);
  await eventually(async () => expect((await megabytes()) - before).toBeLessThan(200), { timeoutMs: 60_000 });
});

test('every group of endpoints refuses a body that is too large in its documented error shape', async () => {
  const endpoints: [string, string, string][] = [
    ['POST', 'bot/messages', workspace.botToken],
    ['POST', `client/conversations/${workspace.channels[0]}/messages`, workspace.ownerToken],
    ['PATCH', `admin/bots/${workspace.botId}`, workspace.ownerToken],
    ['POST', 'operator/spaces', TEST_ENVIRONMENT.OPERATOR_TOKEN],
    ['POST', 'client/session', ''],
  ];
  for (const [method, path, token] of endpoints) {
    // The size is announced but not sent: the response does not wait for the body.
    const answer = await text(
      unread(
        `${method} /api/v1/${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\ncontent-length: 3000000\r\n\r\n`,
      ),
    );
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    expect([path, head.split('\r\n', 1), JSON.parse(body)]).toEqual([
      path,
      ['HTTP/1.1 413 Payload Too Large'],
      { ok: false, error: 'request body too large', code: 'body_too_large' },
    ]);
  }
});

test('a request whose sender disconnects gets a documented response', async () => {
  const failed = (): number => api.output().split('client left before the end of its body').length;
  const before = failed();
  unread(
    `POST /api/v1/bot/messages HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${workspace.botToken}\r\ncontent-length: 100\r\n\r\n{"con`,
  ).end();
  // Every response is checked against the document; this one is logged too.
  await eventually(() => expect(failed()).toBeGreaterThan(before));
});

test('a person’s eleventh stream ends the first', async () => {
  const streams: EventStreamClient[] = [];
  for (let n = 0; n < 11; n += 1) streams.push(await open());
  await streams[0]!.until(({ ended }) => ended);
  expect(streams.filter(({ ended }) => ended)).toHaveLength(1);
  for (const stream of streams) stream.close();
});

test('a new token for a person, set by an admin or the operator, ends their streams', async () => {
  const stream = await open();
  const { users } = await expectOk(call(api, 'GET', '/api/v1/admin/users', workspace.ownerToken));
  const { token } = await expectOk(
    call(
      api,
      'POST',
      `/api/v1/operator/spaces/${workspace.spaceId}/users/${users[0].id}/regenerate_token`,
      TEST_ENVIRONMENT.OPERATOR_TOKEN,
    ),
  );
  await stream.until(({ ended }) => ended);
  expect((await call(api, 'GET', '/api/v1/client/me', workspace.ownerToken)).status).toBe(401);
  expect((await call(api, 'GET', '/api/v1/client/me', token)).status).toBe(200);
  workspace.ownerToken = token as string;
});

test('metrics and operator endpoints are on separate ports, and the worker needs no operator token', async () => {
  const apart = await tieline.start('api', {
    METRICS_PORT: String(metricsPort),
    OPERATOR_PORT: String(operatorPort),
    // Paths of other ports get 404 here, which the document does not describe.
    TIELINE_ANSWER_FAULTS: '/dev/null',
  });
  const statuses = async (origin: string): Promise<number[]> => {
    const headers = { authorization: `Bearer ${TEST_ENVIRONMENT.OPERATOR_TOKEN}` };
    const paths = ['/metrics', '/api/v1/operator/spaces', '/health/live'];
    return Promise.all(paths.map(async (path) => (await fetch(`${origin}${path}`, { headers })).status));
  };
  expect(await statuses(apart.url)).toEqual([404, 404, 200]);
  expect(await statuses(`http://127.0.0.1:${metricsPort}`)).toEqual([200, 404, 404]);
  expect(await statuses(`http://127.0.0.1:${operatorPort}`)).toEqual([404, 200, 404]);
  await tieline.start('worker', { OPERATOR_TOKEN: '' });
});
