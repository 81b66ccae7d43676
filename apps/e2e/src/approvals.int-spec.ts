import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Bot } from '@tieline/sdk';
import type { AskResult, Question } from '@tieline/sdk';
import { startTieline } from '@tieline/sdk/testing';
import type { Person, Tieline } from '@tieline/sdk/testing';
import { eventually } from '@tieline/testing';
import { RecordingTerminal } from './cli/recording-terminal.js';

/* Approvals with the built programs, the SDK and the command line. */

let tieline: Tieline;
let folder: string;
let bot: Bot;
let ada: Person;

beforeAll(async () => {
  tieline = await startTieline();
  folder = mkdtempSync(path.join(tmpdir(), 'tieline-approvals-'));
  bot = new Bot({ url: tieline.url, token: tieline.world.bot.token, log: () => undefined });
  ada = tieline.person('ada');
});
afterAll(async () => {
  await ada?.leave();
  await tieline?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const question = (externalId: string, more: Partial<Question> = {}): Question => ({
  conversationId: tieline.world.channels.general!.id,
  title: `Deploy ${externalId}?`,
  tool: 'deploy',
  arguments: { version: externalId },
  externalId,
  ...more,
});

/** Resolves when the question waits for Ada. */
const asked = (externalId: string): Promise<unknown> =>
  eventually(async () =>
    expect((await ada.approvals()).map(({ external_id: id }) => id)).toContain(externalId),
  );

test('bot.ask() resolves with the decision', async () => {
  const answer = bot.ask(question('v1'));
  await asked('v1');
  await ada.decide('approve', { comment: 'Go.' });
  expect(await answer).toMatchObject({
    state: 'approved',
    isApproved: true,
    optionId: 'approve',
    comment: 'Go.',
    decidedBy: [tieline.world.people.ada!.id],
  });
});

test('a question survives kill -9 of both programs and of the bot, and has one result', async () => {
  const stop = new AbortController();
  const before = bot.ask(question('v2'), { signal: stop.signal }).catch((error: unknown) => error);
  await asked('v2');
  await tieline.restart('api', 'SIGKILL');
  await tieline.restart('worker', 'SIGKILL');
  // The bot restarts, too: it asks again with the same external id.
  stop.abort(new Error('killed'));
  expect(await before).toMatchObject({ message: 'killed' });
  const again = new Bot({ url: tieline.url, token: tieline.world.bot.token, log: () => undefined });
  const answers: Promise<AskResult>[] = [again.ask(question('v2')), bot.ask(question('v2'))];
  await ada.decide('deny');
  const [one, other] = await Promise.all(answers);
  expect(one).toEqual(other);
  expect(one).toMatchObject({ state: 'denied', isApproved: false });
  expect(await bot.ask(question('v2'))).toEqual(one);
});

test('an approval nobody decides ends by itself', async () => {
  const answer = bot.ask(question('v3', { expiresInSeconds: 60, onExpiry: 'deny' }));
  await asked('v3');
  await tieline.advance('2m');
  expect(await answer).toMatchObject({ state: 'denied', decidedBy: [] });
});

test('tieline approvals lists and decides', async () => {
  const env = { HOME: folder, TIELINE_PROFILES: path.join(folder, 'profiles.json') };
  const cli = (argv: string[], piped = '') => new RecordingTerminal(env, folder, piped).run(argv);
  await cli(['login', '--url', tieline.url], `${tieline.world.people.ada!.token}\n`);
  const form = {
    title: 'When?',
    fields: [{ id: 'count', type: 'number', label: 'How many', required: true }],
  };
  const answer = bot.ask(question('v4', { form }));
  await asked('v4');
  const [listed] = (await cli(['--json', 'approvals', 'list'])).json as { id: string }[];
  expect((await cli(['approvals', 'list'])).out).toContain('Deploy v4?');
  expect(await cli(['approvals', 'decide', 'first', 'approve'])).toMatchObject({ code: 2 });
  expect(await cli(['approvals', 'decide', listed!.id, 'approve'])).toMatchObject({ code: 5 });
  const decided = await cli(['approvals', 'decide', listed!.id, 'approve', 'count:=2', '--comment', 'ok']);
  expect(decided).toMatchObject({ code: 0, out: expect.stringContaining('approved: Deploy v4?') });
  expect(await answer).toMatchObject({ isApproved: true, comment: 'ok', values: { count: 2 } });
});
