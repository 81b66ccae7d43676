/**
 * A module variable that changes is a singleton without injection: it survives from test to test,
 * any import can fill it, and nothing fails if it stays empty. State belongs in providers.
 */
const CHANGES =
  /^(set|add|push|pop|shift|unshift|splice|sort|reverse|fill|delete|clear|append|register|copyWithin)$/;

/** The module-level variable that this reference changes, told by what stands around it. */
function changes({ identifier }) {
  const { parent } = identifier;
  if (parent.type === 'UpdateExpression') return true;
  if (parent.type !== 'MemberExpression' || parent.object !== identifier) return false;
  const { parent: use } = parent;
  if (use.type === 'AssignmentExpression' && use.left === parent) return true;
  if (use.type === 'UpdateExpression' || (use.type === 'UnaryExpression' && use.operator === 'delete'))
    return true;
  return use.type === 'CallExpression' && use.callee === parent && CHANGES.test(parent.property.name ?? '');
}

/**
 * Changed while the module is being loaded, at its top level: that is how a constant table is made.
 */
function whileLoading({ from }) {
  return from.type === 'module' || from.type === 'global';
}

/** Its entries belong to the objects that are its keys, and other objects have other entries. */
function isWeakMap({ node }) {
  const { init } = /** @type {import('estree').VariableDeclarator} */ (node);
  return init?.type === 'NewExpression' && /** @type {any} */ (init.callee).name === 'WeakMap';
}

/** @type {import('eslint').Rule.RuleModule} */
export const noModuleState = {
  meta: {
    type: 'problem',
    messages: {
      changes: '{{name}} is a variable of the module that changes: make it state of a provider',
      let: '{{name}} is a `let` of the module: make it state of a provider, or a constant',
      static: 'a static field that can change: make it state of a provider, or readonly',
    },
    schema: [],
  },
  create(context) {
    return {
      'PropertyDefinition[static=true][readonly!=true]'(node) {
        context.report({ node, messageId: 'static' });
      },
      'Program:exit'(program) {
        const scope = context.sourceCode.getScope(program);
        const module = scope.childScopes.find(({ type }) => type === 'module') ?? scope;
        for (const variable of module.variables) {
          const [definition] = variable.defs;
          if (definition?.type !== 'Variable' || isWeakMap(definition)) continue;
          const { name, identifiers, references } = variable;
          if (definition.parent.kind !== 'const')
            context.report({ node: identifiers[0], messageId: 'let', data: { name } });
          else if (references.some((reference) => !whileLoading(reference) && changes(reference)))
            context.report({ node: identifiers[0], messageId: 'changes', data: { name } });
        }
      },
    };
  },
};
