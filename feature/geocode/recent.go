package geocode

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/store"
)

// Bounds of what keys have remembered.
const (
	MostRecent     = 50     // places of a key
	mostRecentKeys = 20_000 // that want them remembered
)

// recents are the places that were picked last by the keys that want that kept. Which keys do
// is in memory, so that others cost nothing.
type recents struct {
	mu   sync.Mutex
	keys map[string]*recent
}

// recent has the places that one key has picked.
type recent struct {
	updated int64    // of the row that places are of
	read    bool     // places are those of that row
	places  []string // the newest first
	picked  []string // not written yet, the oldest first
}

// Remember has the places that a key picks from now on kept.
func (s *Selections) Remember(ctx context.Context, key string) error {
	var n int
	if err := s.db.QueryRow(ctx, "SELECT COUNT(*) FROM geocode_recent").Scan(&n); err != nil {
		return store.Unavailable(err)
	}
	if n >= mostRecentKeys {
		return fault.New(fault.Forbidden, "%d keys have their picks remembered here, which is the most there is room for", mostRecentKeys)
	}
	at := s.now().UnixNano()
	if _, err := s.db.Exec(ctx, "INSERT INTO geocode_recent (key_id, updated_at, places) VALUES ($1, $2, '[]') ON CONFLICT (key_id) DO NOTHING", key, at); err != nil {
		return store.Unavailable(err)
	}
	s.recent.mu.Lock()
	defer s.recent.mu.Unlock()
	if s.recent.keys[key] == nil {
		s.recent.keys[key] = &recent{updated: at}
	}
	return nil
}

// Forget forgets what a key has remembered, and keeps nothing of it any more.
func (s *Selections) Forget(ctx context.Context, key string) error {
	s.recent.mu.Lock()
	delete(s.recent.keys, key)
	s.recent.mu.Unlock()
	_, err := s.db.Exec(ctx, "DELETE FROM geocode_recent WHERE key_id = $1", key)
	return store.Unavailable(err)
}

// Recent returns the ids of the places that a key picked last, the newest first; on is whether
// they are kept at all. What another replica changes is known within a minute.
func (s *Selections) Recent(ctx context.Context, key string) (places []string, on bool, err error) {
	s.recent.mu.Lock()
	r := s.recent.keys[key]
	if r == nil || r.read {
		if r != nil {
			places = slices.Clone(r.places)
		}
		s.recent.mu.Unlock()
		return places, r != nil, nil
	}
	s.recent.mu.Unlock()
	kept, updated, on, err := s.kept(ctx, s.db, key)
	if err != nil {
		return nil, false, store.Unavailable(err)
	}
	s.recent.mu.Lock()
	defer s.recent.mu.Unlock()
	if r = s.recent.keys[key]; r == nil || !on {
		return nil, on && r != nil, nil
	}
	r.updated, r.read, r.places = updated, true, foremost(kept, r.picked)
	return slices.Clone(r.places), true, nil
}

// querier is the database, or a transaction.
type querier interface {
	QueryRow(ctx context.Context, query string, args ...any) *sql.Row
}

// kept reads the row of a key; on is false where there is none.
func (s *Selections) kept(ctx context.Context, db querier, key string) (places []string, updated int64, on bool, err error) {
	var text string
	err = db.QueryRow(ctx, "SELECT updated_at, places FROM geocode_recent WHERE key_id = $1", key).Scan(&updated, &text)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, 0, false, nil
	}
	if err == nil {
		err = json.Unmarshal([]byte(text), &places)
	}
	return places, updated, err == nil, err
}

// foremost puts some places, the newest last, before others, each once and MostRecent at most.
func foremost(places, picked []string) []string {
	all := make([]string, 0, len(places)+len(picked))
	for i := range picked {
		all = append(all, picked[len(picked)-1-i])
	}
	all = append(all, places...)
	var out []string
	for _, id := range all {
		if !slices.Contains(out, id) && len(out) < MostRecent {
			out = append(out, id)
		}
	}
	return out
}

// Picked notes that a key picked a place, where it wants that kept.
func (s *Selections) Picked(key, id string) {
	s.recent.mu.Lock()
	defer s.recent.mu.Unlock()
	r := s.recent.keys[key]
	if r == nil {
		return
	}
	r.places = foremost(r.places, []string{id})
	if r.picked = append(r.picked, id); len(r.picked) > MostRecent {
		r.picked = r.picked[1:]
	}
}

// flushRecent writes what keys picked, and reads which keys want that kept.
func (s *Selections) flushRecent(ctx context.Context) error {
	s.recent.mu.Lock()
	pending := map[string][]string{}
	for key, r := range s.recent.keys {
		if len(r.picked) > 0 {
			pending[key] = r.picked
			r.picked = nil
		}
	}
	s.recent.mu.Unlock()
	var failed error
	for key, picked := range pending {
		if err := s.writeRecent(ctx, key, picked); err != nil {
			failed = errors.Join(failed, err)
			s.recent.mu.Lock()
			if r := s.recent.keys[key]; r != nil {
				r.picked = append(picked, r.picked...)
			}
			s.recent.mu.Unlock()
		}
	}
	return errors.Join(failed, s.readRecentKeys(ctx))
}

// writeRecent puts what a key picked before what its row has. A key that was forgotten in
// between has none.
func (s *Selections) writeRecent(ctx context.Context, key string, picked []string) error {
	return s.db.Tx(ctx, func(tx *store.Tx) error {
		places, _, on, err := s.kept(ctx, tx, key)
		if err != nil || !on {
			return err
		}
		text, err := json.Marshal(foremost(places, picked))
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, "UPDATE geocode_recent SET places = $1, updated_at = $2 WHERE key_id = $3", string(text), s.now().UnixNano(), key)
		return err
	})
}

// readRecentKeys reads which keys want their places kept, and which of these changed.
func (s *Selections) readRecentKeys(ctx context.Context) error {
	rows, err := s.db.Query(ctx, "SELECT key_id, updated_at FROM geocode_recent LIMIT $1", mostRecentKeys)
	if err != nil {
		return fmt.Errorf("read whose picks are kept: %w", err)
	}
	defer func() { _ = rows.Close() }()
	now := map[string]int64{}
	for rows.Next() {
		var key string
		var updated int64
		if err := rows.Scan(&key, &updated); err != nil {
			return fmt.Errorf("read whose picks are kept: %w", err)
		}
		now[key] = updated
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("read whose picks are kept: %w", err)
	}
	s.recent.mu.Lock()
	defer s.recent.mu.Unlock()
	for key := range s.recent.keys {
		if _, on := now[key]; !on {
			delete(s.recent.keys, key)
		}
	}
	for key, updated := range now {
		switch r := s.recent.keys[key]; {
		case r == nil:
			s.recent.keys[key] = &recent{updated: updated}
		case r.updated != updated:
			r.updated, r.read = updated, false
		}
	}
	return nil
}

// Tidy forgets the places of keys that ended reports as ended. Any replica may call it, about
// hourly.
func (s *Selections) Tidy(ctx context.Context, ended func(ctx context.Context, keys []string) ([]string, error)) error {
	keys, err := s.db.Texts(ctx, "SELECT key_id FROM geocode_recent")
	if err != nil || len(keys) == 0 {
		return store.Unavailable(err)
	}
	over, err := ended(ctx, keys)
	for _, key := range over {
		err = errors.Join(err, s.Forget(ctx, key))
	}
	return err
}
