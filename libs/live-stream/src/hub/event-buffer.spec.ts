import { EventBuffer, BufferTotal } from './event-buffer.js';
import type { BufferedEvent } from './event-buffer.js';

const event = (size: number): BufferedEvent => ({ channelId: 'c', views: undefined as never, size });

test("a buffer keeps events while any read runs, returns them from each read's position, and is cleared after the last one", () => {
  const inAll = new BufferTotal();
  const buffer = new EventBuffer(inAll);
  buffer.add(event(1));
  expect(buffer.position).toBe(0);
  buffer.begin();
  buffer.add(event(10));
  const second = buffer.position;
  buffer.begin();
  buffer.add(event(20));
  expect(buffer.since(0).map(({ size }) => size)).toEqual([10, 20]);
  expect(buffer.since(second).map(({ size }) => size)).toEqual([20]);
  buffer.end();
  expect([buffer.characters, inAll.characters]).toEqual([30, 30]);
  buffer.end();
  expect([buffer.position, buffer.characters, inAll.characters]).toEqual([0, 0, 0]);
});

test('a buffer reports when it is too large, per space and in total', () => {
  const inAll = new BufferTotal();
  const buffers = Array.from({ length: 9 }, () => new EventBuffer(inAll));
  for (const buffer of buffers) {
    buffer.begin();
    buffer.add(event(8_000_000));
    expect(buffer.isFull).toBe(false);
  }
  expect(inAll.isFull).toBe(true);
  buffers[0]?.end();
  expect(inAll.isFull).toBe(false);
  buffers[1]?.add(event(400_000));
  expect(buffers[1]?.isFull).toBe(true);
});
