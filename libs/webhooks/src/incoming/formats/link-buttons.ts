import type { LinkButton } from '../message/incoming-message.js';
import type { FieldReader } from './fields.js';

/**
 * Reads a button of a block (its text is a text element) or of an attachment (its text is a
 * string). Returns undefined if it has no address.
 */
export function linkButton(button: FieldReader): LinkButton | undefined {
  if (!button.has('url')) return undefined;
  return toLinkButton(
    button,
    typeof button.value('text') === 'object' ? button.object('text')?.text('text') : button.text('text'),
  );
}

/** Reads a button of the flat format, whose text is a string. */
export function flatButton(button: FieldReader): LinkButton | undefined {
  return toLinkButton(button, button.text('text'));
}

/** Uses the address as the label of a button without one. */
function toLinkButton(button: FieldReader, text: string | undefined): LinkButton | undefined {
  const url = button.address('url');
  return url === undefined ? undefined : { text: text ?? url, url };
}
