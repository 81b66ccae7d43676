import { Logger } from '@nestjs/common';
import { OperatorReadings } from './operator-readings.js';

const HOUR_MS = 3_600_000;
const lines: string[] = [];
beforeAll(() =>
  Logger.overrideLogger({
    log: (line: string) => lines.push(line),
    error: () => undefined,
    warn: () => undefined,
  }),
);
beforeEach(() => lines.splice(0));

test('writes one line an hour for each list and address', () => {
  const readings = new OperatorReadings();
  readings.log('spaces', '192.0.2.1', 0);
  readings.log('spaces', '192.0.2.1', HOUR_MS - 1);
  readings.log('spaces', '192.0.2.2', 1);
  readings.log('sessions', '192.0.2.1', 1);
  readings.log('spaces', '192.0.2.1', HOUR_MS);
  expect(lines).toEqual([
    'the operator listed the spaces from 192.0.2.1',
    'the operator listed the spaces from 192.0.2.2',
    'the operator listed the sessions from 192.0.2.1',
    'the operator listed the spaces from 192.0.2.1',
  ]);
});
