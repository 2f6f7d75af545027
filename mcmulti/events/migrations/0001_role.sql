-- The role every pooled connection takes. Roles belong to the whole cluster, so another database of it
-- may have made this one already, or be making it at this moment.
DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'mcmulti_server') THEN
        CREATE ROLE mcmulti_server NOLOGIN;
        GRANT mcmulti_server TO CURRENT_USER;
    END IF;
EXCEPTION
    WHEN duplicate_object OR unique_violation THEN NULL;
END
$$;

DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'mcmulti_server' AND pg_has_role(oid, 'MEMBER')) THEN
        GRANT mcmulti_server TO CURRENT_USER;
    END IF;
END
$$;
