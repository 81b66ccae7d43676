import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import { eventLine, isShared, pairsOf } from './bots/conversation.js';
import { packageName, scaffold } from './bots/scaffold.js';
import type { Language } from './bots/scaffold.js';
import { candidates } from './completion/candidates.js';
import { commandLine, run } from './cli.js';
import { clockDiagnosis, nodeDiagnosis, versionDiagnosis } from './server/diagnosis.js';
import { settingDiagnoses } from './server/local-diagnosis.js';
import { EXIT } from './output/exit-codes.js';
import { fieldValues } from './people/field-values.js';
import { headersOf } from './signatures/headers-of.js';
import { bar } from './terminal/progress.js';
import type { Terminal } from './terminal/terminal.js';

test('field values are texts, JSON or lists', () => {
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

test('pairs may be quoted', () => {
  expect(pairsOf(' a=b c="d e" f:=3 g=')).toEqual(['a=b', 'c=d e', 'f:=3', 'g=']);
});

test('statuses, prompts and titles are shown in one line, and those of shared channels once', () => {
  const names = new Map([['c', '#general']]);
  const line = (event: object): string => eventLine(event as never, names).slice('10:00:00  '.length);
  const prompts = [{ title: 'Status' }, { title: 'Bugs' }];
  expect(line({ event: 'bot.status', text: 'is reading' })).toBe('bot.status: is reading');
  expect(line({ event: 'bot.prompts', prompts })).toBe('bot.prompts: [Status] [Bugs]');
  expect(line({ event: 'bot.prompts', prompts: [] })).toBe('bot.prompts: ');
  expect(line({ event: 'thread.updated', title: 'Release' })).toBe('thread.updated: Release');
  expect(line({ event: 'thread.updated', title: null })).toBe('thread.updated: ');
  const shared = (event: object): boolean => isShared(event as never, names);
  expect(shared({ event: 'bot.status', conversation_id: 'c' })).toBe(true);
  expect(shared({ event: 'bot.status', conversation_id: 'dm' })).toBe(false);
  expect(shared({ event: 'message.new', conversation_context: { scope: 'public' } })).toBe(true);
  expect(shared({ event: 'message.new', conversation_context: { scope: 'dm' } })).toBe(false);
  expect(shared({ event: 'ephemeral', conversation_id: 'c' })).toBe(false);
});

test('headers are parsed in the formats of curl and logs', () => {
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
  ])('a server at %s: %s', (date, state) => expect(clockDiagnosis(date, now).state).toBe(state));

  test.each([
    ['20.18.3', 'fault'],
    ['20.19.0', 'ok'],
    ['24.1.0', 'ok'],
    ['18.20.0', 'fault'],
  ])('Node.js %s: %s', (version, state) => expect(nodeDiagnosis(version).state).toBe(state));

  test('versions', () => {
    expect([versionDiagnosis('1.0.0', '1.0.0').state, versionDiagnosis('1.0.0', '1.1.0').state]).toEqual([
      'ok',
      'warning',
    ]);
  });

  test('production settings', () => {
    const found = settingDiagnoses({
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
    expect(settingDiagnoses({ SECRET_KEY: Buffer.alloc(32).toString('base64') })).toEqual([
      { check: 'secret key', state: 'ok', detail: '32 bytes' },
    ]);
    for (const bytes of [16, 31, 33])
      expect(settingDiagnoses({ SECRET_KEY: Buffer.alloc(bytes).toString('base64') })).toMatchObject([
        { state: 'fault' },
      ]);
  });
});

test('a new bot has the files of its language and a valid package name', () => {
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

/** Runs a command that needs no Tieline. */
async function ran(...argv: string[]): Promise<{ code: number; out: string; err: string }> {
  const written = { out: '', err: '' };
  const code = await run(argv, {
    ...{
      out: (text: string) => void (written.out += text),
      err: (text: string) => void (written.err += text),
    },
    ...{ progress: () => undefined, env: {}, signal: new AbortController().signal },
  } as unknown as Terminal);
  return { code, ...written };
}

describe('completion', () => {
  const program = commandLine({} as Terminal);
  const asked: string[] = [];
  const all = async (...typed: string[]) => {
    const found = await candidates(program, typed, (kind) => {
      asked.push(kind);
      return Promise.resolve(kind === 'slash' ? ['/deploy', '/hello'] : ['Helper', 'My Bot', 'general']);
    });
    return found.map(([word]) => word);
  };

  test('of commands, subcommands, options and choices', async () => {
    expect(await all('li')).toEqual(['listen']);
    expect(await all('hook', '')).toEqual(expect.arrayContaining(['list', 'show', 'create', 'test']));
    expect(await all('hook', 'create', '--')).toEqual(
      expect.arrayContaining(['--channel', '--save', '--json']),
    );
    expect(await all('completion', 'z')).toEqual(['zsh']);
    expect(await all('bot', 'init', 'x', '--language', 'p')).toEqual(['python']);
    expect(await all()).not.toContain('__complete');
    expect(asked).toEqual([]);
  });

  test.each([
    [['bot', 'show', 'hel'], 'bot', ['Helper']],
    [['bot', 'show', 'My\\ b'], 'bot', ['My Bot']],
    [['send', '--json', '#gen'], 'channel', ['general']],
    [['say', 'general', '/dep'], 'slash', ['/deploy']],
    [['say', '--wait', '5s', 'gen'], 'channel', ['general']],
    [['channel', 'join', 'x', '--bot', 'm'], 'bot', ['My Bot']],
    [['bot', 'ls', '--profile', 'g'], 'profile', ['general']],
    [['channel', 'create', 'x', '--member', ''], 'user', ['Helper', 'My Bot', 'general']],
    [['redeliver', '--failed', '--subscription', 'h'], 'subscription', ['Helper']],
    [['recover', 'h'], 'subscription', ['Helper']],
    [['tail', 'requests', 'h'], 'hook', ['Helper']],
    [['command', 'show', 'h'], 'command', ['Helper']],
  ])('%j is the name of a %s', async (words, kind, names) => {
    asked.length = 0;
    expect(await all(...words)).toEqual(names);
    expect(asked).toEqual([kind]);
  });

  test.each([
    ['a name that is new', ['bot', 'create', 'h']],
    ['a second name where there is one', ['bot', 'show', 'Helper', 'h']],
    ['a text', ['send', 'general', '--metadata', 'h']],
  ])('%s is nothing that is known', async (_, words) => {
    expect(await all(...words)).toEqual([]);
  });

  test('bash takes names with spaces as one word', async () => {
    const script = (await ran('completion', 'bash')).out;
    const stub = String.raw`tieline() { [ "$1$2$3$4$5" = '__complete--botshowM' ] && printf 'My Bot\tbot\nMine\tbot\n'; }`;
    const typed = `COMP_WORDS=(tieline bot show M); COMP_CWORD=3; _tieline; printf '<%s>' "\${COMPREPLY[@]}"`;
    const { stdout } = spawnSync('bash', ['-c', `${script}\n${stub}\n${typed}`], { encoding: 'utf8' });
    expect(stdout).toBe(String.raw`<My\ Bot><Mine>`);
  });
});

describe('docs/cli.md', () => {
  const text = readFileSync(path.resolve(import.meta.dirname, '../../../docs/cli.md'), 'utf8').replace(
    / {2,}/g,
    ' ',
  );

  test('lists every command with its description', () => {
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

  test('lists every exit code', () => {
    const codes = [...text.matchAll(/^\| (\d+) \| /gm)].map(([, code]) => Number(code));
    expect(codes).toEqual(Object.values(EXIT));
  });
});

test('no option or argument takes a token or secret, which would end up in the shell history', () => {
  const named = (command: Command): string[] => [
    ...command.options.filter(({ required, optional }) => required || optional).map(({ flags }) => flags),
    ...command.registeredArguments.map((argument) => argument.name()),
    ...command.commands.flatMap(named),
  ];
  const suspicious = named(commandLine({} as Terminal)).filter((name) =>
    /token|secret|password|key/i.test(name),
  );
  expect(suspicious).toEqual(['--secret-file <file>']);
});

test.each([[[]], [['bot']]])(
  '%j alone shows its help, where it does not get lost in a pipe',
  async (words) => {
    const ended = await ran(...words);
    expect(ended).toEqual({
      code: 2,
      out: '',
      err: expect.stringMatching(/^Usage: tieline.*\n[^]*(login|create)/),
    });
  },
);

test('invalid command lines get an error, and commands have help', async () => {
  expect(await ran('completion', 'cobol')).toMatchObject({ code: 2 });
  expect(await ran('bot', 'create')).toMatchObject({ code: 2, err: expect.stringContaining("'name'") });
  expect(await ran('--help')).toMatchObject({ code: 0, out: expect.stringContaining('Exit codes') });
  expect(JSON.parse((await ran('trigger', '--list', '--json')).out)).toContainEqual({
    event: 'slash.command',
  });
  expect(await ran('trigger', 'EARTHQUAKE')).toMatchObject({ code: 4 });
});

test('every command has a description', () => {
  const program = commandLine({} as Terminal);
  const silent = (command: typeof program): string[] => [
    ...(command.summary() || command.description() ? [] : [command.name()]),
    ...command.commands.filter((one) => one.name() !== '__complete').flatMap(silent),
  ];
  expect(silent(program)).toEqual([]);
});
