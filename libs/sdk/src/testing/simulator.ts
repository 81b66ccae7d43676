import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** Seed data of a simulator. */
export interface World {
  readonly space: { readonly id: string; readonly name: string };
  readonly people: Readonly<
    Record<string, { readonly id: string; readonly display_name: string; readonly token: string }>
  >;
  readonly channels: Readonly<Record<string, { readonly id: string; readonly is_public: boolean }>>;
  readonly bot: { readonly id: string; readonly display_name: string; readonly token: string };
  readonly webhook: { readonly id: string; readonly path: string; readonly secret: string };
}

/** The running processes. tools/simulator in the checkout starts them. */
export interface Simulator {
  readonly url: string;
  readonly workerUrl: string;
  readonly operatorToken: string;
  readonly secretKey: string;
  readonly world: World;
  readonly databaseUrl: string;
  readonly readyInMs: number;
  readonly pids: readonly number[];
  advance(duration: string | number): Promise<void>;
  restart(name: 'api' | 'worker', signal?: NodeJS.Signals): Promise<void>;
  log(): Promise<string>;
  tie(pid: number): () => void;
  readonly pythonPath: string;
  stop(): Promise<void>;
}

/** Options for starting a simulator. */
export interface StartOptions {
  /** Port of the api. Default: a free one. */
  readonly port?: number;
  /** Environment variables of api and worker, see docs/configure.md. */
  readonly env?: Readonly<Record<string, string>>;
  /** Called with progress messages: the first start after a schema change prepares a database. */
  readonly say?: (line: string) => void;
}

const SCRIPT = path.join('tools', 'simulator', 'simulator.mjs');

/**
 * Starts the product from the checkout that contains this package. @throws Error when there is none
 */
export async function startSimulator(options: StartOptions): Promise<Simulator> {
  const script = path.join(checkout(), SCRIPT);
  const { startSimulator: start } = (await import(pathToFileURL(script).href)) as {
    startSimulator: (options: StartOptions) => Promise<Simulator>;
  };
  return start(options);
}

/** Returns the root of the checkout: `TIELINE_HOME`, or the folder around this package. */
function checkout(): string {
  const given = process.env.TIELINE_HOME;
  for (let folder = given ?? import.meta.dirname; ; folder = path.dirname(folder)) {
    if (existsSync(path.join(folder, SCRIPT))) return folder;
    if (given || folder === path.dirname(folder))
      throw new Error('the simulator needs a checkout of Tieline: set TIELINE_HOME to its folder');
  }
}
