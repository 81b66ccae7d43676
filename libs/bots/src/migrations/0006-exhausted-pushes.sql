-- When a bot's push reached its threshold of consecutive failed deliveries: from then on nothing is sent, and a worker switches it off.
ALTER TABLE bots ADD COLUMN exhausted_at timestamptz;
CREATE INDEX bots_exhausted ON bots (exhausted_at) WHERE exhausted_at IS NOT NULL;
