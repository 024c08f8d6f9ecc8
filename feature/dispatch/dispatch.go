// Package dispatch keeps plans that drivers follow: rounds of stops, links that open one round
// or the arrival at one stop, and what drivers have reported.
package dispatch

import (
	"context"
	"crypto/rand"
	"database/sql"
	"embed"
	"encoding/json"
	"errors"
	"log/slog"
	"time"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/store"
	"github.com/waygate/waygate/wire/native/plan"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Bounds of what is kept.
const (
	MaxPerKey = 50     // plans of one key
	MaxAll    = 20_000 // plans in all
	// Ahead and Behind are how far the day of a plan may lie from now.
	Ahead  = 60 * 24 * time.Hour
	Behind = 24 * time.Hour
)

const day = 24 * time.Hour

// Service keeps plans in tables of its own. Its methods are safe for concurrent use, also by
// several replicas on one database.
type Service struct {
	db    *store.DB
	ended Ended
	now   func() time.Time
}

// Ended returns those of some keys, by id, that are revoked, expired or unknown. Their plans and
// links are at an end at once, and Tidy deletes them.
type Ended func(ctx context.Context, keys []string) ([]string, error)

// New makes a Service and brings its tables to the newest version; now is nil for the clock.
func New(ctx context.Context, db *store.DB, ended Ended, now func() time.Time, log *slog.Logger) (*Service, error) {
	if err := db.MigrateFolder(ctx, "dispatch", migrations, log); err != nil {
		return nil, err
	}
	if now == nil {
		now = time.Now
	}
	return &Service{db, ended, now}, nil
}

// Publish stores a plan of a key and makes its links. It fails where the key has MaxPerKey plans,
// or there are MaxAll, or the day is too far off.
func (s *Service) Publish(ctx context.Context, key string, r *plan.PublishRequest) (*Published, error) {
	h, err := s.headOf(r)
	if err != nil {
		return nil, err
	}
	h.id, h.created = "plan_"+rand.Text(), h.updated
	var made []NewLink
	err = s.db.Tx(ctx, func(tx *store.Tx) error {
		if err := tx.Serialise(ctx, "plans"); err != nil {
			return err
		}
		var own, all int
		if err := tx.QueryRow(ctx, "SELECT COUNT(*), COALESCE(SUM(CASE WHEN key_id = $1 THEN 1 ELSE 0 END), 0) FROM plans", key).Scan(&all, &own); err != nil {
			return err
		}
		switch {
		case own >= MaxPerKey:
			return fault.New(fault.PlansTooMany, "the key has %d published plans, the limit is %d: delete one, or wait until one is at its end", own, MaxPerKey).With("limit", MaxPerKey)
		case all >= MaxAll:
			return fault.New(fault.UpstreamUnavailable, "as many plans are published as are taken here (%d); try again later", MaxAll).With("retry_after", 3600)
		}
		_, err := tx.Exec(ctx, "INSERT INTO plans (id, key_id, name, begins_at, offset_s, stops, created_at, updated_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
			h.id, key, h.name, h.begins.UnixMilli(), h.offset(), h.stops, h.created.UnixMilli(), h.updated.UnixMilli(), h.expires.UnixMilli())
		if err != nil {
			return err
		}
		made, err = write(ctx, tx, h.id, r.Rounds)
		return err
	})
	if err != nil {
		return nil, store.Unavailable(err)
	}
	return s.withLinks(ctx, key, h.id, made)
}

// Replace puts other rounds in place of those of a plan. Links of vehicles and stops that remain
// stay in force, with what was reported of them; new ones get links, and the rest is deleted.
func (s *Service) Replace(ctx context.Context, key, id string, r *plan.PublishRequest) (*Published, error) {
	h, err := s.headOf(r)
	if err != nil {
		return nil, err
	}
	var made []NewLink
	err = s.db.Tx(ctx, func(tx *store.Tx) error {
		n, err := tx.Exec(ctx, "UPDATE plans SET name = $3, begins_at = $4, offset_s = $5, stops = $6, updated_at = $7, expires_at = $8 WHERE id = $1 AND key_id = $2 AND expires_at > $7",
			id, key, h.name, h.begins.UnixMilli(), h.offset(), h.stops, h.updated.UnixMilli(), h.expires.UnixMilli())
		if err != nil {
			return err
		}
		if n == 0 {
			return unknown(id)
		}
		made, err = write(ctx, tx, id, r.Rounds)
		return err
	})
	if err != nil {
		return nil, store.Unavailable(err)
	}
	return s.withLinks(ctx, key, id, made)
}

// withLinks returns a plan as it is now, with the links that were made for it.
func (s *Service) withLinks(ctx context.Context, key, id string, made []NewLink) (*Published, error) {
	f, err := s.Get(ctx, key, id)
	if err != nil {
		return nil, err
	}
	return &Published{*f, made}, nil
}

// Delete deletes a plan of a key with all that belongs to it.
func (s *Service) Delete(ctx context.Context, key, id string) error {
	n, err := s.db.Exec(ctx, "DELETE FROM plans WHERE id = $1 AND key_id = $2 AND expires_at > $3", id, key, s.now().UnixMilli())
	if err == nil && n == 0 {
		return unknown(id)
	}
	if err == nil {
		// Where this fails Tidy does it.
		_ = s.db.Forget(ctx)
	}
	return store.Unavailable(err)
}

// Tidy deletes plans at their end, and those of ended keys. Any replica may call it, about hourly.
func (s *Service) Tidy(ctx context.Context) error {
	return errors.Join(s.tidy(ctx), store.Unavailable(s.db.Forget(ctx)))
}

func (s *Service) tidy(ctx context.Context) error {
	if _, err := s.db.Exec(ctx, "DELETE FROM plans WHERE expires_at <= $1", s.now().UnixMilli()); err != nil {
		return store.Unavailable(err)
	}
	keys, err := s.db.Texts(ctx, "SELECT DISTINCT key_id FROM plans")
	if err != nil || len(keys) == 0 {
		return store.Unavailable(err)
	}
	over, err := s.ended(ctx, keys)
	for _, key := range over {
		_, failed := s.db.Exec(ctx, "DELETE FROM plans WHERE key_id = $1", key)
		err = errors.Join(err, store.Unavailable(failed))
	}
	return err
}

// hold returns unknown where a key has no plan of this id. Otherwise other transactions that change
// the plan or its links, or report stops, wait for this one to end. key is "" for a plan of any key.
func (s *Service) hold(ctx context.Context, tx *store.Tx, key, id string) error {
	n, err := tx.Exec(ctx, "UPDATE plans SET updated_at = updated_at WHERE id = $1 AND ($2 = '' OR key_id = $2) AND expires_at > $3", id, key, s.now().UnixMilli())
	if err == nil && n == 0 {
		return unknown(id)
	}
	return err
}

func unknown(id string) error {
	return fault.New(fault.NotFound, "this key has no published plan %s; it may be at its end", fault.Clip(id))
}

// head is a plan without its rounds.
type head struct {
	id, name                          string
	key                               string // whose it is, of one that a link opens
	begins, created, updated, expires time.Time
	stops                             int
}

// offset returns the seconds of the plan's clocks from UTC.
func (h *head) offset() int {
	_, offset := h.begins.Zone()
	return offset
}

// at returns an instant as the plan's clocks show it.
func (h *head) at(t time.Time) string { return t.In(h.begins.Location()).Format(time.RFC3339) }

func (s *Service) headOf(r *plan.PublishRequest) (*head, error) {
	now := s.now()
	if r.Begins.IsZero() {
		r.Begins = now.UTC().Truncate(day)
	}
	if r.Begins.Before(now.Add(-Behind-day)) || r.Begins.After(now.Add(Ahead)) {
		return nil, fault.Invalid(fault.Violation{Location: "begins_at", Value: r.Begins.Format(time.RFC3339), Message: "must be the beginning of a day from yesterday to 60 days from now"})
	}
	h := &head{name: r.Name, begins: r.Begins, updated: now, expires: r.Begins.Add(time.Duration(1+r.KeepDays) * day)}
	if !h.expires.After(now) {
		h.expires = now.Add(time.Duration(r.KeepDays) * day)
	}
	for i := range r.Rounds {
		h.stops += len(r.Rounds[i].Stops)
	}
	return h, nil
}

const headColumns = "SELECT p.id, p.name, p.begins_at, p.offset_s, p.stops, p.created_at, p.updated_at, p.expires_at"

// scan reads a row that begins with headColumns, and more after them.
func scan(row interface{ Scan(...any) error }, more ...any) (*head, error) {
	h := &head{}
	var begins, created, updated, expires int64
	var offset int
	err := row.Scan(append([]any{&h.id, &h.name, &begins, &offset, &h.stops, &created, &updated, &expires}, more...)...)
	if err != nil {
		return nil, err
	}
	h.begins = time.UnixMilli(begins).In(time.FixedZone("", offset))
	h.created, h.updated, h.expires = time.UnixMilli(created), time.UnixMilli(updated), time.UnixMilli(expires)
	return h, nil
}

// one reads the plan of a query, or returns missing where there is none.
func (s *Service) one(ctx context.Context, missing error, query string, args ...any) (*head, error) {
	h, err := scan(s.db.QueryRow(ctx, query, args...))
	if errors.Is(err, sql.ErrNoRows) {
		return nil, missing
	}
	return h, store.Unavailable(err)
}

// rounds reads the rounds of a plan: all, or that of a vehicle.
func rounds(ctx context.Context, db store.Querier, id, vehicle string) (list []plan.PublishedRound, err error) {
	texts, err := store.Texts(ctx, db, "SELECT round FROM plan_rounds WHERE plan_id = $1 AND ($2 = '' OR vehicle = $2) ORDER BY n", id, vehicle)
	if err != nil {
		return nil, store.Unavailable(err)
	}
	for _, text := range texts {
		var r plan.PublishedRound
		if err := json.Unmarshal([]byte(text), &r); err != nil {
			return nil, err
		}
		list = append(list, r)
	}
	return list, ctx.Err()
}
