/** What an app keeps of a space that installed it. Contains secrets. */
export interface InstalledSpace {
  spaceId: string;
  spaceName: string;
  botId: string;
  /** Token of the bot in this space. */
  token: string;
  /** Unix milliseconds. Undefined: the token does not expire. */
  expiresAt?: number;
  /** Renews the token. Works once. */
  refreshToken?: string;
}

/** Where an app keeps its tokens, one record per space (docs/sdk.md#token-stores). */
export interface TokenStore {
  get(spaceId: string): Promise<InstalledSpace | undefined>;
  /** Stores or replaces the record of a space. */
  set(space: InstalledSpace): Promise<void>;
  delete(spaceId: string): Promise<void>;
  /**
   * Runs `work` while no other process renews the token of the space. Needed by apps of several
   * processes: a refresh token that is used twice revokes the installation's tokens.
   */
  lock?<T>(spaceId: string, work: () => Promise<T>): Promise<T>;
}

/** Keeps tokens in memory. A restart loses them, and every space must install the app again. */
export function memoryStore(): TokenStore {
  const spaces = new Map<string, InstalledSpace>();
  return {
    get: (spaceId) => Promise.resolve(spaces.get(spaceId)),
    set: (space) => Promise.resolve(void spaces.set(space.spaceId, space)),
    delete: (spaceId) => Promise.resolve(void spaces.delete(spaceId)),
  };
}

/**
 * Keeps tokens in a JSON file that only its owner can read. Replaces the file atomically. For one
 * process.
 */
export function fileStore(path: string): TokenStore {
  let spaces: Promise<Map<string, InstalledSpace>> | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const loaded = (): Promise<Map<string, InstalledSpace>> => (spaces ??= load(path));
  const change = (edit: (known: Map<string, InstalledSpace>) => void): Promise<void> => {
    const work = async (): Promise<void> => {
      const changed = new Map(await loaded());
      edit(changed);
      await save(path, changed);
      spaces = Promise.resolve(changed);
    };
    const written = last.then(work);
    last = written.catch(() => undefined);
    return written;
  };
  return {
    get: async (spaceId) => (await loaded()).get(spaceId),
    set: (space) => change((known) => known.set(space.spaceId, space)),
    delete: (spaceId) => change((known) => known.delete(spaceId)),
  };
}

async function load(path: string): Promise<Map<string, InstalledSpace>> {
  const { readFile } = await import('node:fs/promises');
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '[]';
    throw error;
  });
  return new Map((JSON.parse(text) as InstalledSpace[]).map((space) => [space.spaceId, space]));
}

async function save(path: string, spaces: ReadonlyMap<string, InstalledSpace>): Promise<void> {
  const { rename, writeFile } = await import('node:fs/promises');
  await writeFile(`${path}.new`, JSON.stringify([...spaces.values()], null, 2), { mode: 0o600 });
  await rename(`${path}.new`, path);
}
