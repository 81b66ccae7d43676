import { characters } from '@tieline/platform/http';

/** A parsed `/poll` line, or a usage text that explains the error. */
export type PollLine = { question: string; options: string[] } | { usage: string };

const MAX_QUESTION = 300;
const MAX_OPTION = 60;
const MIN_OPTIONS = 2;
const MAX_OPTIONS = 10;

export const POLL_HINT = '"Question" "Option 1" "Option 2" …';
const USAGE = `Usage: /poll ${POLL_HINT}\nUse ${MIN_OPTIONS} to ${MAX_OPTIONS} different options of up to ${MAX_OPTION} characters. The question can have up to ${MAX_QUESTION} characters.`;

/** Closing quotation marks for each opening one, in English, German, Swedish and French styles. */
const CLOSING: Readonly<Record<string, string>> = {
  '"': '"',
  '“': '”‟',
  '„': '“”‟',
  '‟': '”',
  '”': '”',
  '«': '»',
  '»': '«',
};
const ANY_QUOTE = Object.keys(CLOSING).join('');

/**
 * Parses the text after `/poll`: texts in straight or typographic double quotes. Some keyboards
 * replace only some of the quotes. If the pairs do not match, any quote closes any other.
 */
export function readPollLine(given: string): PollLine {
  const texts =
    quotedTexts(given, (opening) => CLOSING[opening] as string) ?? quotedTexts(given, () => ANY_QUOTE);
  if (!texts)
    return usage(
      given.trim() === '' ? 'What do you want to ask?' : 'Put the question and each option in quotes.',
    );
  const [question = '', ...options] = texts.map(onOneLine);
  const why = questionProblem(question) ?? optionsProblem(options);
  return why === undefined ? { question, options } : usage(why);
}

/**
 * Returns the texts in quotes, or undefined if there are none or there is text outside of quotes.
 */
function quotedTexts(given: string, closingOf: (opening: string) => string): string[] | undefined {
  const texts: string[] = [];
  let rest = given.trim();
  while (rest !== '') {
    const opening = rest.charAt(0);
    if (!ANY_QUOTE.includes(opening)) return undefined;
    const closings = closingOf(opening);
    const end = [...rest.slice(1)].findIndex((character) => closings.includes(character));
    if (end === -1) return undefined;
    const inside = [...rest.slice(1)].slice(0, end).join('');
    texts.push(inside);
    rest = rest.slice(inside.length + 2).trimStart();
  }
  return texts.length > 0 ? texts : undefined;
}

/** Replaces line breaks, which would break the list of options. */
function onOneLine(text: string): string {
  return text.trim().replaceAll(/\s*[\n\r\u2028\u2029]+\s*/gu, ' ');
}

function questionProblem(question: string): string | undefined {
  if (question === '') return 'The question is empty.';
  return characters(question) > MAX_QUESTION
    ? `The question is too long (maximum ${MAX_QUESTION} characters).`
    : undefined;
}

function optionsProblem(options: readonly string[]): string | undefined {
  if (options.length < MIN_OPTIONS) return `A poll needs at least ${MIN_OPTIONS} options.`;
  if (options.length > MAX_OPTIONS) return `A poll can have at most ${MAX_OPTIONS} options.`;
  if (options.includes('')) return 'An option is empty.';
  if (options.some((option) => characters(option) > MAX_OPTION))
    return `An option is too long (maximum ${MAX_OPTION} characters).`;
  return new Set(options.map((option) => option.normalize())).size < options.length
    ? 'Two options are the same.'
    : undefined;
}

function usage(why: string): PollLine {
  return { usage: `${why}\n${USAGE}` };
}
