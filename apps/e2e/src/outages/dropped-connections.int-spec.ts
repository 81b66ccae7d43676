import { eventually, startTcpProxy } from '@tieline/testing';
import type { AppProcess, TcpProxy } from '@tieline/testing';
import { call, createWorkspace, Tieline } from '../tieline.js';
import type { Workspace } from '../tieline.js';

let tieline: Tieline;
let proxy: TcpProxy;
beforeEach(async () => {
  tieline = await Tieline.create();
  proxy = await startTcpProxy(tieline.databaseUrl);
});
afterEach(async () => {
  await tieline?.close();
  await proxy?.close();
});

const postOf = (api: AppProcess, { ownerToken, channels }: Workspace): Promise<number> =>
  call(api, 'POST', `/api/v1/client/conversations/${channels[0]}/messages`, ownerToken, {
    text: 'hello',
  }).then(
    ({ status }) => status,
    () => 0,
  );

const readiness = async (api: AppProcess): Promise<number> => (await fetch(`${api.url}/health/ready`)).status;

test('when a firewall silently drops database connections readiness reports it, and requests work again before their statements time out', async () => {
  const api = await tieline.start('api', { DATABASE_URL: proxy.url });
  const workspace = await createWorkspace(api);
  await Promise.all(Array.from({ length: 30 }, () => postOf(api, workspace)));
  expect(await postOf(api, workspace)).toBe(200);

  proxy.swallow();
  // Asked first, because the first unanswered statement starts the time until recovery.
  const ready = readiness(api);
  const waiting = Array.from({ length: 30 }, () => postOf(api, workspace));
  expect(await ready).toBe(503);
  // After about five seconds. Statements time out after 33 seconds.
  await eventually(async () => expect(await readiness(api)).toBe(200), { timeoutMs: 20_000 });
  expect(await postOf(api, workspace)).toBe(200);
  // No request hangs.
  expect(new Set([200, 503, ...(await Promise.all(waiting))])).toEqual(new Set([200, 503]));
});
