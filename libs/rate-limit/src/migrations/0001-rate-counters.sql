-- Counters of the Postgres rate limiter and spilled messages of the Postgres bus. Both are UNLOGGED: they cost no WAL,
-- and losing them in a crash only starts the windows anew.

CREATE UNLOGGED TABLE rate_counters (
  key       text   PRIMARY KEY,
  hits      int    NOT NULL,
  -- Milliseconds since 1970 by this server's clock. The window began window_ms before; hits = 0 means no window.
  resets_at bigint NOT NULL,
  window_ms int    NOT NULL
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.1, autovacuum_vacuum_threshold = 1000);

-- One batch of calls, judged in order; each call has one rule or several, and counts for all of them or for none.
--   keys, windows, wanted, tightest     one entry per distinct key, in the order in which every process locks them:
--                                       the hits that the batch asks for, and the lowest limit named for the key
--   call_rules, call_wanted             one entry per call: how many rules it has; 0 = one hit for each of them,
--                                       n = up to n hits of its only rule
--   rule_key, rule_limit                one entry per rule, call by call: position in keys, limit
-- granted is NULL when all was granted, else the hits granted to each call; refusing is the position of the refusing
-- rule within its call, wait_ms until that rule's window ends.
-- Locks the rows of keys in their given order until the transaction ends.
CREATE FUNCTION rate_consume(
  keys text[], windows int[], wanted int[], tightest int[],
  call_rules int[], call_wanted int[], rule_key int[], rule_limit int[],
  OUT granted int[], OUT refusing int[], OUT wait_ms bigint[]
) LANGUAGE plpgsql AS $$
DECLARE
  at_ms    bigint := (extract(epoch FROM clock_timestamp()) * 1000)::bigint;
  seen     text[];
  counted  int[];
  resets   bigint[];
  base     int[];
  first    int := 1;
  refused  int;
  waits    bigint;
  room     int;
  grant_of int;
  k        int;
BEGIN
  -- Counts everything at once, because usually everything fits; what does not is taken back below, under the same locks.
  WITH counters AS (
    INSERT INTO rate_counters AS c (key, hits, resets_at, window_ms)
    SELECT w.key, w.hits, at_ms + w.window_ms, w.window_ms
      FROM unnest(keys, wanted, windows) WITH ORDINALITY AS w (key, hits, window_ms, position)
     ORDER BY w.position
    ON CONFLICT (key) DO UPDATE SET
      hits      = excluded.hits + CASE WHEN c.resets_at > at_ms THEN c.hits ELSE 0 END,
      resets_at = CASE WHEN c.resets_at > at_ms AND c.hits > 0 THEN c.resets_at ELSE excluded.resets_at END,
      window_ms = excluded.window_ms
    RETURNING c.key, c.hits, c.resets_at
  )
  SELECT array_agg(c.key), array_agg(c.hits), array_agg(c.resets_at) INTO seen, counted, resets FROM counters c;
  IF seen IS DISTINCT FROM keys THEN RAISE EXCEPTION 'rate counters came back in another order'; END IF;

  IF (SELECT bool_and(c.hits <= c.most) FROM unnest(counted, tightest) AS c (hits, most)) THEN RETURN; END IF;

  granted  := call_wanted;
  refusing := call_wanted;
  wait_ms  := call_wanted;
  base     := counted;
  FOR i IN 1 .. cardinality(keys) LOOP base[i] := base[i] - wanted[i]; END LOOP;

  FOR n IN 1 .. cardinality(call_rules) LOOP
    grant_of := greatest(call_wanted[n], 1);
    refused  := 0;
    waits    := 0;
    FOR r IN first .. first + call_rules[n] - 1 LOOP
      k    := rule_key[r];
      room := greatest(rule_limit[r] - base[k], 0);
      IF room >= grant_of THEN CONTINUE; END IF;
      IF call_wanted[n] > 0 THEN
        grant_of := room;
      ELSIF refused = 0 OR resets[k] - at_ms > waits THEN
        refused := r - first + 1;
        waits   := resets[k] - at_ms;
      END IF;
    END LOOP;
    IF refused > 0 THEN grant_of := 0; END IF;
    FOR r IN first .. first + call_rules[n] - 1 LOOP
      base[rule_key[r]] := base[rule_key[r]] + grant_of;
    END LOOP;
    granted[n]  := grant_of;
    refusing[n] := refused;
    wait_ms[n]  := waits;
    first := first + call_rules[n];
  END LOOP;

  UPDATE rate_counters AS c SET hits = b.hits
    FROM unnest(keys, base) AS b (key, hits) WHERE c.key = b.key AND c.hits <> b.hits;
END $$;

-- Takes hits back. keys is distinct and in locking order; each entry names its key by position and says how many
-- milliseconds ago the hit was counted: one that belongs to an earlier window than the present one is left alone.
CREATE FUNCTION rate_refund(keys text[], entry_key int[], entry_age_ms int[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  at_ms bigint;
BEGIN
  PERFORM 1 FROM unnest(keys) WITH ORDINALITY AS k (key, position) JOIN rate_counters c USING (key)
    ORDER BY k.position FOR UPDATE OF c;
  at_ms := (extract(epoch FROM clock_timestamp()) * 1000)::bigint;
  UPDATE rate_counters AS c SET hits = greatest(c.hits - back.hits, 0)
    FROM (
      SELECT r.key, count(*)::int AS hits
        FROM unnest(entry_key, entry_age_ms) AS e (position, age_ms)
        JOIN rate_counters r ON r.key = keys[e.position]
       WHERE r.resets_at - r.window_ms <= at_ms - e.age_ms
       GROUP BY r.key
    ) AS back
   WHERE c.key = back.key AND c.resets_at > at_ms;
END $$;

-- Messages of the bus that are too large for a NOTIFY; read by id, deleted after a minute.
CREATE UNLOGGED TABLE bus_messages (
  id         uuid        PRIMARY KEY,
  body       text        NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX bus_messages_created_at ON bus_messages (created_at);
