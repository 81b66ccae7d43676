import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { Client } from '@tieline/sdk';
import { commandsOfBots, lists } from '../resources/entries.js';
import { nameOf } from '../resources/names.js';
import type { Named } from '../resources/names.js';
import type { Profile } from '../profiles/profile-file.js';
import type { Session } from '../profiles/session.js';
import type { NameKind } from './completion-context.js';

/** Maximum wait after the user presses Tab. */
const TIMEOUT_MS = 500;
/** How long cached names are used. */
const FRESH_MS = 60_000;
/** How long to wait before asking a server again that did not respond. */
const AWAY_MS = 15_000;

/** Content of the cache file. */
interface CachedNames {
  readonly at: number;
  readonly names: readonly string[];
  /** Whether the server did not respond, so that these are the previous names. */
  readonly isAway?: boolean;
}

const LISTS: Readonly<Record<Exclude<NameKind, 'profile'>, (client: Client) => Promise<readonly Named[]>>> = {
  space: lists.spaces,
  user: lists.users,
  channel: lists.channels,
  bot: lists.bots,
  hook: lists.hooks,
  subscription: lists.subscriptions,
  app: lists.apps,
  command: commandsOfBots,
  slash: lists.slashCommands,
};
/** A sign-in in the browser has no rights of an admin. */
const LISTS_OF_LOGIN: Partial<typeof LISTS> = { user: lists.members };

/**
 * Names for completion, requested from the profile's Tieline and cached in a file for a minute.
 * Waits half a second at most.
 */
export class KnownNames {
  private readonly folder: string;

  /** @param timeoutMs maximum wait for the server */
  constructor(
    private readonly session: Session,
    private readonly timeoutMs = TIMEOUT_MS,
  ) {
    const { env } = session.terminal;
    this.folder = path.join(env.XDG_CACHE_HOME || path.join(env.HOME || homedir(), '.cache'), 'tieline');
  }

  /** Returns the names of a kind. Never fails: without access or connection the list is empty. */
  async of(kind: NameKind): Promise<readonly string[]> {
    try {
      if (kind === 'profile') return Object.keys((await this.session.file.read()).profiles);
      const profile = await this.session.profile();
      const own = kind === 'bot' ? Object.keys(profile.bots ?? {}) : [];
      return [...new Set([...own, ...(await this.listed(kind, profile))])].toSorted();
    } catch {
      return [];
    }
  }

  private async listed(kind: Exclude<NameKind, 'profile'>, profile: Profile): Promise<readonly string[]> {
    const { login, token: own } = profile;
    const isLogin = kind !== 'space' && !own && login !== undefined;
    const token = kind === 'space' ? profile.operatorToken : (own ?? login?.accessToken);
    if (!token) return [];
    const key = `${kind} ${profile.url} ${isLogin ? 'login' : token}`;
    const file = path.join(this.folder, createHash('sha256').update(key).digest('hex'));
    const cached = await read(file);
    const age = Date.now() - (cached?.at ?? 0);
    if (cached && age >= 0 && age < (cached.isAway ? AWAY_MS : FRESH_MS)) return cached.names;
    // Renewing a login could take longer than a person waits. The next command does it.
    if (isLogin && login.expiresAt <= Date.now()) return cached?.names ?? [];
    const list = (isLogin ? LISTS_OF_LOGIN[kind] : undefined) ?? LISTS[kind];
    const client = new Client({ url: profile.url, token, retries: 0, timeoutMs: this.timeoutMs });
    const loaded = await ask(() => list(client), kind === 'slash' ? '/' : '', this.timeoutMs);
    const names = loaded ?? cached?.names ?? [];
    await this.keep(file, { at: Date.now(), names, ...(!loaded && { isAway: true }) });
    return names;
  }

  private async keep(file: string, cached: CachedNames): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const unfinished = `${file}.${process.pid}`;
    await writeFile(unfinished, JSON.stringify(cached), { mode: 0o600 });
    await rename(unfinished, file);
  }
}

async function ask(
  list: () => Promise<readonly Named[]>,
  prefix: string,
  timeoutMs: number,
): Promise<readonly string[] | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const enough = new Promise<undefined>((done) => (timer = setTimeout(() => done(undefined), timeoutMs)));
  const names = list().then(
    (entries) => entries.map((entry) => `${prefix}${nameOf(entry)}`).filter((name) => name !== prefix),
    () => undefined,
  );
  return Promise.race([names, enough]).finally(() => clearTimeout(timer));
}

async function read(file: string): Promise<CachedNames | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as CachedNames;
  } catch {
    return undefined;
  }
}
