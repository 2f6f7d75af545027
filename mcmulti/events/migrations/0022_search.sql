-- Players are found by words that words of their names begin with, as names are compared. A word may be of any length, and
-- what is searched of a name is not.
CREATE INDEX player_by_words ON player
    USING gin (array_to_tsvector(array_remove(string_to_array(left(name_key, 200), ' '), '')));

-- Null for who was named before: found once a game file names them again.
ALTER TABLE visitor ADD COLUMN name_key text;

CREATE INDEX visitor_by_words ON visitor
    USING gin (array_to_tsvector(array_remove(string_to_array(left(name_key, 200), ' '), '')));
