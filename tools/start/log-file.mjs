/**
 * The log of one program: the program appends to it, we show its errors and keep it from growing
 * for ever.
 */
import { closeSync, copyFileSync, fstatSync, ftruncateSync, openSync, readSync } from 'node:fs';

const LIMIT_BYTES = 50_000_000;
const EVERY_MS = 250;
const ERROR_LEVELS = new Set(['error', 'fatal']);

/**
 * @param {string} path
 * @param {(line: string) => void} show gets one short line for each error
 * @returns {{ fd: number, tail(lines: number): string, close(): void }} `fd` is for the program's
 * output
 */
export function openLog(path, show) {
  const fd = openSync(path, 'a+', 0o600);
  const start = fstatSync(fd).size;
  let position = start;
  let rest = '';

  function look() {
    const { size } = fstatSync(fd);
    if (size < position) position = 0;
    const lines = (rest + read(fd, position, size)).split('\n');
    position = size;
    rest = lines.pop() ?? '';
    for (const line of lines) if (isError(line)) show(shorten(line));
    if (size > LIMIT_BYTES) {
      // The program appends, so after truncation it continues at the beginning.
      copyFileSync(path, `${path}.1`);
      ftruncateSync(fd, 0);
      position = 0;
    }
  }

  const timer = setInterval(look, EVERY_MS);
  return {
    fd,
    tail: (lines) =>
      read(fd, Math.min(start, position), fstatSync(fd).size)
        .trimEnd()
        .split('\n')
        .slice(-lines)
        .map(shorten)
        .join('\n'),
    close() {
      clearInterval(timer);
      look();
      closeSync(fd);
    },
  };
}

/** @param {number} fd @param {number} from @param {number} to */
function read(fd, from, to) {
  const buffer = Buffer.alloc(Math.max(0, Math.min(to - from, 1_000_000)));
  const count = readSync(fd, buffer, 0, buffer.length, to - buffer.length);
  return buffer.toString('utf8', 0, count);
}

/**
 * Lines of the JSON log carry a level; what is no JSON is a crash or a warning of Node.
 * @param {string} line
 */
function isError(line) {
  if (!line.startsWith('{')) return line.trim() !== '';
  return ERROR_LEVELS.has(parse(line)?.level);
}

/** @param {string} line */
function shorten(line) {
  const entry = line.startsWith('{') ? parse(line) : undefined;
  if (!entry) return line;
  const cause = entry.err?.stack ?? entry.err?.message;
  return [entry.msg, cause].filter(Boolean).join(': ') || line;
}

/** @param {string} line */
function parse(line) {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
