import type { DynamicModule, Type } from '@nestjs/common';
import type { ChatEvent } from '@tieline/conversations';
import { startTasksApi, TasksFixture } from '@tieline/execution-tasks/testing';
import type { TestAnswer, TestApi } from '@tieline/spaces/testing';
import { uuidv7 } from 'uuidv7';
import { readRows } from '@tieline/testing';
import { AgentRunsModule } from '../agent-runs.module.js';

/**
 * Starts the HTTP application of runs, its dependencies and `more`, without rate limits unless
 * `env` sets them.
 */
export function startRunsApi(
  env: Record<string, string> = {},
  more: (Type | DynamicModule)[] = [],
): Promise<TestApi> {
  return startTasksApi(env, [AgentRunsModule, ...more]);
}

/** A space with a bot and a person in one channel; the person has asked something. */
export class RunsFixture {
  trigger: string;

  private constructor(readonly tasks: TasksFixture) {}

  static async of(api: TestApi): Promise<RunsFixture> {
    const fixture = new RunsFixture(await TasksFixture.of(api));
    fixture.trigger = await fixture.tasks.say('what happened?');
    return fixture;
  }

  /** Sends POST /agent_runs with a new key, unless `body` has one. */
  create(
    body: Record<string, unknown> = {},
    given?: Parameters<TasksFixture['call']>[3],
  ): Promise<TestAnswer> {
    const options =
      given ?? (body.idempotency_key === undefined ? { headers: { 'idempotency-key': uuidv7() } } : {});
    return this.tasks.call(
      'POST',
      '/agent_runs',
      { conversation_id: this.tasks.channel, trigger_message_id: this.trigger, ...body },
      options,
    );
  }

  /**
   * Creates a run.
   *
   * @throws Error if it was refused
   */
  async run(body: Record<string, unknown> = {}): Promise<TestAnswer['body']['agent_run']> {
    const response = await this.create(body);
    if (response.status !== 200) throw new Error(`${response.status} ${JSON.stringify(response.body)}`);
    return response.body.agent_run;
  }

  patch(id: string, body: Record<string, unknown>): Promise<TestAnswer> {
    return this.tasks.call('PATCH', `/agent_runs/${id}`, body);
  }

  get(id: string): Promise<TestAnswer> {
    return this.tasks.call('GET', `/agent_runs/${id}`);
  }

  cancel(id: string): Promise<TestAnswer> {
    return this.tasks.call('POST', `/agent_runs/${id}/cancel`);
  }

  /** Returns stored bot messages of the space. */
  placeholders(): Promise<{ id: string; text: string; metadata_json: string; thread_id: string | null }[]> {
    return readRows(
      this.tasks.api.db,
      `SELECT id, text, metadata_json, thread_id FROM messages WHERE space_id = $1 AND author_type = 'bot' ORDER BY sent_at, id`,
      [this.tasks.space.spaceId],
    );
  }

  /** Returns the edits of a message, oldest first. */
  async edits(messageId: string): Promise<{ text: string; at: number; envelope: any }[]> {
    const events = await this.tasks.events<ChatEvent>('MESSAGE_UPDATED');
    return events.flatMap(({ message, occurred_at }) =>
      message?.id === messageId
        ? [
            {
              text: message.text,
              at: Date.parse(occurred_at),
              envelope: JSON.parse(message.metadata_json as string),
            },
          ]
        : [],
    );
  }
}
