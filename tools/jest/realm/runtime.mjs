/**
 * Jest's `runtime` on top of Node's own loader: packages and libs are loaded once for all test
 * files of a run. Jest's runtime loads them again for each file, which costs more than most tests
 * (docs/adr/0012-test-runtime.md).
 */
import asyncHooks from 'node:async_hooks';
import { createRequire, register } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { mapOfCompiled } from '../compiled.mjs';
import { useEnvironment } from './jest-object.mjs';
import { watchForStrays } from './strays.mjs';

const require = createRequire(import.meta.url);
/**
 * Where jest-circus keeps what it knows about the file that is running: symbols of the global
 * object.
 */
const CIRCUS = new Set(['JEST_STATE_SYMBOL', 'EVENT_HANDLERS']);
const testFiles = new Set();

register('../typescript-hooks.mjs', import.meta.url);
watchForStrays(() => [...testFiles].at(-1));

export default class SharedRuntime {
  constructor(_config, environment, _resolver, _transformer, _cacheFs, _coverage, testPath) {
    this.testPath = testPath;
    this.storages = [];
    useEnvironment(environment);
  }

  /** The framework: a fresh one for each test file. */
  requireInternalModule(path) {
    forgetCircus();
    delete require.cache[path];
    const { storages } = this;
    const { AsyncLocalStorage } = asyncHooks;
    // A property of the newest Node has only a getter, so it is defined instead of assigned.
    const original = Object.getOwnPropertyDescriptor(asyncHooks, 'AsyncLocalStorage') ?? {};
    Object.defineProperty(asyncHooks, 'AsyncLocalStorage', {
      configurable: true,
      value: class extends AsyncLocalStorage {
        constructor() {
          super(...arguments);
          storages.push(this);
        }
      },
    });
    try {
      return require(path);
    } finally {
      Object.defineProperty(asyncHooks, 'AsyncLocalStorage', original);
    }
  }

  requireModule(path) {
    return require(path);
  }

  unstable_shouldLoadAsEsm() {
    return true;
  }

  unstable_importModule(path) {
    return path === this.testPath ? this.#runTestFile(path) : runSetup(path);
  }

  async #runTestFile(path) {
    if (testFiles.has(path))
      throw new Error(`${path} has run in this process, and is loaded once: start another`);
    testFiles.add(path);
    await import(pathToFileURL(path).href);
  }

  getSourceMaps() {
    return new SourceMaps();
  }

  /**
   * Node 20 copies every enabled storage at each `await`: those of the framework, one per test
   * file, would slow down the files that follow.
   */
  teardown() {
    forgetCircus();
    for (const storage of this.storages) storage.disable();
  }

  setGlobalsForRuntime() {}
  enterTestCode() {}
  leaveTestCode() {}
  getAllCoverageInfoCopy() {}
  getAllV8CoverageInfoCopy() {}
}

/**
 * By this Jest takes the namespace of an ES module, which it loads by `require`, for what has a
 * default.
 */
export const __esModule = true;

/**
 * A file of `setupFilesAfterEnv` is loaded once, too: what it does for each test file is its
 * default export.
 */
async function runSetup(path) {
  const { default: setup } = await import(pathToFileURL(path).href);
  await setup();
}

function forgetCircus() {
  for (const symbol of Object.getOwnPropertySymbols(globalThis))
    if (CIRCUS.has(symbol.description ?? '')) delete globalThis[symbol];
}

/**
 * Where the source map of a file is, looked for when a stack names it, which it does by address.
 */
class SourceMaps extends Map {
  /** @override @param {string} address */
  get(address) {
    return /^file:.*\.ts$/.test(address) ? mapOfCompiled(fileURLToPath(address)) : undefined;
  }
}
