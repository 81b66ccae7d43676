import { Client } from '@tieline/sdk';
import type { WebSocketClass } from '@tieline/sdk';
import { Person } from '@tieline/sdk/testing';
import { WebSocket } from 'ws';
import { EXIT } from '../output/exit-codes.js';
import { Failure } from '../output/failures.js';
import { Printer } from '../output/printer.js';
import type { Terminal } from '../terminal/terminal.js';
import { ProfileFile } from './profile-file.js';
import type { Profile } from './profile-file.js';

/** What every command takes. */
export interface GlobalOptions {
  readonly json?: boolean;
  readonly profile?: string;
}

const DEFAULT_URL = 'http://127.0.0.1:3000';

/** Who runs a command, where, and how results are shown. */
export class Session {
  readonly printer: Printer;
  readonly file: ProfileFile;

  constructor(
    readonly terminal: Terminal,
    private readonly options: GlobalOptions,
  ) {
    this.printer = new Printer(terminal, options.json ?? false);
    this.file = new ProfileFile(terminal.env);
  }

  /** The name of the profile that is used: `--profile`, `TIELINE_PROFILE`, else the chosen one. */
  async profileName(): Promise<string> {
    return this.options.profile ?? this.terminal.env.TIELINE_PROFILE ?? (await this.file.read()).current;
  }

  /** It, with what the environment says over it. @throws Failure when it is named and not there */
  async profile(): Promise<Profile> {
    const name = await this.profileName();
    const { profiles } = await this.file.read();
    const { TIELINE_URL: url, TIELINE_TOKEN: token, TIELINE_OPERATOR_TOKEN: operator } = this.terminal.env;
    const found = profiles[name];
    if (!found && this.options.profile)
      throw new Failure(`there is no profile "${name}"`, EXIT.usage, '`tieline profile list` shows them');
    return {
      ...(found ?? { url: DEFAULT_URL }),
      ...(url && { url }),
      ...(token?.startsWith('tlu_') && { token }),
      ...(operator && { operatorToken: operator }),
    };
  }

  /** Keeps something in the profile. */
  async keep(change: (profile: Profile) => void): Promise<void> {
    const name = await this.profileName();
    const { url } = await this.profile();
    await this.file.change((all) => {
      const profile = (all.profiles[name] ??= { url });
      change(profile);
    });
  }

  /** For endpoints of people and admins. @throws Failure when nobody is signed in */
  async person(): Promise<Client> {
    const { url, token } = await this.profile();
    if (!token)
      throw new Failure('nobody is signed in', EXIT.refused, 'sign in with a token: `tieline login`');
    return new Client({ url, token });
  }

  /** The same, as somebody who says and clicks things. */
  async somebody(): Promise<Person> {
    const client = await this.person();
    const { user } = await client.call<{ user: { id: string; display_name: string } }>(
      'GET',
      '/api/v1/client/me',
    );
    return new Person({ client, id: user.id, name: user.display_name });
  }

  /** For the operator's endpoints. @throws Failure without that token */
  async operator(): Promise<Client> {
    const { url, operatorToken: token } = await this.profile();
    if (!token)
      throw new Failure(
        "this needs the operator's token",
        EXIT.refused,
        '`tieline login --operator`, or TIELINE_OPERATOR_TOKEN',
      );
    return new Client({ url, token });
  }

  /**
   * A bot's token: one that was kept under the name, or TIELINE_TOKEN. @throws Failure without one,
   * or with several and no name
   */
  async botToken(name?: string): Promise<string> {
    const { bots = {} } = await this.profile();
    const given = this.terminal.env.TIELINE_TOKEN;
    if (name === undefined && given?.startsWith('tlb_')) return given;
    const known = Object.entries(bots).filter(
      ([kept]) => name === undefined || kept.toLowerCase() === name.toLowerCase(),
    );
    if (known.length === 1) return known[0]![1];
    if (known.length > 1)
      throw new Failure('which bot?', EXIT.usage, `--bot with one of: ${Object.keys(bots).join(', ')}`);
    throw new Failure(
      name === undefined ? 'no token of a bot is known' : `no token of the bot "${name}" is known`,
      EXIT.refused,
      '`tieline login` with its token, `tieline bot create <name> --save`, or TIELINE_TOKEN',
    );
  }

  /** For a bot's endpoints. */
  async bot(name?: string): Promise<Client> {
    // The oldest Node.js that is supported has no WebSocket of its own.
    const webSocket = WebSocket as unknown as WebSocketClass;
    return new Client({ url: (await this.profile()).url, token: await this.botToken(name), webSocket });
  }

  /** For what needs no token. */
  async anybody(): Promise<Client> {
    return new Client({ url: (await this.profile()).url, retries: 0 });
  }
}
