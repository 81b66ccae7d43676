import { EventEmitter } from 'node:events';
import { jest } from '@jest/globals';
import { VERSION } from '../config/index.js';
import { createLogger, flushSoon } from './logger.js';
import { NestLogger } from './nest-logger.js';

type Line = Record<string, unknown>;

function capture(logLevel = 'info') {
  const lines: Line[] = [];
  const logger = createLogger({ logLevel } as never, 'api', {
    write: (line: string) => void lines.push(JSON.parse(line) as Line),
  });
  return { lines, logger };
}

describe('createLogger', () => {
  it('writes one JSON object per line, with time, level, process and version', () => {
    const { lines, logger } = capture();
    logger.info({ request_id: 'r1', token: 'tlb_x' }, 'request');
    expect(lines).toEqual([
      {
        level: 'info',
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        process: 'api',
        version: VERSION,
        request_id: 'r1',
        token: '[hidden]',
        msg: 'request',
      },
    ]);
  });

  it('respects its level', () => {
    const { lines, logger } = capture('warn');
    logger.info('quiet');
    logger.warn('loud');
    expect(lines.map((line) => line.msg)).toEqual(['loud']);
  });

  it('describes errors, logged alone or with fields', () => {
    const { lines, logger } = capture();
    logger.error(new Error('alone'));
    logger.error({ err: Object.assign(new Error('beside'), { code: '57P01' }) }, 'statement failed');
    expect(lines[0]).toMatchObject({ level: 'error', err: { message: 'alone' } });
    expect(lines[1]).toMatchObject({
      err: { message: 'beside', code: '57P01', stack: expect.stringContaining('beside') },
      msg: 'statement failed',
    });
  });
});

describe('NestLogger', () => {
  it('passes on level, part, message and stack', () => {
    const { lines, logger } = capture('trace');
    const nest = new NestLogger(logger);
    nest.log('started', 'NestFactory');
    nest.error('broken', 'Error: broken\n  at x', 'ExceptionsHandler');
    nest.error(new Error('thrown'));
    nest.verbose({ routes: 3 }, 'Router');
    expect(lines).toMatchObject([
      { level: 'info', msg: 'started', context: 'NestFactory' },
      { level: 'error', msg: 'broken', context: 'ExceptionsHandler', stack: 'Error: broken\n  at x' },
      { level: 'error', msg: 'thrown', err: { message: 'thrown' } },
      { level: 'trace', msg: 'nest', detail: { routes: 3 }, context: 'Router' },
    ]);
  });
});

describe('flushSoon', () => {
  /** Like the streams of `pino.destination`: a flush has no effect during a write. */
  class Buffered extends EventEmitter {
    readonly written: string[] = [];
    flushes = 0;
    isBusy = false;
    private lines: string[] = [];

    write(line: string): void {
      this.lines.push(line);
    }

    flush(): void {
      this.flushes += 1;
      if (!this.isBusy) this.finish();
    }

    finish(): void {
      this.isBusy = false;
      this.written.push(...this.lines.splice(0));
      this.emit('drain');
    }
  }

  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('writes lines within 100 ms, and wakes no process that logs nothing', () => {
    const stream = new Buffered();
    const destination = flushSoon(stream);
    jest.advanceTimersByTime(10_000);
    expect(stream.flushes).toBe(0);
    destination.write('a');
    destination.write('b');
    jest.advanceTimersByTime(100);
    expect(stream).toMatchObject({ written: ['a', 'b'], flushes: 1 });
    jest.advanceTimersByTime(10_000);
    expect(stream.flushes).toBe(2);
  });

  it('flushes again if earlier lines were being written', () => {
    const stream = new Buffered();
    const destination = flushSoon(stream);
    stream.isBusy = true;
    destination.write('a');
    jest.advanceTimersByTime(100);
    destination.write('b');
    jest.advanceTimersByTime(100);
    expect(stream.written).toEqual([]);
    stream.isBusy = false;
    stream.emit('drain');
    jest.advanceTimersByTime(100);
    expect(stream.written).toEqual(['a', 'b']);
  });
});
