import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ChildProgram } from './child-program.js';
import { REPOSITORY } from './repository.js';

const RUNNERS = {
  js: { command: process.execPath, file: 'program.mjs' },
  // Node.js 20 cannot run TypeScript, so its types are removed first.
  ts: { command: process.execPath, file: 'program.mjs' },
  python: { command: 'python3', file: 'program.py' },
} as const;

/** A language of programs in the docs. */
export type PublishedLanguage = keyof typeof RUNNERS;

/** Languages of documented programs that this machine can run. Python is optional. */
export const PUBLISHED_LANGUAGES: PublishedLanguage[] = [
  'js',
  ...(spawnSync('python3', ['--version']).status === 0 ? (['python'] as const) : []),
];

async function withoutTypes(code: string): Promise<string> {
  const { default: ts } = await import('typescript');
  const { ModuleKind, ScriptTarget } = ts;
  const compilerOptions = { module: ModuleKind.ESNext, target: ScriptTarget.ES2023 };
  return ts.transpileModule(code, { compilerOptions }).outputText;
}

/** A program from the docs, run as a reader would run it. */
export class PublishedProgram {
  private readonly folder = mkdtempSync(path.join(tmpdir(), 'tieline-published-'));
  private readonly runs: ChildProgram[] = [];

  private constructor(
    /** The code block as published. */
    readonly source: string,
    private readonly language: PublishedLanguage,
    private readonly code: string,
  ) {
    // It imports what a reader would install.
    symlinkSync(path.join(REPOSITORY, 'node_modules'), path.join(this.folder, 'node_modules'));
  }

  /**
   * @param document such as `docs/push.md`
   * @param nth index of the code block of that language in the document, from 0
   * @throws Error if the document has no such block
   */
  static async of(document: string, language: PublishedLanguage, nth = 0): Promise<PublishedProgram> {
    const text = await readFile(path.join(REPOSITORY, document), 'utf8');
    const code = [...text.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))][nth]?.[1];
    if (code === undefined) throw new Error(`${document} has no ${language} block ${nth}`);
    return new PublishedProgram(code, language, language === 'ts' ? await withoutTypes(code) : code);
  }

  /** Output so far, over all its runs. */
  get output(): string {
    return this.runs.map(({ output }) => output).join('');
  }

  /**
   * Checks the types of a TypeScript program as strictly as those of this repository.
   * @returns the compiler's complaints, empty if there are none
   */
  typeProblems(): string {
    const place = path.join(this.folder, 'program.mts');
    writeFileSync(place, this.source);
    const compiler = path.join(REPOSITORY, 'node_modules/@typescript/native/bin/tsc');
    const options = '--noEmit --strict --noUncheckedIndexedAccess --skipLibCheck --module nodenext';
    const rest = ['--target', 'es2023', '--types', 'node', place];
    const args = [compiler, ...options.split(' '), ...rest];
    return spawnSync(process.execPath, args, { cwd: this.folder, encoding: 'utf8' }).stdout;
  }

  /** Starts it with these variables and waits until it reports that it is running. */
  async start(env: Record<string, string>): Promise<void> {
    const { command, file } = RUNNERS[this.language];
    const place = path.join(this.folder, file);
    writeFileSync(place, this.code);
    const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
    const run = new ChildProgram('env', [...variables, command, place]);
    this.runs.push(run);
    await run.hasWritten(/listening|reading|ready:/);
  }

  /** Kills it. It can be started again. */
  kill(): void {
    void this.runs.at(-1)?.end();
  }

  /** Ends it and deletes its folder. */
  close(): void {
    this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
