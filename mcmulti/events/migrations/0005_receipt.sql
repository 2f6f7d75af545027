-- A receipt names the events that its request led to, from which the answer can be told again: the answer itself took
-- more room than they do.
ALTER TABLE receipt ADD COLUMN after_seq integer, ADD COLUMN seq integer;

UPDATE receipt SET
    seq = (convert_from(response, 'UTF8')::json ->> 'seq')::integer,
    after_seq = (convert_from(response, 'UTF8')::json ->> 'seq')::integer
        - json_array_length(convert_from(response, 'UTF8')::json -> 'events');

ALTER TABLE receipt
    ALTER COLUMN after_seq SET NOT NULL,
    ALTER COLUMN seq SET NOT NULL,
    ADD CHECK (after_seq BETWEEN 1 AND seq),
    DROP COLUMN status,
    DROP COLUMN response;
