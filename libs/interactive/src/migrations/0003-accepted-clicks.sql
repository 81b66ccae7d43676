-- Whoever lost the answer to its COMMIT looks here whether its click was accepted.
-- works with: interactive/0002-interactions
ALTER TABLE component_clicks ADD COLUMN is_accepted boolean NOT NULL DEFAULT false;
