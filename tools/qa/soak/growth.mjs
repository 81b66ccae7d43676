// Whether memory and connections stay as they are while the traffic does.
const EVERY_MS = 5_000;
/** A process that is younger is still warming up. */
const WARM_MS = 60_000;
/** Of its size when it was warm, and what a heap may breathe, in MB. */
const MAY_GROW = { times: 1.5, mb: 60 };

/** Looks now and then until it is stopped. */
export function watchGrowth(cast, sql) {
  const processes = new Map();
  const connections = [];
  const look = async () => {
    for (const { child, name, rssMb } of cast.members) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const mb = await rssMb().catch(() => undefined);
      if (!mb) continue;
      const seen = processes.get(child.pid) ?? { name, since: Date.now(), sizes: [] };
      processes.set(child.pid, seen);
      if (Date.now() - seen.since > WARM_MS) seen.sizes.push(mb);
    }
    const { rows } = await sql.query(
      "SELECT count(*)::int AS n FROM pg_stat_activity WHERE backend_type = 'client backend'",
    );
    connections.push(rows[0].n);
  };
  const timer = setInterval(() => void look().catch(() => undefined), EVERY_MS);
  return {
    stop: () => clearInterval(timer),
    /** @returns sentences for the report, and about what has grown */
    findings() {
      const old = [...processes.values()].filter(({ sizes }) => sizes.length > 3);
      const largest = Math.max(0, ...old.flatMap(({ sizes }) => sizes));
      const faults = old
        .map(({ name, sizes }) => ({ name, from: sizes[0], to: Math.min(...sizes.slice(-3)) }))
        .filter(({ from, to }) => to > from * MAY_GROW.times + MAY_GROW.mb)
        .map(({ name, from, to }) => `${name} grew from ${from.toFixed(0)} to ${to.toFixed(0)} MB`);
      const line = `  at most ${largest.toFixed(0)} MB a process (${old.length} looked at), ${Math.max(0, ...connections)} connections`;
      return { line, faults };
    },
  };
}
