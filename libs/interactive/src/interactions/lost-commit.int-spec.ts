import { BotAsker } from '@tieline/ask-bot';
import { LiveEvents } from '@tieline/live-stream';
import { EgressSettings } from '@tieline/egress';
import { CommitUnknown, openDb } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import type { UserPrincipal } from '@tieline/platform/http';
import { RateLimiter } from '@tieline/rate-limit';
import { SecretBox } from '@tieline/signing';
import { startTcpProxy } from '@tieline/testing';
import type { CutRule, TcpProxy } from '@tieline/testing';
import { AnswerWaits } from '@tieline/bots';
import type { SeededBot } from '@tieline/bots/testing';
import { AnswerApplier } from '../answers/answer-applier.js';
import { RespondToInteraction } from '../answers/respond-to-interaction.js';
import type { RespondResult } from '../answers/respond-to-interaction.js';
import { BuiltinClicks } from '../clicks/builtin-clicks.js';
import { ClickHandler } from '../clicks/click-handler.js';
import { ClickValidator } from '../clicks/click-validator.js';
import { InteractiveMetrics } from '../interactive.metrics.js';
import { InteractiveSettings } from '../interactive.settings.js';
import { ModalAccess } from '../modals/modal-access.js';
import { ModalSubmitter } from '../modals/modal-submitter.js';
import { ModalTokens } from '../modals/modal-tokens.js';
import { InteractiveHarness } from '../testing/index.js';
import type { SeededMessage } from '../testing/index.js';
import { InteractionAsker } from './interaction-asker.js';
import { InteractionRequests } from './interaction-requests.js';
import type { InteractionResult } from './interaction-asker.js';

const MODAL = { title: 'Deploy', blocks: [{ type: 'input', action_id: 'why', label: 'Why' }] };

let harness: InteractiveHarness;
let proxy: TcpProxy;
let cut: Db;
let clicks: ClickHandler;
let modals: ModalSubmitter;
let answers: RespondToInteraction;
beforeAll(async () => {
  harness = await InteractiveHarness.start();
});
beforeEach(async () => {
  proxy = await startTcpProxy(harness.api.db.pool.options.connectionString as string);
  cut = await openDb({ databaseUrl: proxy.url });
  cut.pool.on('error', () => undefined);
  const { app } = harness.api;
  const asker = new InteractionAsker(
    cut,
    app.get(InteractiveSettings, { strict: false }),
    app.get(EgressSettings, { strict: false }),
    app.get(BotAsker, { strict: false }),
    app.get(AnswerApplier, { strict: false }),
    app.get(InteractionRequests, { strict: false }),
    app.get(InteractiveMetrics, { strict: false }),
    app.get(LiveEvents, { strict: false }),
  );
  const limiter = app.get(RateLimiter, { strict: false });
  const builtinClicks = app.get(BuiltinClicks, { strict: false });
  clicks = new ClickHandler(
    cut,
    new ClickValidator(cut, limiter, app.get(SecretBox, { strict: false }), builtinClicks),
    builtinClicks,
    asker,
    app.get(ModalTokens, { strict: false }),
    app.get(InteractiveMetrics, { strict: false }),
  );
  modals = new ModalSubmitter(cut, new ModalAccess(cut, limiter), asker);
  answers = new RespondToInteraction(
    cut,
    app.get(InteractiveSettings, { strict: false }),
    app.get(AnswerApplier, { strict: false }),
    app.get(AnswerWaits, { strict: false }),
    app.get(LiveEvents, { strict: false }),
  );
  harness.receiver.requests.length = 0;
});
afterEach(async () => {
  proxy.cutWhen(() => undefined);
  await cut.close();
  await proxy.close();
});
afterAll(() => harness?.close());

const person = (): UserPrincipal => ({
  kind: 'user',
  userId: harness.person.id,
  spaceId: harness.spaceId,
  role: 'member',
  scopes: 'all',
});
const click = async ({ id }: SeededMessage): Promise<InteractionResult> =>
  clicks.click(person(), id, { action_id: 'go', signed_token: await harness.tokenOf(id) });
const respond = (bot: SeededBot, id: string, body: Record<string, unknown>): Promise<RespondResult> => {
  const principal = {
    kind: 'bot',
    botId: bot.id,
    spaceId: harness.spaceId,
    channelIds: [],
    scopes: 'all',
  } as const;
  return answers.run(principal, id, body);
};
const textsBeside = async ({ channel }: SeededMessage): Promise<unknown[]> =>
  (
    await harness.api.db.query(
      `SELECT text FROM messages WHERE conversation_id = $1 AND text <> 'Deploy?' ORDER BY msg_index`,
      [channel],
    )
  ).map((row) => (row as { text: string }).text);
const changesOf = async ({ id }: SeededMessage): Promise<number> =>
  (await harness.fixture.chat.events()).filter(
    ({ type, payload }) => type === 'MESSAGE_UPDATED' && JSON.stringify(payload).includes(id),
  ).length;

/** Returns a check for the first COMMIT after the claim was used. */
function acceptance(): (bytes: Buffer) => boolean {
  let isAccepted = false;
  let isOver = false;
  return (bytes) => {
    isAccepted ||= /component_clicks\.accept|modals\.use\b|interactions\.mark_answered/.test(
      bytes.toString('latin1'),
    );
    if (isOver || !isAccepted || !bytes.includes('COMMIT')) return false;
    isOver = true;
    return true;
  };
}

