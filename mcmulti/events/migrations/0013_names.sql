-- Names stand beside the log. Who is erased keeps its id, so that games stay whole, and has no name any more.
ALTER TABLE player ALTER COLUMN name DROP NOT NULL;
ALTER TABLE player ALTER COLUMN name_key DROP NOT NULL;

-- What those are called, as game files say, who sat at games that were played elsewhere and never registered here.
CREATE TABLE visitor (
    id uuid PRIMARY KEY,
    name text NOT NULL
);
