-- +goose Up
-- How often a place was picked from suggestions on a day, by its row there: 0
-- where that was not told. What was typed is not kept, but for its length. The
-- empty id stands for all places beyond the most that a day keeps.
CREATE TABLE geocode_selections (
    day        TEXT NOT NULL,
    place_id   TEXT NOT NULL,
    position   BIGINT NOT NULL,
    n          BIGINT NOT NULL,
    characters BIGINT NOT NULL, -- typed before, of all n together
    PRIMARY KEY (day, place_id, position)
);

-- +goose Down
DROP TABLE geocode_selections;
