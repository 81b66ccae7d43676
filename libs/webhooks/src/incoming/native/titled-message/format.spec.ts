import { readMessage } from '../../read-message.js';
import { shown } from '../testing/format-tests.js';
import bodies from './bodies.json' with { type: 'json' };

describe('a title and a message', () => {
  test.each<[object, string, string[]]>([
    [bodies.message, 'warning', ['Backup', String.raw`db1 \*failed\*`]],
    [{ title: 'Backup', message: 'done', type: 'success' }, 'info', ['Backup', 'done']],
    [{ title: 'Backup', message: 'gone', type: 'failure' }, 'critical', ['Backup', 'gone']],
    [
      { title: 'Backup', message: 'gone', type: 'info', severity: 'critical' },
      'critical',
      ['Backup', 'gone'],
    ],
  ])('%j', (body, severity, lines) => {
    expect(shown(body)).toEqual({ severity, lines });
  });

  test('a message without a title is in no known format', () => {
    expect(readMessage({ message: 'x' })).toMatchObject({
      ok: false,
      reason: 'unknown format: keys message',
    });
  });
});
