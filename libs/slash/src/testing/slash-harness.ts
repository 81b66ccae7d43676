import type { DynamicModule, Type } from '@nestjs/common';
import { BotsFixture, startBotsApi } from '@tieline/bots/testing';
import type { SeededBot } from '@tieline/bots/testing';
import type { MessageView } from '@tieline/conversations';
import { supply } from '@tieline/conversations/testing';
import { SlackCommands } from '../commands/callbacks/slack-commands.js';
import { startReceiver } from '@tieline/testing';
import type { Receiver } from '@tieline/testing';
import type { SeededPerson, TestAnswer, TestApi } from '@tieline/spaces/testing';
import { AnswerTimeouts, LONG_MS } from '@tieline/interactive/testing';
import type { BuiltinCommand } from '../builtins/builtin-commands.js';
import { SlashModule } from '../slash.module.js';

/** No lib knows Slack's format. */
export const NO_SLACK_COMMANDS = supply({
  provide: SlackCommands,
  useValue: { form: async () => '', answer: (given) => given } satisfies SlackCommands,
});

/** A registered command of a bot. */
export interface SeededCommand {
  bot: SeededBot;
  id: string;
  name: string;
  secret: string;
}

/** The HTTP application with slash commands, a space, a person, and a receiver for callbacks. */
export class SlashHarness {
  private commands = 0;

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
    builtinCommands: Type<BuiltinCommand>[] = [],
  ): Promise<SlashHarness> {
    const api = await startBotsApi(
      {
        EGRESS_ALLOW_HTTP: 'true',
        EGRESS_ALLOWED_CIDRS: '127.0.0.0/8',
        RATE_BOT_WRITES_PER_SECOND: '1000',
        CALLBACK_TIMEOUT_MS: String(LONG_MS),
        ...env,
      },
      [SlashModule.of(builtinCommands), NO_SLACK_COMMANDS, ...more],
    );
    const fixture = await BotsFixture.of(api);
    return new SlashHarness(
      api,
      fixture,
      await fixture.space.person('member', 'Ann'),
      await startReceiver(),
      new AnswerTimeouts(api),
    );
  }

  /** Creates another space on the same system, with the same receiver. */
  async otherSpace(): Promise<SlashHarness> {
    const fixture = await BotsFixture.of(this.api);
    return new SlashHarness(
      this.api,
      fixture,
      await fixture.space.person('member', 'Bob'),
      this.receiver,
      this.timeouts,
    );
  }

  /** Calls the management endpoint of a bot, by default with its own token. */
  manage(
    method: string,
    bot: SeededBot,
    {
      body,
      name,
      token = bot.token,
    }: { body?: unknown; /** Name or id, plus the rest of the path. */ name?: string; token?: string } = {},
  ): Promise<TestAnswer> {
    return this.api.call(method, `/api/v1/bots/${bot.id}/commands${name === undefined ? '' : `/${name}`}`, {
      token,
      body,
    });
  }

  /**
   * Registers a command of the given bot, or of a new bot with a callback. @throws Error if it was
   * refused
   */
  async command({
    bot,
    ...fields
  }: { bot?: SeededBot } & Record<string, unknown> = {}): Promise<SeededCommand> {
    const owner = bot ?? (await this.fixture.bot());
    const name = (fields.name as string | undefined) ?? `command-${(this.commands += 1)}`;
    const { status, body } = await this.manage('POST', owner, {
      body: { callback_url: `${this.receiver.url}/slash`, ...fields, name },
    });
    if (status !== 201) throw new Error(`the command was refused: ${JSON.stringify(body)}`);
    return { bot: owner, id: body.command.id, name, secret: body.signing_secret };
  }

  /** Registers a command of a new polling bot. */
  async polledCommand(): Promise<SeededCommand> {
    return this.command({ bot: await this.fixture.bot({ event_delivery_mode: 'poll' }), callback_url: '' });
  }

  /** Creates a channel with the harness's person and the given bots. */
  channel(...bots: SeededBot[]): Promise<string> {
    return this.fixture.chat.conversation({
      members: [
        { id: this.person.id, type: 'user' },
        ...bots.map(({ id }) => ({ id, type: 'bot' as const })),
      ],
    });
  }

  /** Runs a command, by default as the harness's person. */
  invoke(
    conversationId: string,
    text: unknown,
    {
      thread_id,
      options,
      token = this.person.token,
    }: { thread_id?: unknown; options?: unknown; token?: string } = {},
  ): Promise<TestAnswer> {
    return this.api.call('POST', `/api/v1/client/conversations/${conversationId}/commands`, {
      token,
      body: { text, thread_id, options },
    });
  }

  /** Returns the messages of a conversation or the replies of a thread, oldest first. */
  async messages(conversationId: string, threadId?: string): Promise<MessageView[]> {
    const query = threadId === undefined ? '' : `?thread_id=${threadId}`;
    const { body } = await this.api.call('GET', `/api/v1/channels/${conversationId}/messages${query}`, {
      token: this.person.token,
    });
    return body.messages as MessageView[];
  }

  async close(): Promise<void> {
    await this.api.close();
    await this.receiver.close();
  }
}
