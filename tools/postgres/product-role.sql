-- Creates the role that the programs connect as, `tieline_app`, which is no superuser, makes it the owner of everything in this
-- database, and takes the superuser's password away. Run by a superuser, in one transaction, with the role's password in the
-- setting tieline.password. Safe to repeat.
DO $$
DECLARE
  command text;
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'tieline_app') THEN
    EXECUTE format('CREATE ROLE tieline_app LOGIN PASSWORD %L', current_setting('tieline.password'));
  END IF;
  -- The age of the oldest transaction is a metric; other roles' sessions are hidden without it.
  GRANT pg_read_all_stats TO tieline_app;
  EXECUTE format('ALTER DATABASE %I OWNER TO tieline_app', current_database());
  FOR command IN
    WITH ours AS (SELECT oid FROM pg_namespace WHERE nspname NOT LIKE 'pg\_%' AND nspname <> 'information_schema')
    SELECT format('ALTER SCHEMA %I OWNER TO tieline_app', nspname) FROM pg_namespace
      WHERE oid IN (SELECT oid FROM ours) AND nspname <> 'public'
    UNION ALL
    SELECT format('ALTER TABLE %s OWNER TO tieline_app', oid::regclass) FROM pg_class
      WHERE relnamespace IN (SELECT oid FROM ours) AND relkind IN ('r', 'p', 'v', 'm')
    UNION ALL
    -- A sequence that belongs to a column follows its table.
    SELECT format('ALTER SEQUENCE %s OWNER TO tieline_app', c.oid::regclass) FROM pg_class c
      WHERE relnamespace IN (SELECT oid FROM ours) AND relkind = 'S' AND NOT EXISTS
        (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype IN ('a', 'i'))
    UNION ALL
    SELECT format('ALTER ROUTINE %s OWNER TO tieline_app', oid::regprocedure) FROM pg_proc
      WHERE pronamespace IN (SELECT oid FROM ours)
    UNION ALL
    SELECT format('ALTER TYPE %s OWNER TO tieline_app', oid::regtype) FROM pg_type
      WHERE typnamespace IN (SELECT oid FROM ours) AND typtype IN ('e', 'd')
  LOOP
    EXECUTE command;
  END LOOP;
  ALTER ROLE CURRENT_USER PASSWORD NULL;
END
$$;
