-- Pending approvals of a deleted bot have no one to tell the result. Their time is up, so that the worker ends them. Those
-- that are being decided at that moment are skipped: waiting for them could deadlock.
-- works with: approvals/0001-approvals
CREATE FUNCTION end_approvals_of_bot() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE approvals SET expires_at = statement_timestamp()
   WHERE space_id = new.space_id AND id = ANY (ARRAY(
     SELECT id FROM approvals WHERE space_id = new.space_id AND bot_id = new.id AND state = 'pending' FOR UPDATE SKIP LOCKED
   ));
  RETURN NULL;
END $$;
CREATE TRIGGER bots_end_approvals AFTER UPDATE OF deleted_at ON bots FOR EACH ROW
  WHEN (old.deleted_at IS NULL AND new.deleted_at IS NOT NULL) EXECUTE FUNCTION end_approvals_of_bot();
UPDATE approvals a SET expires_at = statement_timestamp()
  FROM bots b
 WHERE a.state = 'pending' AND b.space_id = a.space_id AND b.id = a.bot_id AND b.deleted_at IS NOT NULL;
