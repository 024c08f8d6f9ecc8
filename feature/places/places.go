// Package places keeps the places that callers upload, one set for each key, and
// searches them.
package places

import (
	"bytes"
	"context"
	"crypto/rand"
	"database/sql"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/store"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Service keeps sets in a table of its own, and those that are searched in
// memory. Its methods are safe for concurrent use, also by several replicas on
// one database: each sees what another has changed within Fresh.
type Service struct {
	db    *store.DB
	now   func() time.Time
	cache *cache
}

// New makes a Service and brings its table to the newest version; now is nil for
// the clock.
func New(ctx context.Context, db *store.DB, now func() time.Time, log *slog.Logger) (*Service, error) {
	if err := db.MigrateFolder(ctx, "places", migrations, log); err != nil {
		return nil, err
	}
	if now == nil {
		now = time.Now
	}
	return &Service{db, now, newCache(cacheBytes)}, nil
}

// Meta describes a set.
type Meta struct {
	Count     int       `json:"count"`
	UpdatedAt time.Time `json:"updated_at"`
}

// Put replaces the set of a key at once. The places were checked; their ids
// differ.
func (s *Service) Put(ctx context.Context, key string, list []Place) (*Meta, error) {
	text, err := encode(ctx, list)
	if err != nil {
		return nil, err
	}
	m := &Meta{len(list), s.now().UTC().Truncate(time.Millisecond)}
	_, err = s.db.Exec(ctx, `INSERT INTO place_sets (key_id, version, updated_at, n, places) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (key_id) DO UPDATE SET version = excluded.version, updated_at = excluded.updated_at, n = excluded.n, places = excluded.places`,
		key, rand.Text(), m.UpdatedAt.UnixMilli(), m.Count, string(text))
	s.cache.drop(key)
	if err != nil {
		return nil, store.Unavailable(err)
	}
	return m, nil
}

// mostRoom is more than a place takes in nearly every set.
const mostRoom = 8 << 10

// encode writes places as JSON. It looks at the context every few places.
func encode(ctx context.Context, list []Place) (text []byte, err error) {
	text = append(text, '[')
	for i := range list {
		if i%readEvery == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if i > 0 {
			text = append(text, ',')
		}
		if cap(text)-len(text) < mostRoom { // append would grow a long text by a quarter, again and again
			text = slices.Grow(text, len(text)+mostRoom)
		}
		if text, err = list[i].appendJSON(text); err != nil {
			return nil, fmt.Errorf("place %d as JSON: %w", i, err)
		}
	}
	return append(text, ']'), nil
}

// Get returns the set of a key as a list of JSON, as the database has it. The caller must not
// change it.
func (s *Service) Get(ctx context.Context, key string) (*Meta, []byte, error) {
	// To read a long text from the database costs more than to send it.
	held, drops := s.cache.any(key)
	if held != nil {
		if version, err := s.versionOf(ctx, key); err == nil && version == held.version {
			return &held.meta, held.text, nil
		}
	}
	version, m, text, err := s.read(ctx, key)
	if err != nil {
		return nil, nil, store.Unavailable(err)
	}
	s.cache.add(&set{key: key, version: version, meta: *m, text: text, bytes: int64(len(text)) + 1024}, drops)
	return m, text, nil
}

// Delete forgets the set of a key. There need be none.
func (s *Service) Delete(ctx context.Context, key string) error {
	_, err := s.db.Exec(ctx, "DELETE FROM place_sets WHERE key_id = $1", key)
	s.cache.drop(key)
	return store.Unavailable(err)
}

// Tidy forgets the sets of keys that ended reports to be at an end. Any replica may
// call it, about hourly.
func (s *Service) Tidy(ctx context.Context, ended func(ctx context.Context, keys []string) ([]string, error)) error {
	keys, err := s.db.Texts(ctx, "SELECT key_id FROM place_sets")
	if err != nil || len(keys) == 0 {
		return store.Unavailable(err)
	}
	over, err := ended(ctx, keys)
	for _, key := range over {
		err = errors.Join(err, s.Delete(ctx, key))
	}
	return err
}

// none is the failure of a key without a set.
func none() error {
	return fault.New(fault.NotFound, "this key has no places yet: upload some with PUT /places")
}

// read returns a set as the database has it.
func (s *Service) read(ctx context.Context, key string) (version string, m *Meta, text []byte, err error) {
	var at int64
	m = &Meta{}
	err = s.db.QueryRow(ctx, "SELECT version, updated_at, n, places FROM place_sets WHERE key_id = $1", key).Scan(&version, &at, &m.Count, &text)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil, nil, none()
	}
	m.UpdatedAt = time.UnixMilli(at).UTC()
	return version, m, text, err
}

// versionOf returns the version of a key's set.
func (s *Service) versionOf(ctx context.Context, key string) (version string, err error) {
	err = s.db.QueryRow(ctx, "SELECT version FROM place_sets WHERE key_id = $1", key).Scan(&version)
	if errors.Is(err, sql.ErrNoRows) {
		return "", none()
	}
	return version, err
}

// decode reads a list that Put has written, and gives each place's part of text beside it.
// It looks at the context every few places.
func decode(ctx context.Context, text []byte) (list []Place, parts []json.RawMessage, err error) {
	d := json.NewDecoder(bytes.NewReader(text))
	if _, err := d.Token(); err != nil {
		return nil, nil, fmt.Errorf("the places in the database: %w", err)
	}
	for d.More() {
		if len(parts)%readEvery == 0 && ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		var p Place
		begin := d.InputOffset()
		if err := d.Decode(&p); err != nil {
			return nil, nil, fmt.Errorf("place %d in the database: %w", len(parts), err)
		}
		part := bytes.TrimLeft(text[begin:d.InputOffset()], ", \t\r\n")
		list, parts = append(list, p), append(parts, part)
	}
	return list, parts, nil
}

// readEvery is after how many places their reader looks at the context: a place may have
// kilobytes of text.
const readEvery = 16
