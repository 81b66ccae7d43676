import type { Answer } from '@tieline/sdk/testing';

/** Describes what the person sees. */
export function sentence({ result, text, message, modal, errors, messageId }: Answer): string {
  if (result === 'sent') return `sent ${messageId ?? ''}`;
  if (result === 'message') return `message ${messageId ?? ''}\n${text ?? message?.text ?? ''}`;
  if (result === 'ephemeral') return `only for you: ${text ?? ''}`;
  if (result === 'errors')
    return [
      'the form was not accepted',
      ...Object.entries(errors ?? {}).map(([field, why]) => `  ${field}: ${why}`),
    ].join('\n');
  if (result === 'modal') return formLines(modal ?? {}).join('\n');
  if (result === 'duplicate') return 'the same click came a moment ago and counts once';
  return result === 'noop' ? 'nothing to see' : 'the bot has not answered yet';
}

function formLines(modal: Readonly<Record<string, unknown>>): string[] {
  const fields = (modal.fields ?? []) as { id: string; type: string; label: string; required?: boolean }[];
  return [
    `form: ${String(modal.title ?? '')}`,
    ...fields.map(
      ({ id, type, label, required }) => `  ${id}  ${label} (${type}${required ? ', required' : ''})`,
    ),
    `submit it: tieline submit ${fields.map(({ id }) => `${id}=…`).join(' ')}`,
  ];
}
