/** Comments are written for readers who have never met the authors. */
import { houseWords, withoutCode } from '../house-words.mjs';

/** @type {import('eslint').Rule.RuleModule} */
export const plainEnglish = {
  meta: {
    type: 'suggestion',
    messages: { unclear: '"{{found}}" makes readers stumble: write {{instead}}' },
    schema: [],
  },
  create(context) {
    return {
      Program() {
        for (const comment of paragraphs(context.sourceCode.getAllComments()))
          for (const data of houseWords(withoutCode(comment.text)))
            context.report({ loc: comment.loc, messageId: 'unclear', data });
      },
    };
  },
};

/** Joins line comments that follow each other: a sentence may run over several of them. */
function paragraphs(comments) {
  const joined = [];
  for (const { type, value, loc } of comments) {
    const last = joined.at(-1);
    const text = value
      .replace(/^\s*\*+ ?/gm, '')
      .replace(/\s+/g, ' ')
      .trim();
    if (type === 'Line' && last?.type === 'Line' && last.loc.end.line + 1 === loc.start.line) {
      last.text += ` ${text}`;
      last.loc = { start: last.loc.start, end: loc.end };
    } else joined.push({ type, text, loc });
  }
  return joined;
}
