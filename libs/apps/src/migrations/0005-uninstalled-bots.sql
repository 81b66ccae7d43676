-- The bot of an uninstalled app belongs to no installation.
-- works with: apps/0004-registered-clients
UPDATE bots b SET installation_id = NULL
FROM app_installations i
WHERE i.id = b.installation_id AND i.deleted_at IS NOT NULL;
