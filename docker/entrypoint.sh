#!/bin/sh
# Starts the program of this container. `exec`, because signals must reach Node: it drains on SIGTERM.
set -eu
# Loaded only if traces are configured: docs/monitor.md#traces.
traced=
if [ -n "${OTEL_EXPORTER_OTLP_ENDPOINT:-}${OTEL_EXPORTER_OTLP_TRACES_ENDPOINT:-}" ]; then traced='--import ./docker/tracing.mjs'; fi
flags=$(cat docker/node-flags)
case "${1:-api}" in
  api) exec node $flags $traced apps/api/dist/main.js ;;
  worker) exec node $flags $traced apps/worker/dist/main.js ;;
  rebuild-search) exec node apps/api/dist/rebuild-search.js ;;
  reencrypt) exec node apps/api/dist/reencrypt.js ;;
  export) shift; exec node apps/api/dist/export.js "$@" ;;
  import) shift; exec node apps/api/dist/import.js "$@" ;;
  migrate) exec node apps/api/dist/migrate.js ;;
  *) exec "$@" ;;
esac
