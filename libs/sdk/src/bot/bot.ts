import { Client } from '../client/client.js';
import type { Answering } from './answers/answering.js';
import { AnswerContext, ClickContext, CommandContext } from './contexts/answer-context.js';
import { Context } from './contexts/context.js';
import { EventContext, MessageContext } from './contexts/event-context.js';
import { choicesOf, ClosedContext, OptionsContext, SubmitContext } from './contexts/submit-context.js';
import type { Choices } from './contexts/submit-context.js';
import type { CommandSettings } from './commands.js';
import { byConversation, Engine } from './engine/engine.js';
import type { Attempt } from './engine/engine.js';
import { pauseAfter } from './engine/outages.js';
import { fastifyPlugin, fetchHandler, nodeHandler } from './forms/adapters.js';
import type { FastifyPart, FetchHandler, NodeHandler } from './forms/adapters.js';
import type { FormParts } from './forms/form.js';
import { Receiver } from './forms/receiver.js';
import { secretsOf } from './forms/secrets.js';
import type { Secrets } from './forms/secrets.js';
import { Handlers } from './handlers/handlers.js';
import type { Middleware } from './handlers/handlers.js';
import { commandName, eventType } from './handlers/patterns.js';
import type { Pattern } from './handlers/patterns.js';
import { Operation } from './operation.js';
import { beginTask, runAgent } from './runs/run-agent.js';
import type { RunOptions, RunWork, Trigger } from './runs/run-agent.js';
import type { Task, TaskChange } from './runs/task.js';
import { environment, logLine } from './settings.js';
import type { BotSettings, StartOptions, StopOptions } from './settings.js';

/** A handler of one kind of happening. What it returns counts for `options` alone. */
export type Handler<C extends Context, R = unknown> = (context: C) => R | Promise<R>;

/**
 * Told of what failed for good; the context is that of the handler, and may still answer where it
 * can.
 */
export type ErrorHandler = (
  error: unknown,
  context: Context & { ephemeral?: (text: string) => Promise<unknown> },
) => unknown;

/**
 * Handlers are the same whichever way the bot learns of what happens: `start({ via })` chooses it
 * (docs/sdk.md).
 */
export class Bot {
  /** Everything else that the API offers. */
  readonly client: Client;
  private readonly handlers = new Handlers();
  private readonly commands = new Map<string, CommandSettings>();
  private readonly engine: Engine;
  private readonly operation: Operation;
  private readonly log: NonNullable<BotSettings['log']>;
  private errorHandler: ErrorHandler | undefined;

  /** @throws TypeError when there is no token */
  constructor(private readonly settings: BotSettings = {}) {
    const { token = environment('TIELINE_TOKEN'), log = logLine } = settings;
    const { url = environment('TIELINE_URL') ?? 'http://127.0.0.1:3000' } = settings;
    if (!token) throw new TypeError('a bot needs its token: new Bot({ token }) or TIELINE_TOKEN');
    this.log = log;
    this.client = new Client({ url, token, onWarning: log });
    this.engine = this.newEngine();
    this.operation = new Operation({
      settings,
      token,
      parts: this.parts,
      receiver: () => this.receiver(),
      handlers: this.handlers,
      commands: this.commands,
    });
  }

  /**
   * A slash command, written with its slash. With settings it is registered, or changed, when the
   * bot starts by polling or a socket.
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

  /** A button, by its `action_id`: the whole, a beginning with `*`, or an expression. */
  click(actionId: Pattern, handler: Handler<ClickContext>): this {
    return this.on('click', actionId, handler);
  }

  /** Something was chosen, in whatever element. */
  select(actionId: Pattern, handler: Handler<ClickContext>): this {
    return this.on('select', actionId, handler);
  }

  /** A submitted form, by the `action_id` of what opened it; of a command its name. */
  submit(actionId: Pattern, handler: Handler<SubmitContext>): this {
    return this.on('submit', actionId, handler);
  }

  /** A form with `notify_on_close` was left, by the same name as `submit`. */
  closed(actionId: Pattern, handler: Handler<ClosedContext>): this {
    return this.on('closed', actionId, handler);
  }

  /** Suggestions while somebody types, by the name of the command's option or the form's field. */
  options(field: Pattern, handler: Handler<OptionsContext, Choices>): this {
    return this.add('options', field, async (context, answering) => {
      const choices = choicesOf(await handler(context as OptionsContext));
      await answering.give({ choices });
    });
  }

  /**
   * An event of the bot's `event_types`: `message.created` or `MESSAGE_CREATED`; `*`: all that
   * nobody else takes.
   */
  event(type: string, handler: Handler<EventContext>): this {
    return this.on('event', eventType(type), handler);
  }

  /** A new message of a person or another bot; with a pattern only where its text fits. */
  message(handler: Handler<MessageContext>): this;
  message(text: string | RegExp, handler: Handler<MessageContext>): this;
  message(...rest: [Handler<MessageContext>] | [string | RegExp, Handler<MessageContext>]): this {
    const handler = rest.at(-1) as Handler<MessageContext>;
    const text = rest.length > 1 ? (rest[0] as string | RegExp) : undefined;
    const accepts = (context: Context): boolean => has(context as MessageContext, text ?? '');
    this.handlers.add({
      kind: 'event',
      pattern: 'MESSAGE_CREATED',
      ...(text !== undefined && { accepts }),
      run: (c) => handler(c as MessageContext),
    });
    return this;
  }

