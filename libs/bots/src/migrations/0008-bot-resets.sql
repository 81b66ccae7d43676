-- When a bot was last reset: what holders of an earlier token have set up is void. What other libs keep of a bot follows this column by
-- triggers of theirs, in the transaction of the reset.
-- works with: bots/0007-deleted-bots
ALTER TABLE bots ADD COLUMN reset_at timestamptz;
