import { testKeys, testMessages } from '../testing/format-tests.js';
import bodies from './bodies.json' with { type: 'json' };

testMessages([
  [
    'Uptime Kuma: down',
    bodies.firing,
    ['[Site] [🔴 Down] timeout of 48000ms exceeded'],
    'critical',
    'https://site.example/health',
  ],
  [
    'Uptime Kuma: up',
    bodies.resolved,
    ['[RESOLVED] [Site] [✅ Up] 200 - OK'],
    'info',
    'https://site.example/health',
  ],
  ['Uptime Kuma: its test', bodies.test, ['chat Testing'], 'info', undefined],
]);

testKeys([
  ['Uptime Kuma', bodies.firing, { dedupKey: 'kuma:1', resolved: false }],
  ['Uptime Kuma, up', bodies.resolved, { dedupKey: 'kuma:1', resolved: true }],
  ['a test of Uptime Kuma has none', bodies.test, {}],
  ['a monitor of Uptime Kuma in maintenance has none', { ...bodies.firing, heartbeat: { status: 3 } }, {}],
]);
