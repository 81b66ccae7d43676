-- The last ids that relays gave out that share the outbox, by the node of the shard: none waits for another's. Without shards there are no rows.
-- works with: bots/0012-socket
CREATE TABLE poll_clocks (
  node    smallint PRIMARY KEY,
  last_id bigint   NOT NULL
) WITH (fillfactor = 50);