/** Cuts the connection once, when an acceptance is committed. */
function firstCommit(verdict: 'before' | 'after'): CutRule {
  const isAcceptance = acceptance();
  return (bytes) => (isAcceptance(bytes) ? verdict : undefined);
}

describe.each(['before', 'after'] as const)(
  'with the connection cut %s the server receives COMMIT',
  (verdict) => {
    async function calledBack(answer: object): Promise<SeededMessage> {
      const message = await harness.message(await harness.calledBack());
      harness.answers(answer);
      proxy.cutWhen(firstCommit(verdict));
      return message;
    }

    test('a click posts the bot’s message once and returns it', async () => {
      const message = await calledBack({ send_message: { text: 'On its way' } });
      const result = await click(message);
      const [stored] = await harness.api.db.query(
        `SELECT id FROM messages WHERE conversation_id = $1 AND text = 'On its way'`,
        [message.channel],
      );
      expect(result).toEqual({ result: 'send_message', messageId: (stored as { id: string }).id });
      expect(await textsBeside(message)).toEqual(['On its way']);
      expect(harness.receiver.requests).toHaveLength(1);
      expect(proxy.cuts).toBe(1);
      expect(await click(message)).toEqual({ result: 'duplicate' });
    });

    test('a click edits the message once', async () => {
      const message = await calledBack({ update_message: { text: 'Deployed' } });
      expect(await click(message)).toEqual({ result: 'update_message', messageId: message.id });
      expect(await harness.stored(message.id)).toMatchObject({ text: 'Deployed' });
      expect(await changesOf(message)).toBe(1);
    });

    test('a click opens one modal, which can be submitted', async () => {
      const message = await calledBack({ open_modal: MODAL });
      const opened = await click(message);
      expect(
        await harness.api.db.query('SELECT 1 FROM modals WHERE message_id = $1', [message.id]),
      ).toHaveLength(1);
      harness.answers({ ephemeral_text: 'Noted' });
      expect(await harness.submit((opened as { modalToken: string }).modalToken)).toMatchObject({
        status: 200,
      });
    });

    test('the answer to a submitted modal is applied once', async () => {
      const message = await harness.message(await harness.calledBack());
      harness.answers({ open_modal: MODAL });
      const { modalToken } = (await click(message)) as { modalToken: string };
      harness.answers({ send_message: { text: 'Noted' } });
      proxy.cutWhen(firstCommit(verdict));
      expect(await modals.submit(person(), modalToken, { body: undefined, text: '' })).toMatchObject({
        result: 'send_message',
      });
      expect(await textsBeside(message)).toEqual(['Noted']);
      expect(await harness.submit(modalToken)).toMatchObject({ status: 410 });
    });

    test('a click is queued once under the returned id', async () => {
      const bot = await harness.polling();
      const message = await harness.message(bot);
      proxy.cutWhen(firstCommit(verdict));
      const { interactionId } = (await click(message)) as { interactionId: string };
      const queued = (await harness.directEvents()).filter(({ bot_id }) => bot_id === bot.id);
      expect(queued.map(({ event_id }) => event_id)).toEqual([interactionId]);
      expect(await harness.respond(bot, interactionId)).toMatchObject({ status: 200 });
    });

    test('the answer of a bot in poll mode is shown and posts once', async () => {
      const bot = await harness.polling();
      const message = await harness.message(bot);
      const asked = async () => ((await click(message)) as { interactionId: string }).interactionId;
      const first = await asked();
      proxy.cutWhen(firstCommit(verdict));
      expect(await respond(bot, first, { ephemeral_text: 'psst' })).toMatchObject({
        live: { userId: harness.person.id, event: { event: 'ephemeral', text: 'psst' } },
      });
      await expect(respond(bot, first, {})).rejects.toMatchObject({ status: 410 });
      await harness.api.db.query('DELETE FROM component_clicks');
      proxy.cutWhen(() => undefined);
      const second = await asked();
      proxy.cutWhen(firstCommit(verdict));
      const { messageId } = await respond(bot, second, { send_message: { text: 'Done' } });
      expect(await harness.stored(messageId as string)).toMatchObject({ text: 'Done' });
      expect(await textsBeside(message)).toEqual(['Done']);
    });
  },
);

test('a different earlier answer is not mistaken for the one whose COMMIT was lost', async () => {
  const bot = await harness.polling();
  const message = await harness.message(bot);
  const { interactionId } = (await click(message)) as { interactionId: string };
  let other: Promise<unknown> | undefined;
  let isAnswered = false;
  const isAcceptance = acceptance();
  proxy.cutWhen((bytes) => {
    if (other) return isAnswered ? undefined : 'before';
    if (!isAcceptance(bytes)) return undefined;
    other = harness.respond(bot, interactionId, { ephemeral_text: 'first' }).then(() => (isAnswered = true));
    return 'before';
  });
  await expect(respond(bot, interactionId, { ephemeral_text: 'second' })).rejects.toMatchObject({
    status: 410,
  });
});

test('a click with an unknown outcome does not run again', async () => {
  const message = await harness.message(await harness.calledBack());
  harness.answers({ send_message: { text: 'Once' } });
  const isAcceptance = acceptance();
  let isLost = false;
  proxy.cutWhen((bytes) => {
    if (isLost) return 'before';
    isLost = isAcceptance(bytes);
    return isLost ? 'after' : undefined;
  });
  await expect(click(message)).rejects.toThrow(CommitUnknown);
  proxy.cutWhen(() => undefined);
  expect(await click(message)).toEqual({ result: 'duplicate' });
  expect(await textsBeside(message)).toEqual(['Once']);
});
