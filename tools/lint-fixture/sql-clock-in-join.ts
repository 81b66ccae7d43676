// as libs/bots/src/index.ts: house/no-clock-in-where
export const FIND = 'SELECT j.id FROM jobs j JOIN leases l ON l.id = j.id AND l.ends_at < clock_timestamp()';
