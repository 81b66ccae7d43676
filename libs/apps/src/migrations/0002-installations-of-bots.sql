-- Bots name the installation that they belong to, in their rows and in what pushes are planned by.
-- works with: apps/0001-apps
UPDATE bots b SET installation_id = i.id
FROM app_installations i
WHERE i.space_id = b.space_id AND i.bot_id = b.id AND i.deleted_at IS NULL;

UPDATE bot_plans p SET config = p.config || jsonb_build_object('installationId', b.installation_id)
FROM bots b
WHERE b.space_id = p.space_id AND b.id = p.id AND b.installation_id IS NOT NULL;
