import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { EXIT } from '../output/exit-codes.js';
import { Failure } from '../output/failures.js';

/** One Tieline, and the tokens that somebody has for it. */
export interface Profile {
  url: string;
  /** A person's. */
  token?: string;
  operatorToken?: string;
  /** Tokens of bots, by their names. */
  bots?: Record<string, string>;
  /** Incoming webhooks whose address and secret are known, by their names. */
  hooks?: Record<string, { url: string; secret: string }>;
  /** Ids of spaces' first owners, by the spaces' ids. */
  owners?: Record<string, string>;
  /** What `tieline listen` signs with. */
  listenSecret?: string;
  /** The form that was opened last by a click, and the conversation. */
  form?: string;
  place?: string;
}

interface Profiles {
  current: string;
  profiles: Record<string, Profile>;
}

/** The file with all profiles; nobody else may read it. */
export class ProfileFile {
  readonly place: string;

  /** @param env `TIELINE_PROFILES` names another file than `~/.config/tieline/profiles.json` */
  constructor(env: Readonly<Record<string, string | undefined>>) {
    const folder = env.XDG_CONFIG_HOME || path.join(env.HOME || homedir(), '.config');
    this.place = env.TIELINE_PROFILES || path.join(folder, 'tieline', 'profiles.json');
  }

  /** @throws Failure when the file is damaged */
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

  /** Changes it in one step. */
  async change(apply: (profiles: Profiles) => void): Promise<void> {
    const profiles = await this.read();
    apply(profiles);
    await mkdir(path.dirname(this.place), { recursive: true, mode: 0o700 });
    const unfinished = `${this.place}.${process.pid}`;
    // What a killed process with our id has left may be open to others: the mode is only that of a
    // file which is new.
    await rm(unfinished, { force: true });
    await writeFile(unfinished, `${JSON.stringify(profiles, undefined, 2)}\n`, { mode: 0o600, flag: 'wx' });
    await rename(unfinished, this.place);
  }
}
