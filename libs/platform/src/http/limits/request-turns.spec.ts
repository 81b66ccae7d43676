import { connect } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { jest } from '@jest/globals';
import { Controller, Get, Module, Param } from '@nestjs/common';
import { currentCaller, inRequest, nameCaller } from '@tieline/background';
import { eventually } from '@tieline/testing';
import { pino } from 'pino';
import { createHttpApp } from '../app.js';
import { RequestTurns } from './request-turns.js';

/** Starts this many requests of the sender and notes them. */
function enter(turns: RequestTurns, started: string[], sender: string, count: number): void {
  for (let n = 1; n <= count; n += 1) turns.enter(sender, () => started.push(`${sender}${n}`));
}

test('a sender without others starts all of its requests in one turn', () => {
  const started: string[] = [];
  enter(new RequestTurns(), started, 'a', 50);
  expect(started).toHaveLength(50);
});

test('beside others, a sender starts four requests per turn, in order, and delays no other', async () => {
  const turns = new RequestTurns();
  const started: string[] = [];
  enter(turns, started, 'b', 1);
  enter(turns, started, 'a', 9);
  expect(started).toEqual(['b1', 'a1', 'a2', 'a3', 'a4']);
  started.length = 0;
  await nextTurn();
  expect(started).toEqual(['a5', 'a6', 'a7', 'a8']);
  started.length = 0;
  // A later request of the same sender doesn't overtake the one that waits.
  turns.enter('a', () => started.push('late'));
  enter(turns, started, 'b', 1);
  enter(turns, started, 'c', 5);
  expect(started).toEqual(['b1', 'c1', 'c2', 'c3', 'c4']);
  started.length = 0;
  await nextTurn();
  expect(started).toEqual(['a9', 'late', 'c5']);
  started.length = 0;
  enter(turns, started, 'a', 3);
  expect(started).toEqual(['a1', 'a2']);
  await nextTurn();
  expect(started).toEqual(['a1', 'a2', 'a3']);
});

test('a sender that never exceeds its turn never waits', async () => {
  const turns = new RequestTurns();
  for (let turn = 0; turn < 5; turn += 1) {
    const started: string[] = [];
    enter(turns, started, 'a', 4);
    enter(turns, started, 'b', 4);
    expect(started).toHaveLength(8);
    await nextTurn();
  }
});

test('the order holds when the other sender is no longer active', async () => {
  const turns = new RequestTurns();
  const started: string[] = [];
  const clock = jest.spyOn(performance, 'now').mockReturnValue(0);
  enter(turns, started, 'b', 1);
  enter(turns, started, 'a', 5);
  clock.mockReturnValue(1001);
  turns.enter('a', () => started.push('late'));
  await nextTurn();
  clock.mockRestore();
  expect(started).toEqual(['b1', 'a1', 'a2', 'a3', 'a4', 'a5', 'late']);
});

test('no more than a thousand requests wait: further ones start the oldest', async () => {
  const turns = new RequestTurns();
  const started: string[] = [];
  enter(turns, started, 'b', 1);
  enter(turns, started, 'a', 1004);
  expect(started).toHaveLength(5);
  for (const name of ['late', 'later']) turns.enter('a', () => started.push(name));
  expect(started.slice(5)).toEqual(['a5', 'a6']);
  while (started.length < 1007) await nextTurn();
  await nextTurn();
  started.length = 0;
  enter(turns, started, 'a', 5);
  expect(started).toHaveLength(4);
});

test('a request that waited starts in its own context', async () => {
  const turns = new RequestTurns();
  const seen: (string | undefined)[] = [];
  turns.enter('b', () => undefined);
  for (const caller of ['1', '2', '3', '4', '5', '6'])
    inRequest(() => {
      nameCaller(caller);
      turns.enter('a', () => seen.push(currentCaller()));
    });
  await nextTurn();
  expect(seen).toEqual(['1', '2', '3', '4', '5', '6']);
});

const handled: string[] = [];

@Controller()
class TurnsController {
  @Get('turns/:name') one(@Param('name') name: string): string {
    handled.push(name);
    return name;
  }
}

@Module({ controllers: [TurnsController] })
class TurnsModule {}

test('the api reads the request of another sender before the rest of a burst', async () => {
  const settings = { logger: pino({ level: 'silent' }), nestLogger: false as const };
  const app = await createHttpApp(TurnsModule, settings);
  await app.listen(0, '127.0.0.1');
  const socket = connect((app.getHttpServer().address() as { port: number }).port, '127.0.0.1');
  const request = (sender: string, name: string): string =>
    `GET /turns/${name} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${sender}\r\n\r\n`;
  const burst = Array.from({ length: 9 }, (_, n) => request('a', `a${n}`));
  // In one write, so that all of them arrive in the same turn.
  socket.write([request('b', 'b0'), ...burst, request('b', 'b1')].join(''));
  await eventually(() => expect(handled).toHaveLength(11));
  expect(handled).toEqual(['b0', 'a0', 'a1', 'a2', 'a3', 'b1', 'a4', 'a5', 'a6', 'a7', 'a8']);
  socket.destroy();
  await app.close();
});
