#!/bin/sh
# Which of the programs this container is. `exec`: signals must reach Node itself, it drains on SIGTERM.
set -eu
case "${1:-api}" in
  api) exec node apps/api/dist/main.js ;;
  worker) exec node apps/worker/dist/main.js ;;
  reencrypt) exec node apps/api/dist/reencrypt.js ;;
  export) shift; exec node apps/api/dist/export.js "$@" ;;
  import) shift; exec node apps/api/dist/import.js "$@" ;;
  migrate) exec node apps/api/dist/migrate.js ;;
  *) exec "$@" ;;
esac
