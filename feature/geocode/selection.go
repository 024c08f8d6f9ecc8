package geocode

import (
	"cmp"
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/waygate/waygate/store"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Bounds of what is kept of selections.
const (
	mostPending = 10_000 // different ones in memory, between two flushes
	mostRows    = 50_000 // of a day in the table
	keptDays    = 30
)

// Selections counts which suggestions were picked: by day, place and position, in
// memory until Flush. Of keys that want it, it remembers the last of their own. Its methods are safe for concurrent use.
type Selections struct {
	db  *store.DB
	now func() time.Time

	mu      sync.Mutex
	pending map[selection]picks

	recent recents
}

type selection struct {
	day, id  string
	position int
}

func (s selection) compare(with selection) int {
	return cmp.Or(cmp.Compare(s.day, with.day), cmp.Compare(s.id, with.id), cmp.Compare(s.position, with.position))
}

type picks struct{ n, characters int64 }

// NewSelections brings its table to the newest version; now is nil for the clock.
func NewSelections(ctx context.Context, db *store.DB, now func() time.Time, log *slog.Logger) (*Selections, error) {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return nil, err
	}
	if err := db.Migrate(ctx, "geocode", files, log); err != nil {
		return nil, err
	}
	if now == nil {
		now = time.Now
	}
	s := &Selections{db: db, now: now, pending: map[selection]picks{}, recent: recents{keys: map[string]*recent{}}}
	return s, s.readRecentKeys(ctx)
}

// Add counts that a place was picked. position is its row among the suggestions
// from 1, or 0 where that is unknown; characters is how many had been typed.
func (s *Selections) Add(id string, position, characters int) {
	s.add(selection{s.now().UTC().Format(time.DateOnly), id, position}, picks{1, int64(characters)})
}

func (s *Selections) add(of selection, more picks) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, known := s.pending[of]; !known && len(s.pending) >= mostPending {
		of.id = ""
	}
	p := s.pending[of]
	s.pending[of] = picks{p.n + more.n, p.characters + more.characters}
}

// Flush writes what was counted, and forgets days that are over for long. What
// could not be written is kept for the next time. It also writes and reads what keys have
// remembered.
func (s *Selections) Flush(ctx context.Context) error {
	return errors.Join(s.flushCounts(ctx), store.Unavailable(s.flushRecent(ctx)))
}

func (s *Selections) flushCounts(ctx context.Context) error {
	s.mu.Lock()
	pending := s.pending
	s.pending = map[selection]picks{}
	s.mu.Unlock()
	if len(pending) == 0 {
		return nil
	}
	err := s.db.Tx(ctx, func(tx *store.Tx) error { return write(ctx, tx, pending) })
	if err != nil {
		for of, p := range pending {
			s.add(of, p)
		}
		return store.Unavailable(err)
	}
	over := s.now().UTC().AddDate(0, 0, -keptDays).Format(time.DateOnly)
	_, err = s.db.Exec(ctx, "DELETE FROM geocode_selections WHERE day < $1", over)
	return store.Unavailable(err)
}

// write puts rows in one order: replicas that write at the same time wait for one another
// and never for each other, which a database ends by giving one of them up.
func write(ctx context.Context, tx *store.Tx, pending map[selection]picks) error {
	full, rows := map[string]bool{}, map[selection]picks{}
	for of, p := range pending {
		if _, known := full[of.day]; !known {
			var n int
			if err := tx.QueryRow(ctx, "SELECT COUNT(*) FROM geocode_selections WHERE day = $1", of.day).Scan(&n); err != nil {
				return fmt.Errorf("count a day's selections: %w", err)
			}
			full[of.day] = n >= mostRows
		}
		if full[of.day] {
			of.id = ""
		}
		rows[of] = picks{rows[of].n + p.n, rows[of].characters + p.characters}
	}
	for _, of := range slices.SortedFunc(maps.Keys(rows), selection.compare) {
		_, err := tx.Exec(ctx, `INSERT INTO geocode_selections (day, place_id, position, n, characters) VALUES ($1, $2, $3, $4, $5)
			ON CONFLICT (day, place_id, position) DO UPDATE SET n = geocode_selections.n + excluded.n, characters = geocode_selections.characters + excluded.characters`,
			of.day, of.id, of.position, rows[of].n, rows[of].characters)
		if err != nil {
			return fmt.Errorf("write selections: %w", err)
		}
	}
	return nil
}
