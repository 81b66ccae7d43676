-- Modals that the bot asked to be judged; forms on top of forms; submissions whose polling bot has not answered yet.
-- works with: interactive/0005-sealed-builtin-keys
ALTER TABLE modals
  ADD COLUMN is_judged boolean NOT NULL DEFAULT false,
  -- The form beneath it, and how many there are from the first on.
  ADD COLUMN parent_id uuid,
  ADD COLUMN stack_depth integer NOT NULL DEFAULT 1,
  -- Until then a form lies on top of it, unless that is done earlier.
  ADD COLUMN child_until timestamptz,
  -- Of a used one: until then the bot may still give it back.
  ADD COLUMN awaiting_until timestamptz;
-- Of a submission; null for a click.
ALTER TABLE interactions ADD COLUMN modal_id uuid;
