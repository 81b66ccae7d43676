import { Client } from '@tieline/sdk';
import type { WebSocketClass } from '@tieline/sdk';
import { Person } from '@tieline/sdk/testing';
import { WebSocket } from 'ws';
import { EXIT } from '../output/exit-codes.js';
import { Failure } from '../output/failures.js';
import { Printer } from '../output/printer.js';
import type { Terminal } from '../terminal/terminal.js';
import { renewLogin } from './browser-login.js';
import { ProfileFile } from './profile-file.js';
import type { Profile } from './profile-file.js';

/** Options of every command. */
export interface GlobalOptions {
  readonly json?: boolean;
  readonly profile?: string;
}

const DEFAULT_URL = 'http://127.0.0.1:3000';
/** Logins are renewed this long before they expire. */
const RENEW_BEFORE_MS = 60_000;

/** Who runs a command, on which server, and how results are printed. */
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

  /** Name of the profile in use: `--profile`, `TIELINE_PROFILE`, else the selected one. */
  async profileName(): Promise<string> {
    return this.options.profile ?? this.terminal.env.TIELINE_PROFILE ?? (await this.file.read()).current;
  }

  /**
   * The profile, overridden by the environment.
   *
   * @throws Failure if a named profile does not exist
   */
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

  /** Stores a change in the profile. */
  async keep(change: (profile: Profile) => void): Promise<void> {
    const name = await this.profileName();
    const { url } = await this.profile();
    await this.file.change((all) => {
      const profile = (all.profiles[name] ??= { url });
      change(profile);
    });
  }

  /**
   * Client for endpoints of people and admins.
   *
   * @param options `onWarning` replaces the client's own output of warnings
   * @throws Failure if not signed in
   */
  async person(options: { onWarning?: (warning: string) => void } = {}): Promise<Client> {
    const { url } = await this.profile();
    const token = await this.personToken();
    if (!token) throw new Failure('not signed in', EXIT.refused, 'sign in: `tieline login`');
    return new Client({ ...options, url, token });
  }

  /**
   * Token of the signed-in person: their own, or one of a login, which is renewed if needed.
   *
   * @throws Failure if the login has ended
   */
  async personToken(): Promise<string | undefined> {
    const { token, login } = await this.profile();
    if (token || !login) return token;
    if (login.expiresAt - Date.now() > RENEW_BEFORE_MS) return login.accessToken;
    return this.file.exclusively(async () => {
      const { url, login: latest } = await this.profile();
      // Another command may have renewed it.
      if (!latest || latest.expiresAt - Date.now() > RENEW_BEFORE_MS) return latest?.accessToken;
      const renewed = await renewLogin(url, latest);
      await this.keep((profile) => (profile.login = renewed));
      return renewed.accessToken;
    });
  }

  /** The signed-in person, for actions such as posting and clicking. */
  async signedInPerson(): Promise<Person> {
    const client = await this.person();
    const { user } = await client.call<{ user: { id: string; display_name: string } }>(
      'GET',
      '/api/v1/client/me',
    );
    return new Person({ client, id: user.id, name: user.display_name });
  }

  /**
   * Client for the operator's endpoints.
   *
   * @throws Failure without the operator token
   */
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
   * Returns a bot's token: the stored one, or TIELINE_TOKEN.
   *
   * @throws Failure without one, or if there are several and no name is given
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

  /** Client for a bot's endpoints. */
  async bot(name?: string): Promise<Client> {
    // The oldest supported Node.js has no global WebSocket.
    const webSocket = WebSocket as unknown as WebSocketClass;
    return new Client({ url: (await this.profile()).url, token: await this.botToken(name), webSocket });
  }

  /** Client for endpoints that need no token. */
  async anonymous(): Promise<Client> {
    return new Client({ url: (await this.profile()).url, retries: 0 });
  }
}
