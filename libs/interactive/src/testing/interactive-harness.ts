import type { DynamicModule, Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { BotsFixture, startAnotherApi, startBotsApi } from '@tieline/bots/testing';
import type { AnotherApi, SeededBot } from '@tieline/bots/testing';
import { runInWorkerTx } from '@tieline/platform/database';
import { eventually, readRows, startReceiver } from '@tieline/testing';
import type { Receiver } from '@tieline/testing';
import type { SeededPerson, TestAnswer, TestApi } from '@tieline/spaces/testing';
import { ComponentSigner } from '../schema/signing/component-signer.js';
import type { BuiltinClicks } from '../clicks/builtin-clicks.js';
import { InteractiveModule } from '../interactive.module.js';
import { parseMetadata } from '../schema/metadata.js';
import { AnswerTimeouts, LONG_MS } from './answer-timeouts.js';
import { Forms } from './forms.js';
import { SuppliedClicks } from './supplied-clicks.js';

type Fields = Record<string, any>;
type Call = TestApi['call'];

/** A bot with a callback for clicks. */
export interface CalledBack extends SeededBot {
  /** The signing secret for buttons. */
  secret: string;
}

/** A message with components. */
export interface SeededMessage {
  id: string;
  bot: SeededBot;
  channel: string;
}

/** Default elements of {@link InteractiveHarness.message}. */
export const BUTTON = { type: 'button', action_id: 'go', text: 'Go', data: '{"build":4711}' };
export const SELECT = {
  type: 'select',
  action_id: 'stage',
  options: [
    { value: 'test', label: 'Test' },
    { value: 'live', label: 'Production' },
  ],
};

const PERMISSIVE = {
  EGRESS_ALLOW_HTTP: 'true',
  EGRESS_ALLOWED_CIDRS: '127.0.0.0/8',
  RATE_BOT_WRITES_PER_SECOND: '1000',
  CALLBACK_TIMEOUT_MS: String(LONG_MS),
};

/**
 * The HTTP application with interactive components, a space, a person, and a receiver for
 * callbacks.
 */
export class InteractiveHarness {
  private readonly more: NestFastifyApplication[] = [];

  private constructor(
    readonly api: TestApi,
    readonly fixture: BotsFixture,
    readonly person: SeededPerson,
    readonly receiver: Receiver,
    readonly timeouts: AnswerTimeouts,
  ) {}

  /** Starts everything. Callbacks to this machine are allowed unless `env` overrides it. */
  static async start(
    env: Record<string, string> = {},
    more: (Type | DynamicModule)[] = [],
    builtinClicks?: BuiltinClicks,
  ): Promise<InteractiveHarness> {
    const api = await startBotsApi({ ...PERMISSIVE, ...env }, [
      SuppliedClicks.of(builtinClicks),
      InteractiveModule,
      ...more,
    ]);
    const fixture = await BotsFixture.of(api);
    return new InteractiveHarness(
      api,
      fixture,
      await fixture.space.person('member', 'Ann'),
      await startReceiver(),
      new AnswerTimeouts(api),
    );
  }

  /** Creates another space on the same system, with the same receiver. */
  async otherSpace(): Promise<InteractiveHarness> {
    const fixture = await BotsFixture.of(this.api);
    return new InteractiveHarness(
      this.api,
      fixture,
      await fixture.space.person('member', 'Bob'),
      this.receiver,
      this.timeouts,
    );
  }

  /**
   * Starts a second instance of the api on the same database, to stand for another process.
   * @returns a function that calls it
   */
  async anotherProcess(): Promise<Call> {
    const { url } = await this.anotherApi();
    return async (method, path, { token, body } = {}) => {
      const response = await fetch(`${url}${path}`, {
        method,
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      });
      return { status: response.status, headers: response.headers, body: await response.json() };
    };
  }

  /** Starts a second instance of the api. @returns its address */
  async anotherApi(): Promise<AnotherApi> {
    const another = await startAnotherApi(this.api, [SuppliedClicks.of(), InteractiveModule]);
    this.more.push(another.app);
    return another;
  }

  get spaceId(): string {
    return this.fixture.space.spaceId;
  }

  /** Creates a bot whose clicks go to the harness's receiver. */
  async calledBack(): Promise<CalledBack> {
    const bot = await this.fixture.bot();
    // Retries because on a busy machine the first request to a new process can get 503: its rate
    // limit could not be checked in time.
    const body = await eventually(async () => {
      const answer = await this.api.call('PATCH', '/api/v1/bot/interactive_config', {
        token: bot.token,
        body: { callback_url: `${this.receiver.url}/clicks` },
      });
      if (answer.status !== 200) throw new Error(`${answer.status}: ${JSON.stringify(answer.body)}`);
      return answer.body;
    });
    return { ...bot, secret: body.signing_secret };
  }

  polling(): Promise<SeededBot> {
    return this.fixture.bot({ event_delivery_mode: 'poll' });
  }

  /** Creates a channel with the harness's person and these members. */
  channel(scope: 'public' | 'private', ...members: { id: string; type: 'bot' | 'user' }[]): Promise<string> {
    return this.fixture.chat.conversation({
      scope,
      members: [{ id: this.person.id, type: 'user' }, ...members],
    });
  }

  /** Posts a message of the bot with these elements, by default in a new channel with both. */
  async message(
    bot: SeededBot,
    {
      elements = [BUTTON, SELECT],
      type = 'actions',
      channel,
      parentMessageId,
      text = 'Deploy?',
    }: { elements?: object[]; type?: string; channel?: string; parentMessageId?: string; text?: string } = {},
  ): Promise<SeededMessage> {
    const conversationId = channel ?? (await this.channel('public', { id: bot.id, type: 'bot' }));
    const metadataJson = await this.signed(bot, elements, type);
    const { messageId } = await this.fixture.chat.post(conversationId, { id: bot.id, type: 'bot' }, text, {
      metadataJson,
      parentMessageId,
    });
    return { id: messageId, bot, channel: conversationId };
  }

  /** Returns signed metadata with one interactive block, as stored. */
  signed(bot: SeededBot, elements: object[], type = 'actions'): Promise<string> {
    const metadata = parseMetadata(JSON.stringify({ version: 1, blocks: [{ type, elements }] }));
    if (!metadata) throw new Error('no metadata');
    return runInWorkerTx(this.api.db, (tx) =>
      this.api.app.get(ComponentSigner).sign(tx, { spaceId: this.spaceId, botId: bot.id }, metadata),
    );
  }

  /** Returns the stored token of an element. */
  async tokenOf(messageId: string, actionId = 'go'): Promise<string> {
    const [row] = await readRows<{ json: string }>(
      this.api.db,
      'SELECT metadata_json AS json FROM messages WHERE id = $1',
      [messageId],
    );
    const elements: Fields[] = (JSON.parse(row?.json ?? '{"blocks":[]}') as Fields).blocks.flatMap(
      (block: Fields) => block.elements ?? [],
    );
    return elements.find(({ action_id: id }) => id === actionId)?.signed_token ?? '';
  }

  /** Clicks as the harness's person with the element's current token, unless overridden. */
  async click(
    messageId: string,
    {
      as = this.person,
      call = this.api.call.bind(this.api),
      ...body
    }: { as?: SeededPerson; call?: Call } & Fields = {},
  ): Promise<TestAnswer> {
    const actionId: unknown = 'action_id' in body ? body.action_id : 'go';
    const token = 'signed_token' in body ? undefined : await this.tokenOf(messageId, actionId as string);
    return call('POST', `/api/v1/client/messages/${messageId}/interactions`, {
      token: as.token,
      body: { action_id: actionId, signed_token: token, ...body },
    });
  }

  submit(
    modalToken: string,
    values: unknown = {},
    { as = this.person }: { as?: SeededPerson } = {},
  ): Promise<TestAnswer> {
    return this.api.call('POST', `/api/v1/client/modals/${modalToken}/submit`, {
      token: as.token,
      body: { values },
    });
  }

  /** Returns the actions for modals. */
  get forms(): Forms {
    return new Forms(this);
  }

  respond(bot: SeededBot, interactionId: string, body?: unknown): Promise<TestAnswer> {
    return this.api.call('POST', `/api/v1/bot/interactions/${interactionId}/respond`, {
      token: bot.token,
      body,
    });
  }

  /** Sets the receiver's answer. */
  answers(body: object | string, status = 200): void {
    this.receiver.respond({ status, body });
  }

  /** The request bodies that the receiver got. */
  get asked(): any[] {
    return this.receiver.requests.map(({ body }) => JSON.parse(body.toString('utf8')));
  }

  /** Returns a message as stored. */
  async stored(messageId: string): Promise<Fields | undefined> {
    const [row] = await readRows<Fields>(
      this.api.db,
      'SELECT text, metadata_json, edited_at, author_id, author_type, conversation_id, thread_id FROM messages WHERE id = $1',
      [messageId],
    );
    return row;
  }

  /** Returns the events for bots' queues that have not been planned yet, oldest first. */
  async directEvents(): Promise<Fields[]> {
    const events = (await this.fixture.chat.events()).filter(({ type }) => type === 'bot.direct_event');
    return events.map(({ eventId, payload }) => ({
      event_id: eventId,
      ...(payload as Fields),
      payload: JSON.parse((payload as Fields).payload_json),
    }));
  }

  async close(): Promise<void> {
    await Promise.all(this.more.map((app) => app.close()));
    await this.api.close();
    await this.receiver.close();
  }
}
