import { HeldFlow, HeldInAll } from './held-flow.js';
import type { HeldEvent } from './held-flow.js';

const event = (size: number): HeldEvent => ({ channelId: 'c', views: undefined as never, size });

test("a buffer keeps events while any read runs, returns them from each read's position, and is cleared after the last one", () => {
  const inAll = new HeldInAll();
  const flow = new HeldFlow(inAll);
  flow.hold(event(1));
  expect(flow.position).toBe(0);
  flow.begin();
  flow.hold(event(10));
  const second = flow.position;
  flow.begin();
  flow.hold(event(20));
  expect(flow.since(0).map(({ size }) => size)).toEqual([10, 20]);
  expect(flow.since(second).map(({ size }) => size)).toEqual([20]);
  flow.end();
  expect([flow.characters, inAll.characters]).toEqual([30, 30]);
  flow.end();
  expect([flow.position, flow.characters, inAll.characters]).toEqual([0, 0, 0]);
});

test('a buffer reports when it is too large, per space and in total', () => {
  const inAll = new HeldInAll();
  const flows = Array.from({ length: 9 }, () => new HeldFlow(inAll));
  for (const flow of flows) {
    flow.begin();
    flow.hold(event(8_000_000));
    expect(flow.tooMuch).toBe(false);
  }
  expect(inAll.tooMuch).toBe(true);
  flows[0]?.end();
  expect(inAll.tooMuch).toBe(false);
  flows[1]?.hold(event(400_000));
  expect(flows[1]?.tooMuch).toBe(true);
});
