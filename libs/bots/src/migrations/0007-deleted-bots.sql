-- What deleted bots leave behind is cleared away without looking at all the others.
-- works with: bots/0006-exhausted-pushes
CREATE INDEX bots_deleted ON bots (space_id, id) WHERE deleted_at IS NOT NULL;
