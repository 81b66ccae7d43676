/**
 * Since Node.js 24, a key of bytes takes 11 µs where a text or a KeyObject takes 2.5: the crypto
 * functions ask whether it is a KeyObject by catching an exception.
 */
const TAKES_KEY = /^create(?:Hmac|Cipheriv|Decipheriv)$/;
const BYTES = /^(?:Buffer|Uint8Array|NonSharedBuffer)\b/;

/** @type {import('eslint').Rule.RuleModule} */
export const noKeyBytes = {
  meta: {
    type: 'problem',
    messages: { bytes: 'a key of bytes costs four times as much as createSecretKey(bytes)' },
    schema: [],
  },
  create: (context) => {
    const { program, esTreeNodeToTSNodeMap } = context.sourceCode.parserServices;
    return {
      CallExpression: (node) => {
        const [, key] = node.arguments;
        if (key === undefined || !TAKES_KEY.test(/** @type {any} */ (node.callee).name)) return;
        const checker = program.getTypeChecker();
        const type = checker.getTypeAtLocation(esTreeNodeToTSNodeMap.get(key));
        const parts = type.isUnion() ? type.types : [type];
        if (parts.some((part) => BYTES.test(checker.typeToString(part))))
          context.report({ node: key, messageId: 'bytes' });
      },
    };
  },
};
