import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';

/** A place in a compiled file, such as `file:///app/libs/queue/dist/queue.js:12:5`. */
const COMPILED = /(file:\/\/[^\s()]+\/dist\/[^\s()]+\.js):(\d+):(\d+)/;

/**
 * Makes stack traces name lines of the sources, as `--enable-source-maps` does. Reads a source map
 * when the first stack trace needs it. Node's flag keeps the maps of all modules in memory, which
 * takes 20 MB per process.
 */
export function nameSourcesInStacks(): void {
  const maps = new Map<string, SourceMap | undefined>();
  const mapOf = (url: string): SourceMap | undefined => {
    if (!maps.has(url)) maps.set(url, readMap(url));
    return maps.get(url);
  };
  Error.prepareStackTrace = (error, sites) =>
    [
      Error.prototype.toString.call(error),
      ...sites.map((site) => `    at ${nameSource(String(site), mapOf)}`),
    ].join('\n');
}

function nameSource(site: string, mapOf: (url: string) => SourceMap | undefined): string {
  return site.replace(COMPILED, (place, url: string, line: string, column: string) => {
    const entry = mapOf(url)?.findEntry(Number(line) - 1, Number(column) - 1);
    return entry && 'originalSource' in entry
      ? `${entry.originalSource}:${entry.originalLine + 1}:${entry.originalColumn + 1}`
      : place;
  });
}

/** Returns undefined if the file has no readable map. */
function readMap(url: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${fileURLToPath(url)}.map`, 'utf8')));
  } catch {
    return undefined;
  }
}
