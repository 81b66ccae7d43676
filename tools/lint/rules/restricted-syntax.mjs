/**
 * Patterns forbidden by `no-restricted-syntax`, each with its alternative. eslint.config.mjs says
 * where they apply.
 */

export const NO_PROCESS_ENV = {
  selector: "MemberExpression[object.name='process'][property.name='env']",
  message: 'settings are declared in <lib>.settings.ts and injected',
};
export const NO_GLOBAL_FETCH = {
  selector: "CallExpression[callee.name='fetch']",
  message: 'outgoing HTTP goes through @tieline/egress',
};
export const NO_TOKEN_PREFIX = {
  selector: 'Literal[value=/^tl[a-z]_$/]',
  message:
    'prefixes of tokens are in TOKEN_PREFIXES (@tieline/platform/http), so that logs redact each of them',
};
export const NO_WORKER_TX = {
  selector: "CallExpression[callee.name='runInWorkerTx']",
  message:
    'a request names its space and place: runInTx(db, work, place). background duties are listed in tools/lint/rules/restricted-syntax.mjs',
};
/** Background duties, whose transactions pass no gate: each bounds its own concurrency. */
export const DUTIES = [
  'libs/bots/src/callbacks/callback-log.ts',
  'libs/bots/src/dm-stream/dm-inboxes.processor.ts',
  'libs/delivery/src/engine/results/*.ts',
  'libs/delivery/src/outbox/planning/batch-planner.ts',
  'libs/notifications/src/batches/notification-batches.ts',
  'libs/partitions/src/daily-partitions.ts',
  'libs/platform/src/database/statistics/analyze-grown.ts',
  'libs/queue/src/due-rows.ts',
  'libs/search/src/indexing/*.ts',
  'libs/webhooks/src/outgoing/recoveries/advance-recovery.ts',
];
/** Node 20 lets the garbage collector take the timeout, and the combined signal never fires. */
export const NO_ANY_TIMEOUT = {
  selector:
    "CallExpression[callee.object.name='AbortSignal'][callee.property.name='any'] CallExpression[callee.property.name='timeout']",
  message: 'a timeout inside AbortSignal.any may never fire: use setTimeout and an AbortController',
};
const URL_NAMES = '/^(url|originalUrl)$/';
const REQUEST_NAMES = '/^(req|request|raw)$/';
/** A router decodes what a comparison of texts does not. */
export const NO_REQUEST_URL = [
  `MemberExpression[property.name=${URL_NAMES}][object.name=${REQUEST_NAMES}]`,
  `MemberExpression[property.name=${URL_NAMES}][object.property.name='raw']`,
  `VariableDeclarator[init.name=${REQUEST_NAMES}] > ObjectPattern > Property[key.name=${URL_NAMES}]`,
  `VariableDeclarator[init.property.name='raw'] > ObjectPattern > Property[key.name=${URL_NAMES}]`,
  `ObjectPattern[typeAnnotation.typeAnnotation.typeName.name=/^(FastifyRequest|IncomingMessage)$/] > Property[key.name=${URL_NAMES}]`,
].map((selector) => ({
  selector,
  message:
    'addresses have many spellings: ask request.routeOptions, or fastify.knownRoutes where there is no route',
}));
export const NO_REQUEST_IP = {
  selector: `MemberExpression[property.name='ip'][object.name=${REQUEST_NAMES}]`,
  message: 'behind a proxy that is the address of the proxy: use addressOf(request)',
};
/**
 * A narrow bound fails by chance on a busy machine. A wide one still shows that a wait was ended.
 */
export const NO_NARROW_TIMES = [
  {
    selector:
      "CallExpression[callee.property.name=/^toBeLessThan(OrEqual)?$/][arguments.0.value<5000] > MemberExpression > CallExpression[callee.name='expect'] > BinaryExpression > CallExpression[callee.property.name='now']",
    message:
      'a duration only shows that a wait was ended: bound it by 5,000 ms or more, and let the wrong way take longer; for speed count work, or use tools/bench',
  },
  {
    selector: "CallExpression[callee.name='eventually'] Property[key.name='timeoutMs'][value.value<10000]",
    message: 'a busy machine needs longer: wait for at least 10,000 ms',
  },
];
/** A test that changes the end of a random text fails by chance. */
export const NO_CHANGED_END = {
  selector:
    "TemplateLiteral > CallExpression[callee.property.name='slice'][arguments.0.value=0][arguments.1.operator='-']",
  message: 'the text may end like that already, or decode to the same: use tampered of @tieline/testing',
};
export const ALWAYS = [
  { selector: 'ExportAllDeclaration', message: 'named exports only' },
  {
    selector: 'ImportDeclaration[specifiers.length=0]:not([source.value=/[.]css$/])',
    message: 'what is loaded for its side effect fails open when the import is lost: inject it',
  },
  {
    selector: "CallExpression[callee.name='forwardRef']",
    message: 'no cycles: move what both need to a layer below',
  },
  {
    selector: "Property[key.name='scope'] > MemberExpression[object.name='Scope']",
    message: 'no request-scoped providers',
  },
  {
    selector: ":matches(Identifier[name='APP_INTERCEPTOR'], Identifier[name='useGlobalInterceptors'])",
    message: 'an interceptor costs a seventh of a small request: only routes that need one may have it',
  },
  {
    selector: "ObjectExpression > Property[kind='get']",
    message: 'each such object gets a hidden class of its own, in old memory: use a class, or a method',
  },
  {
    selector: 'MemberExpression[object.name=/^(it|test|describe)$/][property.name=/^(only|skip|todo)$/]',
    message: 'every test runs',
  },
  {
    selector: 'CallExpression[callee.name=/^(xit|xtest|xdescribe|fit|fdescribe)$/]',
    message: 'every test runs',
  },
  NO_ANY_TIMEOUT,
];
