-- Events name apps, installations and bots by their ids.
-- works with: apps/0006-install-urls
CREATE INDEX apps_by_id ON apps (id);
CREATE INDEX app_installations_by_id ON app_installations (id);
CREATE INDEX app_installations_by_bot ON app_installations (bot_id) WHERE deleted_at IS NULL;
