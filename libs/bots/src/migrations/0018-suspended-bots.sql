-- Bots of an app that is not active are disabled.
-- works with: bots/0017-installations-of-bots
ALTER TABLE bots
  -- What is_active becomes once the app is active again; NULL: the app is active.
  ADD COLUMN active_before_suspension boolean;
