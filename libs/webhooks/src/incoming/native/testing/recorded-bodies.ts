import { readdirSync, readFileSync } from 'node:fs';

const FOLDER = new URL('../', import.meta.url);

/** The recorded bodies of a sender by their names. */
export type RecordedBodies = Readonly<Record<string, Record<string, unknown>>>;

/** Reads the bodies of all senders, by the names of their folders. */
export function recordedBodies(): [sender: string, bodies: RecordedBodies][] {
  return sendersWith('bodies.json').map((sender) => [
    sender,
    JSON.parse(readFileSync(new URL(`${sender}/bodies.json`, FOLDER), 'utf8')) as RecordedBodies,
  ]);
}

/** Returns the folders of senders that contain a file. */
export function sendersWith(file: string): string[] {
  return readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith(`/${file}`))
    .map((path) => path.slice(0, -file.length - 1))
    .sort();
}