  /** Runs around every handler. */
  use(middleware: Middleware): this {
    this.handlers.use(middleware);
    return this;
  }

  /** Told of what a handler failed with for good. Without it there is a line in the log. */
  onError(handler: ErrorHandler): this {
    this.errorHandler = handler;
    return this;
  }

  /**
   * An agent run for a person's message: people see that the work goes on, and its answer grow. It
   * ends with the work.
   * @returns the answer; undefined when the run ended elsewhere, also in an earlier life of the bot
   */
  run(trigger: Trigger, work: RunWork): Promise<string | undefined>;
  run(trigger: Trigger, options: RunOptions, work: RunWork): Promise<string | undefined>;
  run(trigger: Trigger, ...rest: [RunWork] | [RunOptions, RunWork]): Promise<string | undefined> {
    const options = rest.length > 1 ? (rest[0] as RunOptions) : {};
    return runAgent(this.client, trigger, options, rest.at(-1) as RunWork);
  }

  /**
   * A task in the thread of a message, which people follow, and accept or reject in the end. One
   * per message and `key`.
   */
  task(trigger: Trigger, shown: TaskChange & { title: string; key?: string }): Promise<Task> {
    return beginTask(this.client, trigger, shown, shown.key);
  }

  /**
   * Begins. @returns when the bot is ready. @throws when Tieline refuses it, or the port is taken
   */
  start(options: StartOptions = {}): Promise<void> {
    return this.operation.start(options);
  }

  /**
   * Takes in nothing new, waits for what runs, acknowledges it, and ends. Idempotent. @returns
   * whether all that ran has ended in time
   */
  stop(options: StopOptions = {}): Promise<boolean> {
    return this.operation.stop(options);
  }

  /** Resolves when the bot has stopped; rejects when it had to, because Tieline refuses it. */
  get stopped(): Promise<void> {
    return this.operation.stopped;
  }

  /** Where it listens, called back or pushed to. */
  get port(): number | undefined {
    return this.operation.port;
  }

  /**
   * For `node:http` and Express, at any path. With a parser before it: `express.json({ verify:
   * keepRawBody })`.
   */
  nodeHandler(options: { secrets?: Secrets } = {}): NodeHandler {
    return nodeHandler(this.receiver(options.secrets), this.log);
  }

  /**
   * For Hono, Deno, Bun and serverless places; give it `{ waitUntil }` where answers may come late.
   */
  fetchHandler(options: { secrets?: Secrets } = {}): FetchHandler {
    return fetchHandler(this.receiver(options.secrets));
  }

  /** For `fastify.register(bot.fastifyPlugin(), { path: '/tieline' })`. */
  fastifyPlugin(
    options: { secrets?: Secrets } = {},
  ): (fastify: FastifyPart, options: { path?: string }) => Promise<void> {
    return fastifyPlugin(this.receiver(options.secrets));
  }

  private receiver(given: Secrets | undefined = this.settings.secrets): Receiver {
    return new Receiver(this.parts, secretsOf(given ?? environment('TIELINE_SECRETS')?.split(',')));
  }

  private get parts(): FormParts {
    const fail = (error: unknown): void => this.operation.fail(error);
    return { client: this.client, engine: this.engine, log: this.log, fail };
  }

  private newEngine(): Engine {
    const { concurrency = 16, tries = 3, remember = 10_000, order = 'conversation' } = this.settings;
    return new Engine(this.client, {
      ...{ concurrency, tries, remember, pause: pauseAfter, log: this.log },
      order: order === 'conversation' ? byConversation : order === 'none' ? () => null : order,
      handle: async (attempt) => {
        await this.handlers.handle(this.contextOf(attempt), attempt.answering);
      },
      onError: async (error, attempt) => {
        await this.errorHandler?.(error, this.contextOf(attempt));
      },
    });
  }

  private contextOf({ happening, answering, signal }: Attempt): Context {
    const { client } = this;
    if (happening.kind === 'options') return new OptionsContext(client, happening, signal);
    if (happening.kind !== 'event')
      return new ANSWERING[happening.kind](client, happening, signal, answering);
    const EventClass = happening.type === 'MESSAGE_CREATED' ? MessageContext : EventContext;
    return new EventClass(client, happening, signal);
  }

  private on<C extends Context>(
    kind: Parameters<Bot['add']>[0],
    pattern: Pattern,
    handler: Handler<C>,
  ): this {
    return this.add(kind, pattern, (context) => handler(context as C));
  }

  private add(
    kind: Attempt['happening']['kind'],
    pattern: Pattern,
    run: (context: Context, answering: Answering) => unknown,
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

function has(context: MessageContext, text: string | RegExp): boolean {
  if (typeof text === 'string') return context.text.toLowerCase().includes(text.toLowerCase());
  context.match = context.text.match(text);
  return context.match !== null;
}
