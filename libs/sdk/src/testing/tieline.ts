import { Client } from '../client.js';
import type { SeenMessage } from './messages.js';
import { Person } from './person.js';
import { sentRequests } from './sent-requests.js';
import type { SentRequest } from './sent-requests.js';
import { startSimulator } from './simulator.js';
import type { Simulator, StartOptions, World } from './simulator.js';

const PATIENCE_MS = 10_000;
const LOOK_MS = 20;

/**
 * A running Tieline with people in it, for tests of bots and receivers. Made by {@link
 * startTieline}.
 */
export class Tieline {
  /** Address of the api. */
  readonly url: string;
  readonly operatorToken: string;
  /** The space, its people, channels, bot and incoming webhook, with their tokens. */
  readonly world: World;
  /** What the seeded bot is started with. */
  readonly env: Readonly<{ TIELINE_URL: string; TIELINE_TOKEN: string }>;
  readonly #simulator: Simulator;
  readonly #people = new Map<string, Person>();

  /** @param simulator that runs */
  constructor(simulator: Simulator) {
    this.#simulator = simulator;
    this.url = simulator.url;
    this.operatorToken = simulator.operatorToken;
    this.world = simulator.world;
    this.env = { TIELINE_URL: this.url, TIELINE_TOKEN: this.world.bot.token };
  }

  /** For looking behind the scenes. */
  get databaseUrl(): string {
    return this.#simulator.databaseUrl;
  }

  /** What stored secrets are encrypted with. */
  get secretKey(): string {
    return this.#simulator.secretKey;
  }

  /** How long the start took. */
  get readyInMs(): number {
    return this.#simulator.readyInMs;
  }

  /** A client with that token. Default: the seeded bot's. */
  client(token: string = this.world.bot.token): Client {
    return new Client({ url: this.url, token });
  }

  /**
   * Somebody who can be told what to do: `ada` (an admin), `ben`, or `owner`. Always the same one
   * for a name.
   */
  person(name: string): Person {
    const known = this.world.people[name];
    if (!known)
      throw new Error(`there is nobody called ${name}, but ${Object.keys(this.world.people).join(', ')}`);
    const { id, token } = known;
    const person = this.#people.get(name) ?? new Person({ client: this.client(token), id, name });
    this.#people.set(name, person);
    return person;
  }

  /** Messages of a conversation (default: `general`), oldest first, as the owner sees them. */
  messages(conversation = 'general', limit = 100): Promise<SeenMessage[]> {
    return this.person('owner').messages(conversation, limit);
  }

  /**
   * Everything that was sent to subscriptions, bots and callbacks, oldest first, with every
   * attempt.
   */
  requests(): Promise<SentRequest[]> {
    return sentRequests(this.client(this.world.people.owner!.token));
  }

  /** Those of subscriptions. */
  async deliveries(): Promise<SentRequest[]> {
    return (await this.requests()).filter(({ kind }) => kind === 'delivery');
  }

  /**
   * The address of the seeded incoming webhook; requests are signed with `world.webhook.secret`.
   */
  get webhookUrl(): string {
    return this.url + this.world.webhook.path;
  }

  /**
   * Moves time: retries, reminders, expiries of forms, runs and tokens are due that much sooner.
   * @param duration such as `90s`, `15m`, `1h30m`, `2d`, or milliseconds
   */
  advance(duration: string | number): Promise<void> {
    return this.#simulator.advance(duration);
  }

  /**
   * Asks again and again until the answer is neither undefined, null nor false.
   * @throws Error after `timeoutMs` (default 10 s)
   */
  async until<T>(ask: () => Promise<T> | T, timeoutMs = PATIENCE_MS): Promise<NonNullable<T>> {
    const deadline = performance.now() + timeoutMs;
    for (;;) {
      const answer = await ask();
      if (answer !== undefined && answer !== null && answer !== false) return answer as NonNullable<T>;
      if (performance.now() > deadline) throw new Error(`it did not happen within ${timeoutMs} ms`);
      await new Promise((resume) => setTimeout(resume, LOOK_MS));
    }
  }

  /**
   * Ends a process and starts it again at the same address; with `SIGKILL` in the middle of
   * whatever it does.
   */
  restart(name: 'api' | 'worker', signal?: NodeJS.Signals): Promise<void> {
    return this.#simulator.restart(name, signal);
  }

  /** What api and worker have logged. */
  log(): Promise<string> {
    return this.#simulator.log();
  }

  /**
   * Has another process, such as a bot, end when this one does, however that ends. @returns what to
   * call once it has ended by itself
   */
  endWithUs(pid: number): () => void {
    return this.#simulator.tie(pid);
  }

  /** For programs in Python that import `tieline`: the package of the checkout. */
  get pythonPath(): { readonly PYTHONPATH: string } {
    return { PYTHONPATH: this.#simulator.pythonPath };
  }

  /** Ends everything; nothing is left behind. */
  async stop(): Promise<void> {
    for (const person of this.#people.values()) await person.leave();
    await this.#simulator.stop();
  }
}

/**
 * Starts the real api and worker on a database of their own, seeded, in a few seconds. It ends with
 * {@link Tieline.stop}, or with the process that started it, however that ends.
 */
export async function startTieline(options: StartOptions = {}): Promise<Tieline> {
  return new Tieline(await startSimulator(options));
}
