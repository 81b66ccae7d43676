import { javascriptBot, packageJson } from './scaffold-javascript.js';
import { PYPROJECT, PYTHON_BOT } from './scaffold-python.js';

/** What a bot can be written in. */
export const LANGUAGES = ['typescript', 'javascript', 'python'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The file that is run, by language. */
export const MAIN_FILES: Readonly<Record<Language, string>> = {
  typescript: 'bot.ts',
  javascript: 'bot.mjs',
  python: 'bot.py',
};

/** Whether Node.js runs TypeScript as it stands: from 22.18 on. */
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

/** What a new bot is written for. */
export interface ScaffoldOptions {
  readonly name: string;
  readonly language: Language;
  /** How package.json names `@tieline/sdk`: an exact version, or a local path. */
  readonly sdk: string;
  /** Whether Node.js runs TypeScript as it stands; else `tsx` does. */
  readonly runsTypeScript: boolean;
}

/** The files of a new bot, by name. */
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

/** A folder's name as a package may be called. */
export function packageName(folder: string): string {
  const bare = folder
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return bare || 'bot';
}
