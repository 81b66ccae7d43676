import { hasPgBouncer, startPgBouncer } from '@tieline/testing';
import type { PgBouncer } from '@tieline/testing';
import { createWorkspace, post, subscribe, Tieline } from './tieline.js';

let tieline: Tieline;
let bouncer: PgBouncer | undefined;
beforeEach(async () => {
  tieline = await Tieline.create();
});
afterEach(async () => {
  await tieline?.close();
  await bouncer?.stop();
});

if (hasPgBouncer()) {
  test('api and worker behind a stock PgBouncer in session mode: a message is delivered', async () => {
    bouncer = await startPgBouncer(tieline.databaseUrl);
    const env = { DATABASE_URL: bouncer.url };
    const [api] = await Promise.all([tieline.start('api', env), tieline.start('worker', env)]);
    const receiver = await tieline.receiver();
    const workspace = await createWorkspace(api);
    await subscribe(api, workspace, receiver.url);
    await post(api, workspace, 'through the pooler');
    await receiver.waitFor((request) => request.body.includes('through the pooler'));
  });
} else {
  process.stderr.write('SKIPPED: pgbouncer is not installed; its package is named pgbouncer\n');
  test('PgBouncer is not tested: it is not installed', () => expect(hasPgBouncer()).toBe(false));
}
