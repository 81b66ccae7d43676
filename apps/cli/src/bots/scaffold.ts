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

/** The files of a new bot, by name. */
export function scaffold(name: string, language: Language): Readonly<Record<string, string>> {
  const file = MAIN_FILES[language];
  const isPython = language === 'python';
  return {
    [file]: isPython ? PYTHON_BOT : javascriptBot(language === 'typescript'),
    ...(isPython ? { 'pyproject.toml': PYPROJECT(name) } : { 'package.json': packageJson(name, file) }),
    '.gitignore': IGNORED,
    'README.md': README(name, `${isPython ? 'python3' : 'node'} ${file}`),
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
