// Package watch watches routes: it queues a signed webhook when a route is closed or opened
// again, or its time changes by more than a threshold.
package watch

import (
	"context"
	"crypto/rand"
	"database/sql"
	"embed"
	"encoding/json"
	"errors"
	"log/slog"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/store"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Bounds of watches.
const (
	MaxPerKey        = 20
	MaxAll           = 2000 // in force at once
	MaxNotifications = 20   // webhooks of one watch, after which it ends
	MaxDuration      = 24 * time.Hour
	MaxPoints        = 20_000
)

// Options configure the watches. All are required but Now.
type Options struct {
	DB *store.DB
	// Hook checks the address of a key's webhook; at is the name of the member in refusals.
	Hook func(ctx context.Context, keyID, at, address string) error
	// Tell queues a signed webhook in a transaction.
	Tell func(ctx context.Context, tx *store.Tx, keyID string, e Event) error
	Now  func() time.Time // nil is time.Now
	Log  *slog.Logger
}

// Event is one webhook.
type Event struct {
	URL, Type string
	Data      any
}

// Service keeps watches in a table of its own. Its methods are safe for
// concurrent use, also by several replicas on one database.
type Service struct{ o Options }

// New makes a Service and brings its table to the newest version.
func New(ctx context.Context, o Options) (*Service, error) {
	if err := o.DB.MigrateFolder(ctx, "watches", migrations, o.Log); err != nil {
		return nil, err
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Service{o}, nil
}

// Watch is one route that is watched.
type Watch struct {
	ID            string
	Key           string
	WebhookURL    string
	Line          []geo.Point
	Costing       costing.Costing
	Options       costing.Settings
	Threshold     float64 // seconds by which its time must change
	Duration      float64 // seconds, as the last webhook had them
	Closed        bool    // as the last webhook had it
	Notifications int     // webhooks that were queued
	Created       time.Time
	Expires       time.Time
}

// Create stores a watch and sets its ID and Created. It fails where the key has MaxPerKey
// watches in force, or there are MaxAll in all.
func (s *Service) Create(ctx context.Context, w *Watch) error {
	if err := s.o.Hook(ctx, w.Key, "webhook_url", w.WebhookURL); err != nil {
		return err
	}
	options, err := json.Marshal(w.Options.Raw())
	if err != nil {
		return err
	}
	now := s.o.Now()
	w.ID, w.Created = "watch_"+rand.Text(), now
	err = s.o.DB.Tx(ctx, func(tx *store.Tx) error {
		if err := tx.Serialise(ctx, "watches"); err != nil {
			return err
		}
		var own, all int
		if err := tx.QueryRow(ctx, "SELECT COUNT(*), COALESCE(SUM(CASE WHEN key_id = $2 THEN 1 ELSE 0 END), 0) FROM watches WHERE expires_at > $1", now.UnixMilli(), w.Key).Scan(&all, &own); err != nil {
			return err
		}
		switch {
		case own >= MaxPerKey:
			return fault.New(fault.WatchesTooMany, "the key has %d watches in force, the limit is %d: delete one, or wait until one ends", own, MaxPerKey).With("limit", MaxPerKey)
		case all >= MaxAll:
			return fault.New(fault.UpstreamUnavailable, "as many watches are in force as are taken here (%d); try again later", MaxAll).With("retry_after", 300)
		}
		_, err := tx.Exec(ctx, `INSERT INTO watches (id, key_id, webhook_url, line, costing, options, threshold_s, duration_s, closed, created_at, expires_at)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`, w.ID, w.Key, w.WebhookURL, geo.EncodePolyline(w.Line, 6), w.Costing.String(), string(options), w.Threshold, w.Duration, flag(w.Closed), now.UnixMilli(), w.Expires.UnixMilli())
		return err
	})
	return store.Unavailable(err)
}

func flag(set bool) int64 {
	if set {
		return 1
	}
	return 0
}

const columns = "SELECT id, key_id, webhook_url, line, costing, options, threshold_s, duration_s, closed, told, created_at, expires_at FROM watches "

// Get returns a watch of a key that has not ended.
func (s *Service) Get(ctx context.Context, key, id string) (*Watch, error) {
	w, err := scan(s.o.DB.QueryRow(ctx, columns+"WHERE id = $1 AND key_id = $2 AND expires_at > $3", id, key, s.o.Now().UnixMilli()))
	if errors.Is(err, sql.ErrNoRows) {
		return nil, unknown(id)
	}
	return w, store.Unavailable(err)
}

func unknown(id string) error {
	return fault.New(fault.NotFound, "no watch %s of this key is in force; it may have ended", fault.Clip(id))
}

// List returns the watches of a key that have not ended, the newest first.
func (s *Service) List(ctx context.Context, key string) ([]*Watch, error) {
	list, err := s.all(ctx, columns+"WHERE key_id = $1 AND expires_at > $2 ORDER BY created_at DESC, id", key, s.o.Now().UnixMilli())
	return list, store.Unavailable(err)
}

// Delete ends a watch of a key; it fails for one that has ended already.
func (s *Service) Delete(ctx context.Context, key, id string) error {
	n, err := s.o.DB.Exec(ctx, "DELETE FROM watches WHERE id = $1 AND key_id = $2 AND expires_at > $3", id, key, s.o.Now().UnixMilli())
	if err == nil && n == 0 {
		return unknown(id)
	}
	return store.Unavailable(err)
}

func (s *Service) all(ctx context.Context, query string, args ...any) (list []*Watch, err error) {
	rows, err := s.o.DB.Query(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		w, err := scan(rows)
		if err != nil {
			return nil, err
		}
		list = append(list, w)
	}
	return list, rows.Err()
}

func scan(row interface{ Scan(...any) error }) (*Watch, error) {
	w := &Watch{}
	var line, kind, options string
	var closed, created, expires int64
	if err := row.Scan(&w.ID, &w.Key, &w.WebhookURL, &line, &kind, &options, &w.Threshold, &w.Duration, &closed, &w.Notifications, &created, &expires); err != nil {
		return nil, err
	}
	var err error
	if w.Line, err = geo.DecodePolyline(line, 6); err != nil {
		return nil, err
	}
	raw := map[string]json.RawMessage{}
	if err := json.Unmarshal([]byte(options), &raw); err != nil {
		return nil, err
	}
	w.Costing = costing.Named(kind)
	w.Options, _, _ = costing.Parse(w.Costing, raw, "") // they were checked when the watch was created
	w.Closed, w.Created, w.Expires = closed != 0, time.UnixMilli(created).UTC(), time.UnixMilli(expires).UTC()
	return w, nil
}
