-- A message as its author sent it in the format of another product, whose blocks are not ours; null: it
-- was sent in our own. And the index that finds a message by its time.
-- works with: conversations/0013-topics
ALTER TABLE messages ADD COLUMN source_json text;
-- A few pages per entry: rows are in the order of their times, and an insert changes no entry.
CREATE INDEX messages_sent_at ON messages USING brin (sent_at timestamptz_minmax_multi_ops)
  WITH (pages_per_range = 16, autosummarize = on);
