import { Client } from '../client/client.js';
import { ask } from './approvals/ask.js';
import type { AskOptions, AskResult, Question } from './approvals/ask.js';
import type { Responder } from './answers/responder.js';
import { AnswerContext, ClickContext, CommandContext } from './contexts/answer-context.js';
import { Context } from './contexts/context.js';
import { EventContext, MessageContext } from './contexts/event-context.js';
import { choicesOf, ClosedContext, OptionsContext, SubmitContext } from './contexts/submit-context.js';
import type { Choices } from './contexts/submit-context.js';
import type { CommandSettings } from './commands.js';
import { byConversation, Engine } from './engine/engine.js';
import type { Attempt } from './engine/engine.js';
import { pauseAfter } from './engine/outages.js';
import { fastifyPlugin, fetchHandler, nodeHandler } from './connectors/adapters.js';
import type { FastifyPart, FetchHandler, NodeHandler } from './connectors/adapters.js';
import type { ConnectorDependencies } from './connectors/connector.js';
import { Receiver } from './connectors/receiver.js';
import { secretsOf } from './connectors/secrets.js';
import type { Secrets } from './connectors/secrets.js';
import { Handlers } from './handlers/handlers.js';
import type { Middleware } from './handlers/handlers.js';
import { commandName, eventType } from './handlers/patterns.js';
import type { Pattern } from './handlers/patterns.js';
import { BotRunner } from './bot-runner.js';
import { beginTask, runAgent } from './runs/run-agent.js';
import type { RunOptions, RunWork, Trigger } from './runs/run-agent.js';
import { StopRequests } from './runs/stop-requests.js';
import type { Task, TaskChange } from './runs/task.js';
import { environment, logLine } from './settings.js';
import type { BotSettings, StartOptions, StopOptions } from './settings.js';

/** Handles one kind of activity. Its return value is used only by `options`. */
export type Handler<C extends Context, R = unknown> = (context: C) => R | Promise<R>;

/**
 * Called when a handler has failed for good. The context is that of the handler and may still
 * answer if that is possible.
 */
export type ErrorHandler = (
  error: unknown,
  context: Context & { ephemeral?: (text: string) => Promise<unknown> },
) => unknown;

/**
 * A bot. Its handlers work the same with every connector: `start({ via })` chooses one
 * (docs/sdk.md).
 */
export class Bot {
  /** Client for the rest of the API. */
  readonly client: Client;
  private readonly handlers = new Handlers();
  private readonly commands = new Map<string, CommandSettings>();
  private readonly stops = new StopRequests();
  private readonly engine: Engine;
  private readonly runner: BotRunner;
  private readonly log: NonNullable<BotSettings['log']>;
  private errorHandler: ErrorHandler | undefined;

  /** @throws TypeError without a token */
  constructor(private readonly settings: BotSettings = {}) {
    const { token = environment('TIELINE_TOKEN'), log = logLine } = settings;
    const { url = environment('TIELINE_URL') ?? 'http://127.0.0.1:3000' } = settings;
    if (!token) throw new TypeError('a bot needs a token: pass new Bot({ token }) or set TIELINE_TOKEN');
    this.log = log;
    this.client = new Client({ url, token, onWarning: log });
    this.engine = this.newEngine();
    this.runner = new BotRunner({
      settings,
      token,
      services: this.services,
      receiver: () => this.receiver(),
      handlers: this.handlers,
      commands: this.commands,
    });
  }

  /**
   * Handles a slash command. With settings, the command is registered or updated when the bot
   * starts with polling or a socket.
   */
  command(name: string, handler: Handler<CommandContext>): this;
  command(name: string, settings: CommandSettings, handler: Handler<CommandContext>): this;
  command(
    name: string,
    ...rest: [Handler<CommandContext>] | [CommandSettings, Handler<CommandContext>]
  ): this {
    const handler = rest.at(-1) as Handler<CommandContext>;
    this.commands.set(commandName(name), rest.length > 1 ? (rest[0] as CommandSettings) : {});
    return this.on('command', commandName(name), handler);
  }

