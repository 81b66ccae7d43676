-- Bots of apps have scopes and may have tokens that expire.
-- works with: bots/0015-dm-openings
ALTER TABLE bots
  -- What the bot may do; NULL: everything.
  ADD COLUMN scopes text[],
  -- NULL: the token does not expire.
  ADD COLUMN token_expires_at timestamptz;
