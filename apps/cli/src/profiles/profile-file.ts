import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { EXIT } from '../output/exit-codes.js';
import { Failure } from '../output/failures.js';

/** A Tieline server and the user's tokens for it. */
export interface Profile {
  url: string;
  /** Token of a person. */
  token?: string;
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
