import { jest } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startTieline } from '@tieline/sdk/testing';
import type { Tieline } from '@tieline/sdk/testing';
import { RecordingTerminal } from './recording-terminal.js';
import type { CommandResult } from './recording-terminal.js';

let tieline: Tieline;
let folder: string;
let env: Record<string, string>;

beforeAll(async () => {
  tieline = await startTieline();
  folder = mkdtempSync(path.join(tmpdir(), 'tieline-cli-apps-'));
  const token = String(tieline.world.people.ada?.token);
  env = { HOME: folder, TIELINE_URL: tieline.url, TIELINE_TOKEN: token };
});

afterAll(async () => {
  await tieline?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const cli = (...argv: string[]): Promise<CommandResult> => new RecordingTerminal(env, folder, '').run(argv);
/** Runs a command that must succeed. @returns its result */
async function done(...argv: string[]): Promise<any> {
  const ended = await cli('--json', ...argv);
  if (ended.code !== 0) throw new Error(`tieline ${argv.join(' ')}: ${ended.code}\n${ended.err}`);
  return ended.json;
}
/** Writes a manifest and returns the command that creates its app. */
async function creating(manifest: object): Promise<string[]> {
  await writeFile(path.join(folder, 'manifest.json'), JSON.stringify(manifest));
  return ['app', 'create', '--manifest', 'manifest.json'];
}

it('creates an app from a manifest, after a dry run', async () => {
  const create = await creating({
    name: 'Deploys',
    bot_scopes: ['commands'],
    bot: { event_delivery_mode: 'poll' },
    commands: [{ name: 'ship' }],
    color: 'blue',
  });
  const warned = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  expect(await cli(...create, '--dry-run')).toMatchObject({
    code: 0,
    out: '+ app Deploys\n+ bot Deploys\n+ command ship',
    err: 'warning: color is unknown and is left out',
  });
  // The client of the SDK would write the warning a second time.
  expect(warned).not.toHaveBeenCalled();
  warned.mockRestore();
  const { created } = await done(...create);
  expect(created).toMatchObject([{ type: 'app' }, { type: 'bot' }, { type: 'command', name: 'ship' }]);
  expect((await cli(...create)).code).toBe(5);
  await writeFile(path.join(folder, 'broken.json'), '{');
  expect((await cli('app', 'create', '--manifest', 'broken.json')).code).toBe(2);
});

it('changes an app by its manifest, after a dry run that shows the difference', async () => {
  const manifest = {
    name: 'Reports',
    bot_scopes: ['commands'],
    bot: { event_delivery_mode: 'poll' },
    commands: [{ name: 'report' }, { name: 'old' }],
  };
  await done(...(await creating(manifest)));
  await creating({ ...manifest, description: 'Weekly', commands: [{ name: 'report' }, { name: 'new' }] });
  const update = ['app', 'update', 'reports', '--manifest', 'manifest.json'];
  const difference = '+ command new\n~ app Reports\n  description: "" → "Weekly"\n- command old';
  expect(await cli(...update, '--dry-run')).toMatchObject({ code: 0, out: difference });
  expect(await done(...update)).toMatchObject({
    created: [{ type: 'command', name: 'new', signing_secret: expect.any(String) }],
  });
  expect((await cli(...update)).out).toBe('no difference');
  expect((await cli('app', 'update', 'nobody', '--manifest', 'manifest.json')).code).toBe(4);
});

it('lists apps, shows where to install one, and uninstalls it', async () => {
  await done(...(await creating({ name: 'Notes', bot_scopes: ['users:read'] })));
  const listed = async () =>
    ((await done('app', 'list')) as { id: string; name: string; installed: boolean }[]).find(
      ({ name }) => name === 'Notes',
    );
  const app = await listed();
  expect(app).toMatchObject({ installed: true });
  expect((await done('app', 'install', 'notes')).address).toBe(`${tieline.url}/apps/${app?.id}`);
  expect((await cli('app', 'uninstall', 'notes')).out).toBe('uninstalled Notes');
  expect(await listed()).toMatchObject({ installed: false });
  expect((await cli('app', 'uninstall', 'notes')).code).toBe(4);
});
