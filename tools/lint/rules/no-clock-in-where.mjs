/**
 * clock_timestamp() is volatile: Postgres evaluates it for every row, so it never bounds an index
 * scan, and rows that are not due are read and discarded. statement_timestamp() is constant during
 * a statement.
 */
import { eachSql, tokensOf } from './sql-text.mjs';

const ENDS = /^(ORDER|GROUP|HAVING|WINDOW|LIMIT|OFFSET|FETCH|RETURNING|UNION|INTERSECT|EXCEPT|DO|SET|FOR)$/;

/** Whether the clock is used in a condition: from WHERE or a join's ON to its end. */
function asksClock(tokens) {
  const open = [];
  for (const [n, { word, depth }] of tokens.entries()) {
    while (open.length > 0 && ends({ word, depth }, open.at(-1))) open.pop();
    if (word === 'WHERE' || (word === 'ON' && tokens[n + 1]?.word !== 'CONFLICT')) open.push(depth);
    else if (word === 'CLOCK_TIMESTAMP' && open.length > 0) return true;
  }
  return false;
}

function ends({ word, depth }, opened) {
  return depth < opened || (word === ')' && depth === opened - 1) || (depth === opened && ENDS.test(word));
}

/** @type {import('eslint').Rule.RuleModule} */
export const noClockInWhere = {
  meta: {
    type: 'problem',
    messages: {
      clock: 'clock_timestamp() in a condition is never an index condition: statement_timestamp()',
    },
    schema: [],
  },
  create(context) {
    return eachSql(context, (sql, node) => {
      if (asksClock(tokensOf(sql))) context.report({ node, messageId: 'clock' });
    });
  },
};
