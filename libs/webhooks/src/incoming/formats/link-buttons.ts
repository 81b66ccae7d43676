import type { FieldReader } from './fields.js';

/** A button that leads somewhere, as history answers it. */
export interface LinkButton {
  text: string;
  url: string;
}

/**
 * A button of a block (its text is a text element) or of an attachment (its text is a string).
 * Undefined when it has no address.
 */
export function linkButton(button: FieldReader): LinkButton | undefined {
  if (!button.has('url')) return undefined;
  return leading(
    button,
    typeof button.value('text') === 'object' ? button.object('text')?.text('text') : button.text('text'),
  );
}

/** A button of the flat format; its text is a string. */
export function flatButton(button: FieldReader): LinkButton | undefined {
  return leading(button, button.text('text'));
}

/** A button without a label still leads somewhere. */
function leading(button: FieldReader, text: string | undefined): LinkButton | undefined {
  const url = button.address('url');
  return url === undefined ? undefined : { text: text ?? url, url };
}
