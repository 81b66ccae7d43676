import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { signDottedV1, signV0, signDotted, signVersioned, signStandardWebhook } from './signing-schemes.js';

interface Vectors {
  secret: string;
  id: string;
  timestamp: string;
  vectors: { scheme: keyof typeof SIGNERS; body: string; signature: string }[];
}

const document = readFileSync(new URL('../../../docs/signing.md', import.meta.url), 'utf8');
const published = JSON.parse(block('json')) as Vectors;
const { secret, id, timestamp } = published;

const SIGNERS = {
  outgoing: (body: Buffer) => signVersioned(secret, timestamp, body),
  bot_push: (body: Buffer) => signDottedV1(secret, timestamp, body),
  incoming_native: (body: Buffer) => signDotted(secret, timestamp, body),
  incoming_compat: (body: Buffer) => signV0(secret, timestamp, body),
  standard_webhooks: (body: Buffer) => signStandardWebhook(secret, id, timestamp, body),
};

function block(language: string): string {
  const match = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(document);
  if (!match) throw new Error(`docs/signing.md has no ${language} block`);
  return match[1]!;
}

describe('docs/signing.md', () => {
  it('has vectors for every scheme', () => {
    expect(new Set(published.vectors.map((vector) => vector.scheme))).toEqual(new Set(Object.keys(SIGNERS)));
  });

  it.each(published.vectors)('vector $scheme over $body', ({ scheme, body, signature }) => {
    expect(SIGNERS[scheme](Buffer.from(body))).toBe(signature);
  });

  it('the Node.js receiver accepts the vectors and refuses all else', () => {
    const [vector] = published.vectors.filter((candidate) => candidate.scheme === 'outgoing');
    const { body, signature } = vector!;
    const calls = [
      [secret, timestamp, signature, body, Number(timestamp) + 300],
      [secret, timestamp, signature, body, Number(timestamp) + 301],
      [secret, timestamp, signature, body, Number(timestamp) - 301],
      [secret, timestamp, signature, `${body} `, Number(timestamp)],
      [secret, timestamp, signature.slice(0, -1), body, Number(timestamp)],
      [`${secret}x`, timestamp, signature, body, Number(timestamp)],
      [secret, `${timestamp}000`, signature, body, Number(timestamp)],
    ];
    const program = `${block('js')}\nconsole.log(JSON.stringify(${JSON.stringify(calls)}.map((call) => verify(...call))));`;
    const answers = execFileSync(process.execPath, ['--input-type=module', '-e', program], {
      encoding: 'utf8',
    });
    expect(JSON.parse(answers)).toEqual([true, false, false, false, false, false, false]);
  });
});
