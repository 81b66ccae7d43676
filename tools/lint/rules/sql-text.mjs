/**
 * Extracts SQL from sources: string and template literals, with constants of the same file
 * inserted, and comments and quoted texts blanked.
 */

/**
 * Calls `look` with every literal that is whole, that is, not a part of a longer one.
 *
 * @param {import('eslint').Rule.RuleContext} context
 * @param {(sql: string, node: import('eslint').Rule.Node) => void} look
 */
export function eachSql(context, look) {
  const visit = (node) => {
    if (isPart(node)) return;
    const text = textOf(context, node, new Set());
    if (text.length > 0) look(withoutQuoted(text), node);
  };
  return { Literal: visit, TemplateLiteral: visit, 'BinaryExpression[operator="+"]': visit };
}

function isPart({ parent }) {
  return parent.type === 'BinaryExpression' && parent.operator === '+';
}

/** Returns the value as far as the file shows it. Anything else becomes a placeholder name. */
function textOf(context, node, seen) {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : ' ';
  if (node.type === 'BinaryExpression' && node.operator === '+')
    return textOf(context, node.left, seen) + textOf(context, node.right, seen);
  if (node.type === 'TemplateLiteral')
    return node.quasis
      .flatMap(({ value }, n) => [
        value.cooked ?? '',
        node.expressions[n] ? textOf(context, node.expressions[n], seen) : '',
      ])
      .join('');
  return node.type === 'Identifier' ? constantOf(context, node, seen) : ' x ';
}

function constantOf(context, identifier, seen) {
  if (seen.has(identifier.name)) return ' x ';
  const variable = findVariable(context.sourceCode.getScope(identifier), identifier.name);
  const [definition] = variable?.defs ?? [];
  const init = definition?.type === 'Variable' && definition.parent.kind === 'const' && definition.node.init;
  return init ? textOf(context, init, new Set([...seen, identifier.name])) : ' x ';
}

function findVariable(scope, name) {
  for (let at = scope; at; at = at.upper) if (at.set.has(name)) return at.set.get(name);
  return undefined;
}

/** Lengths stay, so that places stay; texts and comments become blanks. */
function withoutQuoted(sql) {
  return sql.replace(/--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'/g, (found) => ' '.repeat(found.length));
}

/** Words and brackets with how deep they stand: `SELECT (a)` is SELECT 0, ( 0, a 1, ) 0. */
export function tokensOf(sql) {
  let depth = 0;
  return [...sql.matchAll(/[a-z_][a-z0-9_]*|[()]/gi)].map(([found]) => {
    if (found === ')') depth -= 1;
    const token = { word: found.toUpperCase(), depth };
    if (found === '(') depth += 1;
    return token;
  });
}
