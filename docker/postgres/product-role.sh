#!/bin/sh
# Gives the programs a role of their own that is no superuser. The image runs it on an empty volume; on one of version 0.1 run
#   docker compose -f docker/compose.yaml exec postgres sh /docker-entrypoint-initdb.d/product-role.sh
set -eu
psql -v ON_ERROR_STOP=1 -v password="$POSTGRES_PASSWORD" -U "$POSTGRES_USER" -d "$POSTGRES_DB" <<'SQL'
BEGIN;
SELECT set_config('tieline.password', :'password', true);
\i /product-role.sql
COMMIT;
SQL