  /**
   * Handles clicks of a button by `action_id`: a full id, a prefix followed by `*`, or a regular
   * expression.
   */
  click(actionId: Pattern, handler: Handler<ClickContext>): this {
    return this.on('click', actionId, handler);
  }

  /** Handles selections in any element. */
  select(actionId: Pattern, handler: Handler<ClickContext>): this {
    return this.on('select', actionId, handler);
  }

  /** Handles submitted forms, by the `action_id` or the command that opened the form. */
  submit(actionId: Pattern, handler: Handler<SubmitContext>): this {
    return this.on('submit', actionId, handler);
  }

  /** Handles closed forms with `notify_on_close`, named like in `submit`. */
  closed(actionId: Pattern, handler: Handler<ClosedContext>): this {
    return this.on('closed', actionId, handler);
  }

  /**
   * Returns suggestions while the person types, by the name of the command's option or the form's
   * field.
   */
  options(field: Pattern, handler: Handler<OptionsContext, Choices>): this {
    return this.add('options', field, async (context, responder) => {
      const choices = choicesOf(await handler(context as OptionsContext));
      await responder.send({ choices });
    });
  }

  /**
   * Handles an event of the bot's `event_types`: `message.created` or `MESSAGE_CREATED`. `*`: all
   * events without another handler.
   */
  event(type: string, handler: Handler<EventContext>): this {
    return this.on('event', eventType(type), handler);
  }

  /**
   * Handles new messages of people and other bots. With a pattern, only messages whose text
   * matches.
   */
  message(handler: Handler<MessageContext>): this;
  message(text: string | RegExp, handler: Handler<MessageContext>): this;
  message(...rest: [Handler<MessageContext>] | [string | RegExp, Handler<MessageContext>]): this {
    const handler = rest.at(-1) as Handler<MessageContext>;
    const text = rest.length > 1 ? (rest[0] as string | RegExp) : undefined;
    const accepts = (context: Context): boolean => (context as MessageContext).matches(text ?? '');
    this.handlers.add({
      kind: 'event',
      pattern: 'MESSAGE_CREATED',
      ...(text !== undefined && { accepts }),
      run: (c) => handler(c as MessageContext),
    });
    return this;
  }

  /** Handles people who open the bot's direct chat (docs/agents.md#opened-chats). */
  opened = (handler: Handler<EventContext>): this => this.event('DM_OPENED', handler);

  /** Adds middleware that runs around every handler. */
  use(middleware: Middleware): this {
    this.handlers.use(middleware);
    return this;
  }

  /** Sets the handler of final failures. Without one they are logged. */
  onError(handler: ErrorHandler): this {
    this.errorHandler = handler;
    return this;
  }

  /**
   * Runs `work` as an agent run for a person's message. People see its progress and its growing
   * answer. The run ends with the work.
   * @returns the answer, or undefined when the run ended elsewhere or before a restart of the bot
   */
  run(trigger: Trigger, work: RunWork): Promise<string | undefined>;
  run(trigger: Trigger, options: RunOptions, work: RunWork): Promise<string | undefined>;
  run(trigger: Trigger, ...rest: [RunWork] | [RunOptions, RunWork]): Promise<string | undefined> {
    const options = rest.length > 1 ? (rest[0] as RunOptions) : {};
    return runAgent(this.client, trigger, options, rest.at(-1) as RunWork, this.stops);
  }

  /**
   * Creates a task in the thread of a message. People follow it and finally accept or reject it.
   * There is one per message and `key`.
   */
  task(trigger: Trigger, shown: TaskChange & { title: string; key?: string }): Promise<Task> {
    return beginTask(this.client, trigger, shown, shown.key);
  }

  /** Asks people, and waits for days. After a restart, call it again (docs/approvals.md). */
  ask = (question: Question, options?: AskOptions): Promise<AskResult> => ask(this.client, question, options);

