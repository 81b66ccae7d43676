-- Since when a breaker is open (nothing while it is closed: then the value is left over), and whether the admins were told that it is for long.
ALTER TABLE delivery_targets ADD COLUMN opened_at timestamptz, ADD COLUMN long_open_told boolean NOT NULL DEFAULT false;
