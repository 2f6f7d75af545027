-- One key signs after another. Of those that no longer do the seed is destroyed, and the public part is kept. The key before
-- and the new one sign that the one follows on the other, from `created_at` on; a revocation is signed by a later key.
ALTER TABLE signing_key DROP CONSTRAINT signing_key_number_check;
ALTER TABLE signing_key ALTER COLUMN seed DROP NOT NULL;
ALTER TABLE signing_key ADD COLUMN public bytea;
ALTER TABLE signing_key ADD COLUMN endorsed bytea;
ALTER TABLE signing_key ADD COLUMN accepted bytea;
ALTER TABLE signing_key ADD COLUMN revoked_since timestamptz;
ALTER TABLE signing_key ADD COLUMN revoked_by smallint;
ALTER TABLE signing_key ADD COLUMN revocation bytea;
ALTER TABLE signing_key ADD CONSTRAINT signing_key_part CHECK (seed IS NOT NULL OR public IS NOT NULL);
