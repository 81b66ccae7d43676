/**
 * `WHERE key IN (SELECT … LIMIT n FOR UPDATE SKIP LOCKED)` takes more than n rows when the planner
 * joins by a nested loop: the subquery runs once for each row outside, and each time it finds
 * others. What is taken and not handled is lost.
 */
import { eachSql, tokensOf } from './sql-text.mjs';

const BOUNDED = /^(LIMIT|FETCH)$/;
const LOCKED = /^(UPDATE|SHARE|KEY|NO)$/;

/** The words directly inside the bracket that opens at `open`. */
function inside(tokens, open) {
  const { depth } = tokens[open];
  const end = tokens.findIndex(({ word, depth: at }, n) => n > open && word === ')' && at === depth);
  return tokens
    .slice(open + 1, end === -1 ? undefined : end)
    .filter(({ depth: at }) => at === depth + 1)
    .map(({ word }) => word);
}

function claims(words) {
  if (words[0] !== 'SELECT' && words[0] !== 'WITH') return false;
  return words.some((word, n) => BOUNDED.test(word) || (word === 'FOR' && LOCKED.test(words[n + 1] ?? '')));
}

/** @type {import('eslint').Rule.RuleModule} */
export const noLimitedIn = {
  meta: {
    type: 'problem',
    messages: {
      limited:
        'IN (SELECT … LIMIT …) may run once per row and take more than it says: = ANY (ARRAY(SELECT …)), or a MATERIALIZED CTE',
    },
    schema: [],
  },
  create(context) {
    return eachSql(context, (sql, node) => {
      const tokens = tokensOf(sql);
      const found = tokens.some(
        ({ word }, n) => word === 'IN' && tokens[n + 1]?.word === '(' && claims(inside(tokens, n + 1)),
      );
      if (found) context.report({ node, messageId: 'limited' });
    });
  },
};
