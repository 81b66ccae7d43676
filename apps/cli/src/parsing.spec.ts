import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import { pairsOf } from './bots/conversation.js';
import { packageName, scaffold } from './bots/scaffold.js';
import type { Language } from './bots/scaffold.js';
import { candidates } from './completion/candidates.js';
import { commandLine } from './cli.js';
import { clockFinding, nodeFinding, versionFinding } from './machine/finding.js';
import { settingFindings } from './machine/local-findings.js';
import { EXIT } from './output/exit-codes.js';
import { fieldValues } from './people/field-values.js';
import { headersOf } from './signatures/headers-of.js';
import { bar } from './terminal/progress.js';
import type { Terminal } from './terminal/terminal.js';

test('values of fields are texts, JSON, or lists', () => {
  expect(fieldValues(['a=1', 'b:=2', 'c=', 'd=x=y', 'e=1', 'e=2', 'f:=[true]'])).toEqual({
    a: '1',
    b: 2,
    c: '',
    d: 'x=y',
    e: ['1', '2'],
    f: [true],
  });
  expect(() => fieldValues(['novalue'])).toThrow('no field=value');
  expect(() => fieldValues(['a:=nope'])).toThrow('no JSON');
});

test('typed pairs may be quoted', () => {
  expect(pairsOf(' a=b c="d e" f:=3 g=')).toEqual(['a=b', 'c=d e', 'f:=3', 'g=']);
});

test('headers are read as curl and logs show them', () => {
  expect(headersOf(['POST /x HTTP/1.1', '> X-Service-Timestamp: 12', 'Webhook-Id:  a:b', ''])).toEqual({
    'x-service-timestamp': '12',
    'webhook-id': 'a:b',
  });
  expect(() => headersOf(['nonsense'])).toThrow('is no header');
});

test.each([
  [0, 4, '[>                       ] 0/4'],
  [2, 4, '[============>           ] 2/4'],
  [4, 4, '[========================] 4/4'],
  [0, 0, '[========================] 0/0'],
])('progress %d of %d', (done, total, expected) => expect(bar('x', done, total)).toBe(`x ${expected}`));

describe('findings', () => {
  const now = Date.parse('2026-11-23T12:00:00Z');

  test.each([
    ['Mon, 23 Nov 2026 12:00:02 GMT', 'ok'],
    ['Mon, 23 Nov 2026 12:00:30 GMT', 'warning'],
    ['Mon, 23 Nov 2026 11:54:00 GMT', 'fault'],
    [null, 'warning'],
  ])('a server at %s: %s', (date, state) => expect(clockFinding(date, now).state).toBe(state));

  test.each([
    ['20.18.3', 'fault'],
    ['20.19.0', 'ok'],
    ['24.1.0', 'ok'],
    ['18.20.0', 'fault'],
  ])('Node.js %s: %s', (version, state) => expect(nodeFinding(version).state).toBe(state));

  test('versions', () => {
    expect([versionFinding('1.0.0', '1.0.0').state, versionFinding('1.0.0', '1.1.0').state]).toEqual([
      'ok',
      'warning',
    ]);
  });

  test('settings of production', () => {
    const found = settingFindings({
      NODE_ENV: 'production',
      OPERATOR_TOKEN: 'x'.repeat(31),
      EGRESS_ALLOW_HTTP: 'true',
      EGRESS_ALLOWED_CIDRS: '10.0.0.0/8',
    });
    expect(found.map(({ check, state }) => `${check} ${state}`)).toEqual([
      'secret key fault',
      'operator token fault',
      'egress warning',
      'egress warning',
      'public address warning',
    ]);
    expect(settingFindings({ SECRET_KEY: Buffer.alloc(32).toString('base64') })).toEqual([
      { check: 'secret key', state: 'ok', detail: '32 bytes' },
    ]);
  });
});

test('a new bot has the files of its language, and a name that a package may have', () => {
  const files = (language: Language, runsTypeScript = true) =>
    scaffold({ name: 'b', language, sdk: '*', runsTypeScript });
  expect(Object.keys(files('python'))).toEqual(['bot.py', 'pyproject.toml', '.gitignore', 'README.md']);
  expect(Object.keys(files('typescript'))).toEqual(['bot.ts', 'package.json', '.gitignore', 'README.md']);
  const told = (...given: Parameters<typeof files>) => {
    const { engines, scripts, devDependencies } = JSON.parse(files(...given)['package.json']!);
    return [engines.node, scripts.start, Object.keys(devDependencies ?? {})];
  };
  expect(told('typescript')).toEqual(['>=22.18', 'node bot.ts', []]);
  expect(told('typescript', false)).toEqual(['>=20.19', 'node --import tsx bot.ts', ['tsx']]);
  expect(told('javascript', false)).toEqual(['>=20.19', 'node bot.mjs', []]);
  expect(['My Bot!', '_', 'deploy-2'].map(packageName)).toEqual(['my-bot', 'bot', 'deploy-2']);
});

describe('completion', () => {
  const program = commandLine({} as Terminal);
  const words = (...typed: string[]) => candidates(program, typed).map(([word]) => word);

  test('of commands, subcommands, options and choices', () => {
    expect(words('li')).toEqual(['listen']);
    expect(words('hook', '')).toEqual(expect.arrayContaining(['list', 'show', 'create', 'test']));
    expect(words('hook', 'create', '--')).toEqual(expect.arrayContaining(['--channel', '--save', '--json']));
    expect(words('completion', 'z')).toEqual(['zsh']);
    expect(words()).not.toContain('__complete');
  });
});

describe('docs/cli.md', () => {
  const text = readFileSync(path.resolve(import.meta.dirname, '../../../docs/cli.md'), 'utf8');

  test('has every command, with what it is for', () => {
    const lines = (command: Command, before: string): string[] =>
      command.commands
        .filter((one) => !one.name().startsWith('__'))
        .flatMap((one) => {
          const name = `${before}${one.name()}`;
          if (one.commands.length > 0) return lines(one, `${name} `);
          const given = one.registeredArguments.map((argument) => {
            const words = `${argument.name()}${argument.variadic ? '...' : ''}`;
            return argument.required ? ` <${words}>` : ` [${words}]`;
          });
          return [`| \`${name}${given.join('')}\` | ${one.summary()} |`];
        });
    const wanted = lines(commandLine({} as Terminal), '');
    expect(wanted.filter((line) => !text.includes(line))).toEqual([]);
  });

  test('has every exit code', () => {
    const codes = [...text.matchAll(/^\| (\d+) \| /gm)].map(([, code]) => Number(code));
    expect(codes).toEqual(Object.values(EXIT));
  });
});

test('every command says what it is for', () => {
  const program = commandLine({} as Terminal);
  const silent = (command: typeof program): string[] => [
    ...(command.summary() || command.description() ? [] : [command.name()]),
    ...command.commands.filter((one) => one.name() !== '__complete').flatMap(silent),
  ];
  expect(silent(program)).toEqual([]);
});
