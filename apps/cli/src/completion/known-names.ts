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
  command: commandsOfBots,
  slash: commandsOfBots,
};

/**
 * Names for completion, requested from the profile's Tieline and cached in a file for a minute.
 * Waits half a second at most.
 */
export class KnownNames {
  private readonly folder: string;

  constructor(private readonly session: Session) {
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
    const token = kind === 'space' ? profile.operatorToken : profile.token;
    if (!token) return [];
    const file = path.join(
      this.folder,
      createHash('sha256').update(`${kind} ${profile.url} ${token}`).digest('hex'),
    );
    const cached = await read(file);
    const age = Date.now() - (cached?.at ?? 0);
    if (cached && age >= 0 && age < (cached.isAway ? AWAY_MS : FRESH_MS)) return cached.names;
    const loaded = await ask(
      kind,
      new Client({ url: profile.url, token, retries: 0, timeoutMs: TIMEOUT_MS }),
    );
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
  kind: Exclude<NameKind, 'profile'>,
  client: Client,
): Promise<readonly string[] | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const enough = new Promise<undefined>((done) => (timer = setTimeout(() => done(undefined), TIMEOUT_MS)));
  const slash = kind === 'slash' ? '/' : '';
  const names = LISTS[kind](client).then(
    (entries) => entries.map((entry) => `${slash}${nameOf(entry)}`).filter((name) => name !== slash),
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
