import { testKeys, testMessages } from '../testing/format-tests.js';
import bodies from './bodies.json' with { type: 'json' };

testMessages([
  [
    'Apprise: a failure',
    bodies.failure,
    ['Backup', String.raw`db1 \*failed\* \@channel`],
    'critical',
    undefined,
  ],
  [
    'Apprise: a warning with files',
    { ...bodies.failure, type: 'warning', attachments: [{ filename: 'a', base64: 'YQ==' }] },
    ['Backup', String.raw`db1 \*failed\* \@channel`],
    'warning',
    undefined,
  ],
  [
    'Apprise: a success',
    { version: '1.0', title: '', message: 'fine', type: 'success' },
    ['fine'],
    'info',
    undefined,
  ],
]);

testKeys([['Apprise has none', bodies.failure, {}]]);
