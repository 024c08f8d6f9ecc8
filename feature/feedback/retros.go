package feedback

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/google/uuid"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/store"
)

// A key may submit RetrosPerWindow retros in any stretch of RetroWindow.
const (
	RetrosPerWindow = 5
	RetroWindow     = 24 * time.Hour
)

// Retro reports the experience of an integration's author.
type Retro struct {
	ID         string
	KeyID      string
	At         time.Time
	WhatBuilt  string
	Problems   []Problem
	Gotchas    []string
	Wins       []string
	DocsGaps   []string
	AgentName  string
	SDKVersion string
}

// Problem is one of a Retro's.
type Problem struct {
	Area            string `json:"area"`
	Description     string `json:"description"`
	WorkaroundFound bool   `json:"workaround_found"`
}

// Submit keeps a retro and gives its id. ID and At of the retro are set here.
// It refuses bad-request, and feedback-velocity above RetrosPerWindow of a key
// in RetroWindow.
func (s *Service) Submit(ctx context.Context, r Retro) (id string, err error) {
	if err := r.check(); err != nil {
		return "", err
	}
	lists, err := r.lists()
	if err != nil {
		return "", err
	}
	now := s.now().UTC()
	over := now.Add(-RetroWindow).UnixMilli()
	if _, err := s.db.Exec(ctx, "DELETE FROM retro_turns WHERE t1 <= $1", over); err != nil {
		return "", store.Unavailable(err)
	}
	r.ID = uuid.NewString()
	err = s.db.Tx(ctx, func(tx *store.Tx) error {
		taken, err := tx.Exec(ctx, `INSERT INTO retro_turns (key_id, t1) VALUES ($1, $2)
			ON CONFLICT (key_id) DO UPDATE SET t1 = excluded.t1, t2 = retro_turns.t1, t3 = retro_turns.t2, t4 = retro_turns.t3, t5 = retro_turns.t4
			WHERE retro_turns.t5 <= $3`, r.KeyID, now.UnixMilli(), over)
		if err != nil {
			return err
		}
		if taken == 0 {
			return tooMany(ctx, tx, r.KeyID, now)
		}
		_, err = tx.Exec(ctx, `INSERT INTO retros (id, key_id, at, what_built, problems, gotchas, wins, docs_gaps, agent_name, sdk_version)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
			r.ID, r.KeyID, now.UnixMilli(), r.WhatBuilt, lists[0], lists[1], lists[2], lists[3], r.AgentName, r.SDKVersion)
		return err
	})
	if err != nil {
		return "", store.Unavailable(err)
	}
	return r.ID, nil
}

// tooMany is the refusal of a key whose turns are all taken.
func tooMany(ctx context.Context, tx *store.Tx, keyID string, now time.Time) error {
	var oldest int64
	if err := tx.QueryRow(ctx, "SELECT t5 FROM retro_turns WHERE key_id = $1", keyID).Scan(&oldest); err != nil {
		return err
	}
	wait := seconds(time.UnixMilli(oldest).Add(RetroWindow).Sub(now))
	return fault.New(fault.FeedbackVelocity, "this key submitted %d retros in the last 24 hours, which is the most that is taken; try again in %d seconds", RetrosPerWindow, wait).
		With("limit", RetrosPerWindow).With("retry_after", wait)
}

// lists gives problems, gotchas, wins and gaps as JSON.
func (r *Retro) lists() (texts [4]string, err error) {
	// Appended to nothing, what is missing becomes an empty list instead of null.
	for i, list := range []any{append([]Problem{}, r.Problems...), append([]string{}, r.Gotchas...), append([]string{}, r.Wins...), append([]string{}, r.DocsGaps...)} {
		text, err := json.Marshal(list)
		if err != nil {
			return texts, err
		}
		texts[i] = string(text)
	}
	return texts, nil
}

// Retros gives retros, newest first, and how many there are. limit is 1 to
// MostListed.
func (s *Service) Retros(ctx context.Context, limit, offset int) (retros []Retro, total int64, err error) {
	if err := page(limit, offset); err != nil {
		return nil, 0, err
	}
	if err := s.db.QueryRow(ctx, "SELECT COUNT(*) FROM retros").Scan(&total); err != nil {
		return nil, 0, store.Unavailable(err)
	}
	rows, err := s.db.Query(ctx, `SELECT id, key_id, at, what_built, problems, gotchas, wins, docs_gaps, agent_name, sdk_version
		FROM retros ORDER BY at DESC, id DESC LIMIT $1 OFFSET $2`, limit, offset)
	if err != nil {
		return nil, 0, store.Unavailable(err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var r Retro
		var at int64
		var lists [4][]byte
		if err := rows.Scan(&r.ID, &r.KeyID, &at, &r.WhatBuilt, &lists[0], &lists[1], &lists[2], &lists[3], &r.AgentName, &r.SDKVersion); err != nil {
			return nil, 0, store.Unavailable(err)
		}
		r.At = time.UnixMilli(at).UTC()
		err := errors.Join(json.Unmarshal(lists[0], &r.Problems), json.Unmarshal(lists[1], &r.Gotchas),
			json.Unmarshal(lists[2], &r.Wins), json.Unmarshal(lists[3], &r.DocsGaps))
		if err != nil {
			return nil, 0, err
		}
		retros = append(retros, r)
	}
	return retros, total, store.Unavailable(rows.Err())
}