  /**
   * Starts the bot.
   * @returns when the bot is ready
   * @throws when Tieline refuses the bot or the port is in use
   */
  start(options: StartOptions = {}): Promise<void> {
    return this.runner.start(options);
  }

  /**
   * Accepts no new activities, waits for running handlers, acknowledges them and ends. Idempotent.
   * @returns whether all handlers ended in time
   */
  stop(options: StopOptions = {}): Promise<boolean> {
    return this.runner.stop(options);
  }

  /** Resolves when the bot has stopped. Rejects when it had to stop because Tieline refuses it. */
  get stopped(): Promise<void> {
    return this.runner.stopped;
  }

  /** Port of the bot's server, for `callback` and `push`. */
  get port(): number | undefined {
    return this.runner.port;
  }

  /**
   * Handler for `node:http` and Express, at any path. After a body parser: `express.json({ verify:
   * keepRawBody })`.
   */
  nodeHandler(options: { secrets?: Secrets } = {}): NodeHandler {
    return nodeHandler(this.receiver(options.secrets), this.log);
  }

  /**
   * Handler for Hono, Deno, Bun and serverless platforms. Pass it `{ waitUntil }` if answers may
   * come late.
   */
  fetchHandler(options: { secrets?: Secrets } = {}): FetchHandler {
    return fetchHandler(this.receiver(options.secrets));
  }

  /** Plugin for `fastify.register(bot.fastifyPlugin(), { path: '/tieline' })`. */
  fastifyPlugin(
    options: { secrets?: Secrets } = {},
  ): (fastify: FastifyPart, options: { path?: string }) => Promise<void> {
    return fastifyPlugin(this.receiver(options.secrets));
  }

  /** @internal @throws TypeError without secrets */
  receiver(given: Secrets | undefined = this.settings.secrets): Receiver {
    return new Receiver(this.services, secretsOf(given ?? environment('TIELINE_SECRETS')?.split(',')));
  }

  private get services(): ConnectorDependencies {
    const fail = (error: unknown): void => this.runner.fail(error);
    return { client: this.client, engine: this.engine, log: this.log, fail };
  }

  private newEngine(): Engine {
    const { concurrency = 16, tries = 3, remember = 10_000, order = 'conversation' } = this.settings;
    return new Engine(this.client, {
      ...{ concurrency, tries, remember, pause: pauseAfter, log: this.log },
      arrived: (activity) => this.stops.arrived(activity),
      order: order === 'conversation' ? byConversation : order === 'none' ? () => null : order,
      handle: async (attempt) => {
        await this.handlers.handle(this.contextOf(attempt), attempt.responder);
      },
      onError: async (error, attempt) => {
        await this.errorHandler?.(error, this.contextOf(attempt));
      },
    });
  }

  private contextOf({ activity, responder, signal }: Attempt): Context {
    const { client } = this;
    if (activity.kind === 'options') return new OptionsContext(client, activity, signal);
    if (activity.kind !== 'event') return new ANSWERING[activity.kind](client, activity, signal, responder);
    const EventClass = activity.type === 'MESSAGE_CREATED' ? MessageContext : EventContext;
    return new EventClass(client, activity, signal);
  }

  private on<C extends Context>(
    kind: Parameters<Bot['add']>[0],
    pattern: Pattern,
    handler: Handler<C>,
  ): this {
    return this.add(kind, pattern, (context) => handler(context as C));
  }

  private add(
    kind: Attempt['activity']['kind'],
    pattern: Pattern,
    run: (context: Context, responder: Responder) => unknown,
  ): this {
    this.handlers.add({ kind, pattern, run });
    return this;
  }
}

const ANSWERING = {
  command: CommandContext,
  click: ClickContext,
  select: ClickContext,
  submit: SubmitContext,
  closed: ClosedContext,
} as const satisfies Record<string, typeof AnswerContext>;
