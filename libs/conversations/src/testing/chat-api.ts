import type { DynamicModule } from '@nestjs/common';
import { ObservabilityModule } from '@tieline/platform/observability';
import { SpacesAdminModule, SpacesModule } from '@tieline/spaces';
import { seedSpace, startTestApi } from '@tieline/spaces/testing';
import type { SeededPerson, SeededSpace, TestAnswer, TestApi } from '@tieline/spaces/testing';
import { pino } from 'pino';
import { uuidv7 } from 'uuidv7';
import type { ChatEvent } from '../events/chat-event.js';
import { ConversationsModule } from '../conversations.module.js';
import { BotDirectory } from '../ports/bot-directory.js';
import { ChatFixture } from './chat-fixture.js';
import { supply, withStubs } from './stubs.js';

/** Ids that are active bots in every space. */
export const BOTS = [uuidv7(), uuidv7()];
const twoBots: BotDirectory = {
  findActive: async (_q, _spaceId, ids) => ids.filter((id) => BOTS.includes(id)),
};

/** An id that does not exist. */
export const UNKNOWN = '0198f3a2-7c1b-7000-8000-00000000ffff';

/** Logs nothing. */
export const LOGS = ObservabilityModule.of(pino({ level: 'silent' }));

/** Starts the chat core and the libs below it. Only for this lib's tests. */
export function startChatApi(env: Record<string, string> = {}, more: DynamicModule[] = []): Promise<TestApi> {
  const bots = supply({ provide: BotDirectory, useValue: twoBots });
  return startTestApi(
    withStubs([LOGS, SpacesModule, SpacesAdminModule, ConversationsModule, bots, ...more]),
    env,
  );
}

/** A new space with three members and a guest who act over HTTP. */
export class ChatSpace {
  private constructor(
    readonly api: TestApi,
    readonly space: SeededSpace,
    readonly chat: ChatFixture,
    readonly people: { ann: SeededPerson; bob: SeededPerson; eve: SeededPerson; guest: SeededPerson },
  ) {}

  static async on(api: TestApi): Promise<ChatSpace> {
    const space = await seedSpace(api.db);
    const [ann, bob, eve, guest] = [
      await space.person('member', 'Ann'),
      await space.person('member', 'Bob'),
      await space.person('member', 'Eve'),
      await space.person('guest'),
    ];
    return new ChatSpace(api, space, new ChatFixture(api.db, space.spaceId), { ann, bob, eve, guest });
  }

  /** Calls a client endpoint as that person. */
  as(
    person: SeededPerson,
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<TestAnswer> {
    return this.api.call(method, `/api/v1/client${path}`, { token: person.token, body, headers });
  }

  /** Reads history as that person. */
  history(person: SeededPerson, conversationId: string, query = ''): Promise<TestAnswer> {
    return this.api.call('GET', `/api/v1/channels/${conversationId}/messages${query}`, {
      token: person.token,
    });
  }

  /**
   * Creates a channel as Ann.
   * @returns its id
   */
  async channel(settings: Record<string, unknown> = {}): Promise<string> {
    return (
      await this.ok(this.people.ann, 'POST', '/conversations', {
        name: 'releases',
        is_public: true,
        ...settings,
      })
    ).conversation.id;
  }

  /** Opens a direct chat. @returns its id */
  async direct(person: SeededPerson, otherId: string): Promise<string> {
    return (await this.ok(person, 'POST', '/dm', { user_id: otherId })).conversation_id;
  }

  /** Posts a message. @returns its id */
  async send(person: SeededPerson, conversationId: string, text: string, parent?: string): Promise<string> {
    return (
      await this.ok(person, 'POST', `/conversations/${conversationId}/messages`, {
        text,
        parent_message_id: parent,
      })
    ).message_id;
  }

  /** Returns the chat events of this space so far, oldest first, without member events. */
  async events(): Promise<ChatEvent[]> {
    const all = await this.chat.events();
    return all
      .filter((event) => event.type !== 'conversation.members_changed')
      .map((event) => event.payload as ChatEvent);
  }

  private async ok(
    ...[person, method, path, body]: Parameters<ChatSpace['as']>
  ): Promise<TestAnswer['body']> {
    const answer = await this.as(person, method, path, body);
    if (answer.status !== 200)
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }
}
