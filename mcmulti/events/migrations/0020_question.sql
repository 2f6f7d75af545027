-- The question that a game asks of a seat in another's turn, where standing instructions may answer: no sooner than at
-- `answer_at`, whoever does. It is `open` until somebody holds an answer to it, or nothing answered at that moment. It
-- is noted before the events that ask it, and what was noted in vain does no harm.
CREATE TABLE question (
    game_id uuid PRIMARY KEY REFERENCES game,
    answer_at timestamptz NOT NULL,
    open boolean NOT NULL DEFAULT true
);

CREATE INDEX question_open ON question (answer_at) WHERE open;
