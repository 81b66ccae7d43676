-- The page of the app that starts its authorization. The directory opens it.
-- works with: apps/0005-uninstalled-bots
ALTER TABLE apps ADD COLUMN install_url text NOT NULL DEFAULT '';
