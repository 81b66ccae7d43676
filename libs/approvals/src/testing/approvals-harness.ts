import { BOTS_WORKER, BotsFixture, startBotsApi } from '@tieline/bots/testing';
import type { SeededBot } from '@tieline/bots/testing';
import { ClientStreamModule, LiveFanoutModule } from '@tieline/live-stream';
import type { Role } from '@tieline/platform/http';
import type { SeededPerson, TestAnswer, TestApi } from '@tieline/spaces/testing';
import { ApprovalsAdminModule, ApprovalsModule, ApprovalsWorkerModule } from '../approvals.module.js';

type Fields = Record<string, unknown>;
export type Approval = Record<string, any>;

/**
 * Starts the HTTP application of approvals and the libs below, with the worker's duties in the same
 * process. The rates are out of the way unless `env` sets them.
 */
export function startApprovalsApi(env: Record<string, string> = {}): Promise<TestApi> {
  return startBotsApi(
    {
      RATE_APPROVALS_PER_SECOND: '100000',
      RATE_BOT_WRITES_PER_SECOND: '100000',
      RATE_USER_WRITES_PER_SECOND: '100000',
      DATABASE_POOL_MAX: '20',
      ...env,
    },
    [
      ...[ClientStreamModule, ApprovalsModule, ApprovalsAdminModule],
      ...[...BOTS_WORKER, LiveFanoutModule, ApprovalsWorkerModule],
    ],
  );
}

/** A space with a bot and the people Ann, Bob and a guest in one public channel. */
export class ApprovalsHarness {
  bot: SeededBot;
  ann: SeededPerson;
  bob: SeededPerson;
  guest: SeededPerson;
  channel: string;

  private constructor(
    readonly api: TestApi,
    readonly fixture: BotsFixture,
  ) {}

  static async of(api: TestApi): Promise<ApprovalsHarness> {
    const harness = new ApprovalsHarness(api, await BotsFixture.of(api));
    harness.bot = await harness.fixture.bot({ event_delivery_mode: 'poll' });
    harness.ann = await harness.person('member', 'Ann');
    harness.bob = await harness.person('member', 'Bob');
    harness.guest = await harness.person('guest', 'Gil');
    harness.channel = await harness.conversation();
    return harness;
  }

  get owner(): SeededPerson {
    return this.fixture.space.owner;
  }

  get spaceId(): string {
    return this.fixture.space.spaceId;
  }

  person(role: Role, name: string): Promise<SeededPerson> {
    return this.fixture.space.person(role, name);
  }

  /** Creates a conversation of the bot with these people, by default all of the harness. */
  conversation({
    scope = 'public',
    people = [this.owner, this.ann, this.bob, this.guest],
  }: { scope?: 'public' | 'private'; people?: SeededPerson[] } = {}): Promise<string> {
    return this.fixture.chat.conversation({
      scope,
      members: [
        { id: this.bot.id, type: 'bot' as const },
        ...people.map(({ id }) => ({ id, type: 'user' as const })),
      ],
    });
  }

  /** Calls an endpoint below `/api/v1/bot/approvals` as the harness's bot. */
  asBot(method: string, path = '', body?: unknown, bot: SeededBot = this.bot): Promise<TestAnswer> {
    return this.api.call(method, `/api/v1/bot/approvals${path}`, { token: bot.token, body });
  }

  /** Calls an endpoint below `/api/v1/client/approvals`. */
  asPerson(person: SeededPerson, method: string, path = '', body?: unknown): Promise<TestAnswer> {
    return this.api.call(method, `/api/v1/client/approvals${path}`, { token: person.token, body });
  }

  create(body: Fields = {}): Promise<TestAnswer> {
    return this.asBot('POST', '', { conversation_id: this.channel, title: 'Deploy?', ...body });
  }

  /** Creates an approval. @throws Error if it was refused */
  async approval(body: Fields = {}): Promise<Approval> {
    const answer = await this.create(body);
    if (answer.status !== 200) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body.approval;
  }

  decide(person: SeededPerson, id: string, optionId = 'approve', more: Fields = {}): Promise<TestAnswer> {
    return this.asPerson(person, 'POST', `/${id}/decide`, { option_id: optionId, ...more });
  }

  async get(id: string): Promise<Approval> {
    return (await this.asBot('GET', `/${id}`)).body.approval;
  }

  /** Makes the time of an approval be up. */
  async passTime(id: string): Promise<void> {
    await this.api.db.query(
      `UPDATE approvals SET expires_at = clock_timestamp() - interval '1 second' WHERE id = $1`,
      [id],
    );
  }

  /** Returns the bot's direct events about an approval. */
  async decidedEvents(id: string): Promise<Approval[]> {
    const { body } = await this.api.call('GET', '/api/v1/bot/events?limit=500', { token: this.bot.token });
    return (body.events as { event_type: string; payload_json: string }[])
      .filter(({ event_type: type }) => type === 'approval.decided')
      .map(({ payload_json: json }) => JSON.parse(json) as Approval)
      .filter(({ approval }) => approval.id === id);
  }

  /** Returns the entries of the audit log about an object, oldest first. */
  async audited(objectId: string): Promise<{ action: string; actor_id: string | null; changes: Fields }[]> {
    const { body } = await this.fixture.admin('GET', '/audit_log?limit=200');
    return (body.entries as any[]).filter(({ object_id: id }) => id === objectId).reverse();
  }
}
