import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ChildProgram } from './child-program.js';
import { REPOSITORY } from './repository.js';

const RUNNERS = {
  js: { command: process.execPath, file: 'program.mjs' },
  python: { command: 'python3', file: 'program.py' },
} as const;

/** A language that documents show programs in. */
export type PublishedLanguage = keyof typeof RUNNERS;

/**
 * The languages of published programs that this machine can run: Python only where it is installed.
 */
export const PUBLISHED_LANGUAGES: PublishedLanguage[] = [
  'js',
  ...(spawnSync('python3', ['--version']).status === 0 ? (['python'] as const) : []),
];

/** A program as a document shows it, run as a reader would run it. */
export class PublishedProgram {
  private readonly folder = mkdtempSync(path.join(tmpdir(), 'tieline-published-'));
  private readonly runs: ChildProgram[] = [];

  private constructor(
    private readonly code: string,
    private readonly language: PublishedLanguage,
  ) {
    // What it imports is what a reader would install.
    symlinkSync(path.join(REPOSITORY, 'node_modules'), path.join(this.folder, 'node_modules'));
  }

  /**
   * @param document such as `docs/push.md`
   * @param nth which of the document's blocks of that language, from 0
   * @throws Error when the document has no such block
   */
  static async of(document: string, language: PublishedLanguage, nth = 0): Promise<PublishedProgram> {
    const text = await readFile(path.join(REPOSITORY, document), 'utf8');
    const code = [...text.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))][nth]?.[1];
    if (code === undefined) throw new Error(`${document} has no ${language} block ${nth}`);
    return new PublishedProgram(code, language);
  }

  /** What it has printed so far, over all its runs. */
  get output(): string {
    return this.runs.map(({ output }) => output).join('');
  }

  /** Starts it with these variables, and waits until it says that it runs. */
  async start(env: Record<string, string>): Promise<void> {
    const { command, file } = RUNNERS[this.language];
    const place = path.join(this.folder, file);
    writeFileSync(place, this.code);
    const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
    const run = new ChildProgram('env', [...variables, command, place]);
    this.runs.push(run);
    await run.hasWritten(/listening|reading|ready:/);
  }

  /** Ends it at once; it may be started again. */
  kill(): void {
    void this.runs.at(-1)?.end();
  }

  /** Ends it and deletes its folder. */
  close(): void {
    this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
