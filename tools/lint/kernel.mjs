/**
 * Platform is the kernel: it knows no feature. Tests and comments count too, a name in a comment is
 * a thing known.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const FEATURES =
  /agent.?runs?\b|execution.?tasks?\b|web.?hooks?\b|\bslash\b|interactive|interactions?\b|conversations?\b|\bmodals?\b|deliver(y|ies)\b|outbox|reactions?\b|reminders?\b|dm.?streams?\b|notifications?\b/gi;

/** Where OpenAPI's own word `webhooks` stands. */
const OPENAPI = 'libs/platform/src/http/openapi/';

/**
 * Standard Webhooks is the name of a signature scheme, and its headers are called so; OpenAPI has
 * the word too.
 */
const STANDARD =
  /\bwebhooks: sendings|Webhook as StandardLibrary|standard.?webhooks?|webhook-(id|timestamp|signature)|x-service-webhook-version/gi;

/**
 * @param {string} root
 * @param {string[]} files paths from the root
 * @returns {Promise<string[]>} one sentence per file that names a feature
 */
export async function kernelProblems(root, files) {
  const kernel = files.filter(
    (file) => /^libs\/platform\/src\/.*\.(ts|sql)$/.test(file) && !file.includes('/migrations/'),
  );
  const problems = await Promise.all(
    kernel.map(async (file) => {
      const text = (await readFile(join(root, file), 'utf8')).replaceAll(STANDARD, '');
      const known = file.startsWith(OPENAPI) ? text.replaceAll(/webhooks/gi, '') : text;
      const words = new Set(known.match(FEATURES) ?? []);
      return words.size > 0 ? [`${file}: platform names a feature (${[...words].join(', ')})`] : [];
    }),
  );
  return problems.flat();
}
