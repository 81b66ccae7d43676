import type { CallOptions } from '../client/transport.js';
import { registerCommands } from './commands.js';
import type { CommandSettings } from './commands.js';

const KNOWN = [
  {
    id: '1',
    name: 'same',
    description: 'Does it',
    options: [{ name: 'n', type: 'integer', required: false }],
  },
  { id: '2', name: 'other', description: 'Did it' },
  { id: '3', name: 'elsewhere' },
];

async function register(commands: Record<string, CommandSettings>, refuse?: number, field?: string) {
  const calls: [string, string, unknown][] = [];
  const api = {
    call: <T>(method: string, path: string, options?: CallOptions): Promise<T> => {
      if (method === 'GET') return Promise.resolve({ commands: KNOWN } as T);
      calls.push([method, path, options?.body]);
      if (refuse === undefined) return Promise.resolve({} as T);
      return Promise.reject(Object.assign(new Error('refused'), { status: refuse, field }));
    },
  };
  const refused = await registerCommands(api, 'b', new Map(Object.entries(commands)));
  return { calls, refused };
}

test('creates missing commands, updates different ones and leaves the rest', async () => {
  const { calls } = await register({
    same: { description: 'Does it', options: [{ name: 'n', type: 'integer' }] },
    other: { description: 'Does it' },
    fresh: { usage_hint: '<n>' },
    elsewhere: {},
  });
  expect(calls).toEqual([
    ['PATCH', '/api/v1/bots/b/commands/2', { description: 'Does it' }],
    ['POST', '/api/v1/bots/b/commands', { name: 'fresh', usage_hint: '<n>' }],
  ]);
});

test.each([
  [
    'an option more',
    [
      { name: 'n', type: 'integer' },
      { name: 'm', type: 'string' },
    ],
  ],
  ['another type', [{ name: 'n', type: 'number' }]],
  ['none any more', []],
])('options are compared: %s', async (_, options) => {
  expect((await register({ same: { options } })).calls).toHaveLength(1);
});

test('reports a command that cannot be registered and continues', async () => {
  for (const [status, field] of [[400, 'callback_url'], [402], [409]] as const)
    expect((await register({ fresh: {} }, status, field)).refused).toEqual(['/fresh: refused']);
});

test('an invalid definition or an outage aborts the start', async () => {
  await expect(register({ fresh: {} }, 400, 'options[0].type')).rejects.toThrow('refused');
  await expect(register({ fresh: {} }, 503)).rejects.toThrow('refused');
});
