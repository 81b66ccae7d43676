/** One guess finds an endpoint: the nouns of its URL lead to the folder of its controller. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Who calls, not what it is about. */
const CALLERS = new Set(['api', 'v1', 'bot', 'client', 'admin', 'operator']);

/** What is called otherwise than in URLs. */
const FOLDERS = { interactions: 'interactive' };

/**
 * @param {string} root
 * @param {string[]} files paths from the root
 * @returns {Promise<string[]>} one sentence per endpoint in an unexpected place
 */
export async function roomProblems(root, files) {
  const controllers = files.filter((file) => /^libs\/.*controller\.ts$/.test(file));
  const problems = await Promise.all(
    controllers.map(async (file) =>
      routesOf(await readFile(join(root, file), 'utf8')).flatMap((route) => [
        ...(leadsTo(route, file) ? [] : [`${route}: no noun of it stands in ${file}`]),
        ...missingFolders(route, file).map((folder) => `${route}: ${file} is not in a folder ${folder}/`),
      ]),
    ),
  );
  return problems.flat();
}

function routesOf(text) {
  return text.split(/^(?=@Controller\()/m).flatMap((part) => {
    const prefixes = pathsOf(/^@Controller\(([^)]*)\)/.exec(part)?.[1]);
    const handlers = [...part.matchAll(/^ {2}@(?:Get|Post|Put|Patch|Delete|Head)\(([^)]*)\)/gm)];
    // Aliases of one handler are one endpoint: its nouns count together.
    return handlers.map(([, path]) => [...prefixes, ...pathsOf(path)].filter(Boolean).join('/'));
  });
}

function pathsOf(argument = '') {
  const paths = [...argument.matchAll(/'([^']*)'/g)].map(([, path]) => path);
  return paths.length > 0 ? paths : [''];
}

function leadsTo(route, file) {
  const nouns = route.split('/').filter((segment) => /^[a-z]/.test(segment) && !CALLERS.has(segment));
  return nouns.length === 0 || nouns.some((noun) => file.includes(noun.replaceAll('_', '-')));
}

/** Sub-resources have their own folder: `conversations/:id/members` is in `members/`. */
function missingFolders(route, file) {
  const segments = route.split('/');
  const folders = file.split('/').slice(1, -1);
  return segments
    .filter((segment, index) => segments[index - 1]?.startsWith(':') && /[^s]s$/.test(segment))
    .map((noun) => FOLDERS[noun] ?? noun.replaceAll('_', '-'))
    .filter((folder) => !folders.includes(folder));
}
