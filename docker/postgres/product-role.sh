#!/bin/sh
# Creates the role of api and worker, which is not a superuser. The image runs it on an empty volume. On a volume of version
# 0.1, run
#   docker compose -f docker/compose.yaml exec postgres sh /docker-entrypoint-initdb.d/product-role.sh
set -eu
psql -v ON_ERROR_STOP=1 -v password="$POSTGRES_PASSWORD" -U "$POSTGRES_USER" -d "$POSTGRES_DB" <<'SQL'
BEGIN;
SELECT set_config('tieline.password', :'password', true);
\i /product-role.sql
COMMIT;
SQL
