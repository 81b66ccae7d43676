import { javascriptBot, packageJson } from './scaffold-javascript.js';
import { PYPROJECT, PYTHON_BOT } from './scaffold-python.js';

/** Languages that `bot init` supports. */
export const LANGUAGES = ['typescript', 'javascript', 'python'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Main file by language. */
export const MAIN_FILES: Readonly<Record<Language, string>> = {
  typescript: 'bot.ts',
  javascript: 'bot.mjs',
  python: 'bot.py',
};

/** Whether this Node.js runs TypeScript directly (22.18 or later). */
export const RUNS_TYPESCRIPT = Boolean((process.features as { typescript?: unknown }).typescript);

const IGNORED = `node_modules/
__pycache__/
.env
*tieline-cursor*
`;

const README = (name: string, run: string): string => `# ${name}

A bot for Tieline: \`/hello\`, and \`/deploy <name>\` with buttons, a form and an answer that comes later.

\`\`\`sh
tieline dev                # a Tieline on this machine, with this bot in it
\`\`\`

Against another one: an admin makes the bot (\`tieline bot create ${name}\`), and

\`\`\`sh
TIELINE_URL=https://chat.example.com TIELINE_TOKEN=tlb_… ${run}
\`\`\`
`;

/** Options of `scaffold`. */
export interface ScaffoldOptions {
  readonly name: string;
  readonly language: Language;
  /** Exact version or local path of `@tieline/sdk` for package.json. */
  readonly sdk: string;
  /** Whether Node.js runs TypeScript directly. If not, the bot uses `tsx`. */
  readonly runsTypeScript: boolean;
}

/** Returns the files of a new bot by name. */
export function scaffold({
  name,
  language,
  sdk,
  runsTypeScript,
}: ScaffoldOptions): Readonly<Record<string, string>> {
  const file = MAIN_FILES[language];
  const shared = { '.gitignore': IGNORED };
  if (language === 'python')
    return {
      [file]: PYTHON_BOT,
      'pyproject.toml': PYPROJECT(name),
      ...shared,
      'README.md': README(name, `python3 ${file}`),
    };
  const isTypeScript = language === 'typescript';
  const needsTsx = isTypeScript && !runsTypeScript;
  const start = `node ${needsTsx ? '--import tsx ' : ''}${file}`;
  return {
    [file]: javascriptBot(isTypeScript),
    'package.json': packageJson({ name, start, sdk, needsTsx, needsNode22: isTypeScript && !needsTsx }),
    ...shared,
    'README.md': README(name, start),
  };
}

/** Converts the name of a folder to a valid package name. */
export function packageName(folder: string): string {
  const bare = folder
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return bare || 'bot';
}
