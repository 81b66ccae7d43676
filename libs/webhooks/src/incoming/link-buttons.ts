import type { FieldReader } from './fields.js';

/** A button that leads somewhere, as history answers it. */
export interface LinkButton {
  text: string;
  url: string;
}

/** A button element of a block; its text is a text element. Undefined: it leads nowhere, or is none. */
export function blockButton(element: FieldReader): LinkButton | undefined {
  if (!element.has('url') || typeof element.value('text') !== 'object') return undefined;
  return linkButton(element, element.object('text')?.text('text'));
}

/** A button of an attachment or of the flat format; its text is a string. */
export function flatButton(button: FieldReader): LinkButton | undefined {
  return linkButton(button, button.text('text'));
}

function linkButton(button: FieldReader, text: string | undefined): LinkButton | undefined {
  const url = button.address('url');
  return text === undefined || url === undefined ? undefined : { text, url };
}
