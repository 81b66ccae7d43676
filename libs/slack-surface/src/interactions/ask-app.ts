import { Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { BotAsker } from '@tieline/ask-bot';
import type { SentQuestion } from '@tieline/ask-bot';
import { AnswerWaits, BOT_WEBHOOK_SECRET, SLACK_INTERACTION, SocketAnswers } from '@tieline/bots';
import { botAnswerUnreadable, botUnresponsive } from '@tieline/interactive';
import { Db, runInTx } from '@tieline/platform/database';
import type { RowOf } from '@tieline/platform/database';
import { notFound } from '@tieline/platform/http';
import { SecretBox } from '@tieline/signing';
import { uuidv7 } from 'uuidv7';
import { domainOf } from '../commands/command-fields.js';
import { slackId } from '../ids/slack-ids.js';
import { handleOf } from '../methods/slack-user.js';
import { HOLD_APP } from './app-facts.statements.js';

type Json = Readonly<Record<string, unknown>>;

/** A person who acted on something of a Slack app. */
export interface Interaction {
  spaceId: string;
  botId: string;
  userId: string;
}

/** How the app acknowledged an interaction; empty for an acknowledgement without a body. */
export type AppAnswer = Json;

type App = RowOf<typeof HOLD_APP>;

/** Slack's waiting time. Suggestions and answers that come later are lost. */
const ANSWER_MS = 3_000;

/** Sends interactions to Slack apps and returns their answers (docs/slack-apps.md#interactions). */
@Injectable()
export class AskApp implements OnModuleInit {
  constructor(
    private readonly db: Db,
    private readonly box: SecretBox,
    private readonly bots: BotAsker,
    private readonly sockets: SocketAnswers,
    private readonly waits: AnswerWaits,
  ) {}

  onModuleInit(): void {
    this.sockets.register([SLACK_INTERACTION], async ({ spaceId }, { eventId: id }, answer) => {
      const outcome = { kind: 'answered', result: answer } as const;
      await runInTx(this.db, (tx) => this.waits.settle(tx, { spaceId, id }, outcome), {
        spaceId,
        place: id,
      });
      this.waits.announce(id);
    });
  }

  /**
   * Sends an interaction by the mode of the bot and waits up to three seconds for the answer. Never
   * call it inside a transaction.
   * @param payload `type` and what it brings; the fields that all interactions have are added
   * @throws 404 the bot or the person is gone. 503 the app did not answer, or not with JSON; an
   *   interaction that no socket can take is dropped
   */
  async ask(interaction: Interaction, payload: Json & { type: string }): Promise<AppAnswer> {
    const { sent, botName } = await this.send(interaction, payload);
    const outcome = await this.bots.outcome<AppAnswer>(sent, (given = {}) =>
      Promise.resolve({ kind: 'answered', result: given }),
    );
    if (outcome.kind === 'answered') return outcome.result;
    if (outcome.kind === 'later' || outcome.isSilent) throw botUnresponsive(botName);
    throw botAnswerUnreadable(botName);
  }

  private async send(
    interaction: Interaction,
    payload: Json & { type: string },
  ): Promise<{ sent: SentQuestion<AppAnswer>; botName: string }> {
    const { spaceId, botId } = interaction;
    const id = uuidv7();
    return runInTx(
      this.db,
      async (tx) => {
        const [app] = await tx.query(HOLD_APP, { ...interaction });
        if (!app) throw notFound('bot_not_found', 'bot not found');
        const { botName } = app;
        if (!app.isActive) throw botUnresponsive(botName);
        const text = JSON.stringify({ ...commonFields(interaction, app), ...payload });
        if (app.mode !== 'poll') return { sent: this.callback(interaction, app, id, text), botName };
        const event = { spaceId, botId, eventId: id, eventType: SLACK_INTERACTION, payload: text } as const;
        const sent = await this.bots.queue<AppAnswer>(tx, event);
        // Without a socket the app could only read it long after the person gave up.
        if (sent.kind === 'queued') throw botUnresponsive(botName);
        return { sent, botName };
      },
      { spaceId, place: id },
    );
  }

  private callback(
    { spaceId, botId }: Interaction,
    { url, secret, previousSecret, botName }: App,
    deliveryId: string,
    text: string,
  ): SentQuestion<AppAnswer> {
    if (url === '') return { kind: 'unreachable', botName };
    const open = (sealed: Buffer): string => this.box.open(sealed, BOT_WEBHOOK_SECRET.aad({ id: botId }));
    const callback = {
      ...{ spaceId, botId, kind: 'click' as const, url, format: 'slack' as const, deliveryId },
      secret: open(secret),
      ...(previousSecret && { previousSecret: open(previousSecret) }),
      event: 'slack_interaction',
      payload: new URLSearchParams({ payload: text }).toString(),
      timeoutMs: ANSWER_MS,
    };
    return { kind: 'callback', botName, callback };
  }
}

/** Fields that every interaction has. */
function commonFields(
  { spaceId, botId, userId }: Interaction,
  { appId, userName, spaceName }: App,
): Record<string, unknown> {
  const [app, team] = [slackId('app', appId ?? botId), slackId('space', spaceId)];
  const handle = handleOf(userName);
  return {
    token: app,
    team: { id: team, domain: domainOf(spaceName) },
    enterprise: null,
    is_enterprise_install: false,
    api_app_id: app,
    user: { id: slackId('user', userId), username: handle, name: handle, team_id: team },
  };
}
