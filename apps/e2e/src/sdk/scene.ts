import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ChildProgram, eventually, EventStreamClient, freePort } from '@tieline/testing';
import { call, expectOk, createWorkspace } from '../tieline.js';
import type { Tieline, Workspace } from '../tieline.js';

export type Via = 'poll' | 'socket' | 'push' | 'callback';
export type Fields = Record<string, any>;

/** The shared setup: the product, its address, a folder for cursors. */
export interface Stage {
  tieline: Tieline;
  url: string;
  folder: string;
}

/** A separate space with a person, a bot and two channels, and the bot's process. */
export class Scene {
  bot: ChildProgram | undefined;

  private constructor(
    private readonly stage: Stage,
    readonly via: Via,
    readonly workspace: Workspace,
    private readonly stream: EventStreamClient,
    private readonly env: Record<string, string>,
  ) {}

  /**
   * Creates the scene. `commands` are registered here for modes in which Tieline calls the bot,
   * because they need an address.
   */
  static async make(stage: Stage, via: Via, commands: object[]): Promise<Scene> {
    const workspace = await createWorkspace(stage, { channels: 2 });
    const stream = await EventStreamClient.open(`${stage.url}/api/v1/client/stream`, workspace.ownerToken);
    const env = await settings(stage, via, workspace, commands);
    return new Scene(stage, via, workspace, stream, env);
  }

  /** @param script a path in the repository */
  async start(script: string): Promise<void> {
    const place = fileURLToPath(new URL(`../../../../${script}`, import.meta.url));
    this.bot = new ChildProgram(process.execPath, [place], { env: this.env });
    await this.bot.hasWritten(/ready:/);
  }

  async close(): Promise<void> {
    this.stream.close();
    await this.bot?.end('SIGKILL');
  }

  get output(): string {
    return this.bot?.output ?? '';
  }

  asPerson(method: string, to: string, body?: object): Promise<Fields> {
    return expectOk(call(this.stage, method, `/api/v1/${to}`, this.workspace.ownerToken, body));
  }

  type(text: string): Promise<Fields> {
    return this.asPerson('POST', `client/conversations/${this.workspace.channels[0]}/commands`, { text });
  }

  say(text: string, channel = this.workspace.channels[0]): Promise<Fields> {
    return this.asPerson('POST', `client/conversations/${channel}/messages`, { text });
  }

  async click(message: Fields, actionId: string): Promise<Fields> {
    const { blocks } = JSON.parse(message.metadata_json as string) as { blocks: { elements: Fields[] }[] };
    const element = blocks.flatMap(({ elements }) => elements).find(({ action_id: id }) => id === actionId)!;
    return this.asPerson('POST', `client/messages/${message.id}/interactions`, {
      action_id: actionId,
      signed_token: element.signed_token,
    });
  }

  /** Returns the bot's messages by conversation, oldest first. */
  async written(): Promise<Record<string, string[]>> {
    const { rows } = await this.stage.tieline.sql.query<{ conversation: string; text: string }>(
      `SELECT conversation_id AS conversation, text FROM messages WHERE author_id = $1 ORDER BY conversation_id, msg_index`,
      [this.workspace.botId],
    );
    const textsIn = (id: string): string[] =>
      rows.filter(({ conversation }) => conversation === id).map(({ text }) => text);
    return Object.fromEntries(this.workspace.channels.map((id) => [id, textsIn(id)]));
  }

  async allWritten(): Promise<string[]> {
    return Object.values(await this.written()).flat();
  }

  /** Returns the messages that people see in the first channel, oldest first. */
  async texts(): Promise<string[]> {
    return (await this.messages()).map(({ text }) => text as string);
  }

  private async messages(): Promise<Fields[]> {
    const { messages } = await this.asPerson('GET', `channels/${this.workspace.channels[0]}/messages`);
    return messages as Fields[];
  }

  /** Waits for the message with this text in the first channel. */
  shown(text: string): Promise<Fields> {
    return eventually(async () => {
      const found = (await this.messages()).find((message) => message.text === text);
      if (!found) throw new Error(`nobody said ${text}; the bot wrote: ${this.output}`);
      return found;
    });
  }

  /** Waits until people have seen this text in a message that may have another one by now. */
  wasShown({ id }: Fields, text: string): Promise<void> {
    const isIt = (event: string): boolean => event.includes(id as string) && event.includes(text);
    return this.stream.until(({ events }) => events.some((event) => isIt(JSON.stringify(event))), 20_000);
  }

  /** Returns the answer, or for a queued one the event of this kind on the person's stream. */
  async answered(answer: Fields, kind: string): Promise<Fields> {
    if (answer.result !== 'queued') return answer;
    const ofKind = (): Fields[] => this.stream.events.filter(({ event }) => event === kind);
    await this.stream.until(() => ofKind().length > 0);
    return ofKind()[0]!;
  }
}

/** One-time setup by an admin and the bot's author. @returns the bot's settings */
async function settings(
  { url: api, folder }: Stage,
  via: Via,
  { botId, botToken, ownerToken }: Workspace,
  commands: object[],
): Promise<Record<string, string>> {
  const asBot = (method: string, to: string, body?: object): Promise<Fields> =>
    expectOk(call({ url: api }, method, `/api/v1/${to}`, botToken, body));
  const url = `http://127.0.0.1:${await freePort()}/tieline`;
  const isCalled = via === 'push' || via === 'callback';
  await expectOk(
    call({ url: api }, 'PATCH', `/api/v1/admin/bots/${botId}`, ownerToken, {
      event_types: ['MESSAGE_CREATED'],
      ...(isCalled && { webhook_url: url }),
    }),
  );
  const env = {
    TIELINE_URL: api,
    TIELINE_TOKEN: botToken,
    TIELINE_VIA: via,
    TIELINE_CURSOR_FILE: path.join(folder, botId),
  };
  if (!isCalled) return env;
  const answers = [
    await asBot('PATCH', 'bot/interactive_config', { callback_url: url }),
    await asBot('POST', 'bot/webhook/rotate_secret'),
  ];
  for (const command of commands)
    answers.push(await asBot('POST', `bots/${botId}/commands`, { ...command, callback_url: url }));
  const secrets = answers.map(({ signing_secret: secret }) => secret as string);
  return { ...env, TIELINE_PORT: new URL(url).port, TIELINE_SECRETS: secrets.join(',') };
}
