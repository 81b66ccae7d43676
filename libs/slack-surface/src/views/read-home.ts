import type { ViewContent } from '@tieline/interactive';
import { invalidField } from '@tieline/platform/http';
import { elementsIn } from '../blocks/find-element.js';
import { isObject } from '../blocks/rules.js';
import { SlackError } from '../dispatcher/slack-error.js';
import { readView } from './read-view.js';

const fail = (rule: string): never => {
  throw invalidField('blocks', `blocks: ${rule}`);
};

/**
 * Reads the home of a native bot. It is a home of Slack, marked as native. Blocks and elements that
 * are not shown are refused, and so are elements that ask the bot for options.
 * @throws 400
 */
export function readHome(blocks: readonly unknown[]): ViewContent {
  const content = readContent(blocks);
  const view = JSON.parse(content.json) as { blocks: Record<string, unknown>[] };
  if (elementsIn(view.blocks).some(({ element }) => String(element['type']).endsWith('external_select')))
    fail('selects with options of the bot are not possible in a home');
  return { ...content, json: JSON.stringify({ ...view, isNative: true }) };
}

function readContent(blocks: readonly unknown[]): ViewContent {
  if (!blocks.every(isObject)) return fail('must be a list of objects');
  try {
    return readView({ type: 'home', blocks }, 'home', fail);
  } catch (error) {
    if (!(error instanceof SlackError)) throw error;
    const [text = `at most 250,000 bytes`] = error.messages;
    return fail(text.replace(/^\[ERROR\] /, ''));
  }
}
