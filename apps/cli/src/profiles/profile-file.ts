import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { EXIT } from '../output/exit-codes.js';
import { Failure } from '../output/failures.js';

const LOOK_MS = 50;
const STALE_MS = 30_000;

/** A Tieline server and the user's tokens for it. */
export interface Profile {
  url: string;
  /** Token of a person. */
  token?: string;
  /** Tokens of a person from a sign-in in the browser. */
  login?: Login;
  operatorToken?: string;
  /** Tokens of bots by name. */
  bots?: Record<string, string>;
  /** Incoming webhooks with known address and secret, by name. */
  hooks?: Record<string, { url: string; secret: string }>;
  /** Ids of the first owners by space id. */
  owners?: Record<string, string>;
  /** Secret that `tieline listen` signs with. */
  listenSecret?: string;
  /** The form last opened by a click, and its conversation. */
  form?: string;
  place?: string;
}

/** Tokens that OAuth gave. */
export interface Login {
  accessToken: string;
  /** Works once. */
  refreshToken: string;
  /** Unix milliseconds. */
  expiresAt: number;
}

interface Profiles {
  current: string;
  profiles: Record<string, Profile>;
}

/** The file with all profiles. Only the user can read it. */
export class ProfileFile {
  readonly place: string;

  /** @param env `TIELINE_PROFILES` replaces `~/.config/tieline/profiles.json` */
  constructor(env: Readonly<Record<string, string | undefined>>) {
    const folder = env.XDG_CONFIG_HOME || path.join(env.HOME || homedir(), '.config');
    this.place = env.TIELINE_PROFILES || path.join(folder, 'tieline', 'profiles.json');
  }

  /** @throws Failure if the file is damaged */
  async read(): Promise<Profiles> {
    const text = await readFile(this.place, 'utf8').catch(() => undefined);
    if (text === undefined) return { current: 'default', profiles: {} };
    try {
      return JSON.parse(text) as Profiles;
    } catch {
      throw new Failure(
        `${this.place} is damaged`,
        EXIT.failed,
        'delete it and sign in again: `tieline login`',
      );
    }
  }

  /**
   * Runs `work` while no other command that calls this does. A lock of a killed command is ignored
   * after half a minute.
   */
  async exclusively<T>(work: () => Promise<T>): Promise<T> {
    const lock = `${this.place}.lock`;
    await mkdir(path.dirname(this.place), { recursive: true, mode: 0o700 });
    while (!(await taken(lock))) await setTimeout(LOOK_MS);
    try {
      return await work();
    } finally {
      await rm(lock, { recursive: true, force: true });
    }
  }

  /** Applies a change in one step. */
  async change(apply: (profiles: Profiles) => void): Promise<void> {
    const profiles = await this.read();
    apply(profiles);
    await mkdir(path.dirname(this.place), { recursive: true, mode: 0o700 });
    const unfinished = `${this.place}.${process.pid}`;
    // A file left by a killed process may have other permissions, because the mode only applies to
    // new files.
    await rm(unfinished, { force: true });
    await writeFile(unfinished, `${JSON.stringify(profiles, undefined, 2)}\n`, { mode: 0o600, flag: 'wx' });
    await rename(unfinished, this.place);
  }
}

async function taken(lock: string): Promise<boolean> {
  try {
    await mkdir(lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const { mtimeMs = Date.now() } = (await stat(lock).catch(() => undefined)) ?? {};
    if (Date.now() - mtimeMs > STALE_MS) await rm(lock, { recursive: true, force: true });
    return false;
  }
}
