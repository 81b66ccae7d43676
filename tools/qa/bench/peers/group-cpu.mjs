import { readFileSync, readdirSync, readlinkSync } from 'node:fs';

const LISTENING = '0A';

/**
 * Finds the process that listens on a TCP port of this machine.
 *
 * @param {number} port @returns {number | undefined} undefined if it is on another machine, in
 * another network namespace or of another user
 */
export function listenerOf(port) {
  const inodes = new Set(['tcp', 'tcp6'].flatMap((table) => listeningInodes(table, port)));
  return processes().find((pid) => socketsOf(pid).some((inode) => inodes.has(inode)));
}

/**
 * Returns the processor time that a process and all others of its process group have used so far,
 * in milliseconds. Linux counts it in hundredths of a second. Includes children that have ended,
 * otherwise the end of one would look like negative time.
 *
 * @param {number} pid
 */
export function groupCpuMs(pid) {
  const group = statOf(pid)?.group;
  let members = membersOf(group);
  // A process that ends while the table is read could be counted neither itself nor by its parent.
  for (let tries = 0, before = ''; tries < 10 && before !== idsOf(members); tries++) {
    before = idsOf(members);
    members = membersOf(group);
  }
  return members.reduce((sum, { cpuMs }) => sum + cpuMs, 0);
}

/** @param {number | undefined} group */
const membersOf = (group) =>
  processes()
    .flatMap((id) => statOf(id) ?? [])
    .filter((one) => one.group === group);

/** @param {{ id: number }[]} members */
const idsOf = (members) => members.map(({ id }) => id).join();

const processes = () =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);

/** @param {string} table @param {number} port */
function listeningInodes(table, port) {
  return readFileSync(`/proc/net/${table}`, 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, , state]) => state === LISTENING && Number.parseInt(local.split(':')[1], 16) === port)
    .map((fields) => fields[9]);
}

/** @param {number} pid @returns {string[]} inodes */
function socketsOf(pid) {
  const folder = `/proc/${pid}/fd`;
  const names = attempt(() => readdirSync(folder)) ?? [];
  return names.flatMap((fd) => {
    const target = attempt(() => readlinkSync(`${folder}/${fd}`)) ?? '';
    return /^socket:\[(\d+)\]$/.exec(target)?.[1] ?? [];
  });
}

/**
 * Returns undefined for what has ended or belongs to another user.
 *
 * @template T @param {() => T} read @returns {T | undefined}
 */
function attempt(read) {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** @param {number} pid */
function statOf(pid) {
  const text = attempt(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  if (text === undefined) return undefined;
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [user, system, childrenUser, childrenSystem] = fields.slice(11, 15).map(Number);
  return { id: pid, group: Number(fields[2]), cpuMs: (user + system + childrenUser + childrenSystem) * 10 };
}
