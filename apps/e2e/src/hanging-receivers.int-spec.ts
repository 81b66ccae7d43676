import { eventually } from '@tieline/testing';
import { eventsOf, makeWorkspace, post, subscribe, Tieline } from './tieline.js';

let tieline: Tieline;

beforeAll(async () => {
  tieline = await Tieline.create();
});
afterAll(() => tieline?.close());

test('with 10 % of the receivers hanging, the healthy ones get everything and their p99 stays under 1 s at 200 events per second', async () => {
  const api = await tieline.start('api');
  await tieline.start('worker');
  const workspace = await makeWorkspace(api, { channels: 20 });
  const healthy = await tieline.receiver();
  const hanging = await tieline.receiver();
  hanging.respond('hang');
  for (const [n, channel] of workspace.channels.entries()) {
    await subscribe(api, workspace, n % 10 === 9 ? hanging.url : healthy.url, { channel_ids: [channel] });
  }
  const events = 2000;
  const begun = Date.now();
  const posts: Promise<string>[] = [];
  while (posts.length < events) {
    const due = Math.min(events, Math.floor(((Date.now() - begun) / 1000) * 200) + 1);
    while (posts.length < due)
      posts.push(post(api, workspace, `event ${posts.length}`, workspace.channels[posts.length % 20]));
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  await Promise.all(posts);
  await eventually(() => expect(healthy.requests.length).toBeGreaterThanOrEqual(events * 0.9), {
    timeoutMs: 20_000,
  });
  const occurred = eventsOf(healthy).map((event) => Date.parse(event.occurred_at));
  const ages = healthy.requests.map((request, n) => request.at - (occurred[n] ?? 0)).sort((a, b) => a - b);
  expect(healthy.requests).toHaveLength(events * 0.9);
  expect(ages[Math.floor(ages.length * 0.99)]).toBeLessThan(1000);
  expect(hanging.requests.length).toBeGreaterThan(0);
}, 90_000);
