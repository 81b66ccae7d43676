-- Views of Slack apps: modals, and one home per bot and person. `modal` is the view as the app sent it.
-- works with: interactive/0014-feedback-ends
ALTER TABLE modals
  ALTER COLUMN conversation_id DROP NOT NULL,
  -- Views have neither a message nor a command.
  DROP CONSTRAINT modals_check,
  -- Null for a modal of a native bot.
  ADD COLUMN view_kind text CHECK (view_kind IN ('modal', 'home')),
  -- The trigger that opened it, once.
  ADD COLUMN opened_by uuid,
  -- Number of versions; a part of the view's hash.
  ADD COLUMN revision integer NOT NULL DEFAULT 1,
  -- The app's name for the view.
  ADD COLUMN external_id text,
  ADD CHECK (view_kind IS NOT NULL OR (conversation_id IS NOT NULL AND (message_id IS NULL) = (trigger_id IS NOT NULL)));
CREATE UNIQUE INDEX modals_opened_by ON modals (space_id, opened_by) WHERE opened_by IS NOT NULL;
CREATE INDEX modals_views ON modals (space_id, bot_id, user_id) WHERE view_kind = 'modal' AND used_at IS NULL;
CREATE UNIQUE INDEX modals_homes ON modals (space_id, bot_id, user_id) WHERE view_kind = 'home';
CREATE INDEX modals_external ON modals (space_id, bot_id, external_id) WHERE external_id IS NOT NULL;
