import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { eventually, PublishedProgram } from '@tieline/testing';
import type { AppProcess } from '@tieline/testing';
import { shareTieline } from '../share-tieline.js';
import { call, expectOk, createWorkspace } from '../tieline.js';
import type { Tieline, Workspace } from '../tieline.js';

let tieline: Tieline;
let api: AppProcess;
let folder: string;
let workspace: Workspace;
let bot: PublishedProgram | undefined;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'tieline-documented-bots-'));
  ({ tieline, api } = await shareTieline());
});
beforeEach(async () => {
  workspace = await createWorkspace(api);
});
afterEach(() => bot?.close());
afterAll(async () => {
  await tieline?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Starts the first program of a page, which uses the SDK. */
async function start(page: string): Promise<void> {
  bot = await PublishedProgram.of(page, 'js');
  await bot.start({
    TIELINE_URL: api.url,
    TIELINE_TOKEN: workspace.botToken,
    TIELINE_CURSOR_FILE: path.join(folder, workspace.botId),
  });
}

const asPerson = (method: string, to: string, body?: object): Promise<Record<string, any>> =>
  expectOk(call(api, method, `/api/v1/${to}`, workspace.ownerToken, body));

const type = (text: string): Promise<unknown> =>
  asPerson('POST', `client/conversations/${workspace.channels[0]}/commands`, { text });

async function lastMessage(): Promise<Record<string, any> | undefined> {
  return (await asPerson('GET', `channels/${workspace.channels[0]}/messages`)).messages.at(-1);
}

const shows = (text: string): Promise<Record<string, any>> =>
  eventually(async () => {
    const message = await lastMessage();
    expect(message?.text).toBe(text);
    return message!;
  });

test('the first bot of docs/interactive.md posts a button and replaces it after a click', async () => {
  await start('docs/interactive.md');
  await type('/deploy');
  const message = await shows('Build 4711 is ready');
  const [button] = JSON.parse(message.metadata_json).blocks[0].elements;
  await asPerson('POST', `client/messages/${message.id}/interactions`, {
    action_id: button.action_id,
    signed_token: button.signed_token,
  });
  const { user } = await asPerson('GET', 'client/me');
  expect((await shows(`Deployed by <@${user.id}>`)).metadata_json).toBeUndefined();
});

test('the first bot of docs/slash-commands.md answers its command', async () => {
  await start('docs/slash-commands.md');
  await type('/hello');
  const { user } = await asPerson('GET', 'client/me');
  await shows(`Hello <@${user.id}>`);
});
