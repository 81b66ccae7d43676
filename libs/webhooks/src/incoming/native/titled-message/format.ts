import { severityOf } from '../../message/severity.js';
import type { Severity } from '../../message/severity.js';
import type { NativeFormat } from '../parts/native-format.js';

const TYPES: ReadonlyMap<string, Severity> = new Map([
  ['failure', 'critical'],
  ['success', 'info'],
]);

/** `{"title", "message"}`, a common format for generic webhooks. */
export const TITLED_MESSAGE: NativeFormat = {
  name: 'A message with a title',
  recognizes: (body) =>
    body.isText('title') && body.isText('message') && `${body.text('title')}${body.text('message')}` !== '',
  read: (body) => ({
    lines: [body.text('title'), body.text('message')],
    links: [],
    severity: severityOfWord(body.word('severity') || body.word('type')),
  }),
};

function severityOfWord(word: string): Severity {
  return TYPES.get(word) ?? severityOf(word);
}
