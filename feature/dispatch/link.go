package dispatch

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/store"
	"github.com/waygate/waygate/wire/native/plan"
)

// tokenBytes is what a token has of chance: 192 bits, in 32 letters.
const tokenBytes = 24

// NewLink is a link with its token, which is only in the answer that makes it.
type NewLink struct {
	ID      string       `json:"id" doc:"to revoke it by"`
	Vehicle plan.FleetID `json:"vehicle"`
	Stop    plan.FleetID `json:"stop,omitempty" doc:"whose arrival it shows; none of a driver's link"`
	Token   string       `json:"token" doc:"to be shown once: the address of the driver's page is /driver#TOKEN, that of an arrival /arrival#TOKEN"`

	hash   string
	former plan.FleetID // the vehicle that served the stop before; "" is none
}

func newLink(vehicle, stop plan.FleetID) NewLink {
	var random [tokenBytes]byte
	_, _ = rand.Read(random[:]) // never fails: it ends the process instead
	token := base64.RawURLEncoding.EncodeToString(random[:])
	return NewLink{ID: "link_" + rand.Text(), Vehicle: vehicle, Stop: stop, Token: token, hash: hashOf(token)}
}

func hashOf(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}

// closed is the failure of every link that opens nothing, whatever the reason.
func closed() error {
	return fault.New(fault.NotFound, "this link is not in force: it is not whole, or was revoked, or its plan is at its end")
}

// open returns what opened does, where the key of the plan has not ended.
func (s *Service) open(ctx context.Context, token string, driver bool) (h *head, vehicle, stop string, err error) {
	if h, vehicle, stop, err = s.opened(ctx, s.db, token, driver); err != nil {
		return nil, "", "", err
	}
	over, err := s.ended(ctx, []string{h.key})
	if err == nil && len(over) > 0 {
		err = closed()
	}
	return h, vehicle, stop, err
}

// opened returns the plan, the vehicle and the stop of a link; stop is "" of a driver's. A link of
// the other kind is none.
func (s *Service) opened(ctx context.Context, db store.Querier, token string, driver bool) (h *head, vehicle, stop string, err error) {
	if len(token) != base64.RawURLEncoding.EncodedLen(tokenBytes) {
		return nil, "", "", closed()
	}
	var key string
	h, err = scan(db.QueryRow(ctx, headColumns+", l.vehicle, l.stop, p.key_id FROM plan_links l JOIN plans p ON p.id = l.plan_id WHERE l.token_hash = $1 AND p.expires_at > $2",
		hashOf(token), s.now().UnixMilli()), &vehicle, &stop, &key)
	if errors.Is(err, sql.ErrNoRows) || err == nil && driver != (stop == "") {
		return nil, "", "", closed()
	}
	if err != nil {
		return nil, "", "", store.Unavailable(err)
	}
	h.key = key
	return h, vehicle, stop, nil
}

// Relink makes a new link of a vehicle or a stop of a plan. The one before opens nothing any more.
func (s *Service) Relink(ctx context.Context, key, id string, r *plan.LinkRequest) (*NewLink, error) {
	var link NewLink
	err := s.db.Tx(ctx, func(tx *store.Tx) error {
		if err := s.hold(ctx, tx, key, id); err != nil {
			return err
		}
		list, err := rounds(ctx, tx, id, string(r.Vehicle))
		if err != nil {
			return err
		}
		vehicle := r.Vehicle
		found := slices.ContainsFunc(list, func(round plan.PublishedRound) bool {
			vehicle = round.Vehicle
			return r.Stop == "" || slices.ContainsFunc(round.Stops, func(stop plan.PublishedStop) bool { return stop.ID == r.Stop })
		})
		if !found {
			return fault.New(fault.NotFound, "the plan has no vehicle or stop %s", fault.Clip(string(r.Vehicle+r.Stop)))
		}
		link = newLink(vehicle, r.Stop)
		if _, err := tx.Exec(ctx, "DELETE FROM plan_links WHERE plan_id = $1 AND stop = $2 AND ($2 <> '' OR vehicle = $3)", id, string(r.Stop), string(vehicle)); err != nil {
			return err
		}
		return insertLinks(ctx, tx, id, []NewLink{link})
	})
	if err != nil {
		return nil, store.Unavailable(err)
	}
	return &link, nil
}

// Revoke ends a link of a plan. Its row stays, so that a replaced plan makes no new one.
func (s *Service) Revoke(ctx context.Context, key, id, link string) error {
	return store.Unavailable(s.db.Tx(ctx, func(tx *store.Tx) error {
		if err := s.hold(ctx, tx, key, id); err != nil {
			return err
		}
		n, err := tx.Exec(ctx, "UPDATE plan_links SET token_hash = '"+revoked+"' || id WHERE plan_id = $1 AND id = $2 AND token_hash NOT LIKE '"+revoked+"%'", id, link)
		if err == nil && n == 0 {
			return fault.New(fault.NotFound, "the plan has no link %s in force", fault.Clip(link))
		}
		return err
	}))
}

// revoked begins what a revoked link has in place of its token's hash.
const revoked = "revoked "

// target is what a link is of. That of a stop is the same whatever vehicle comes.
type target struct{ vehicle, stop plan.FleetID }

func targetOf(vehicle, stop plan.FleetID) target {
	if stop != "" {
		return target{stop: stop}
	}
	return target{vehicle: vehicle}
}

// write replaces the rounds of a plan, and returns the links that are new. Who replaces a plan has
// changed its row before, so that another waits.
func write(ctx context.Context, tx *store.Tx, id string, rounds []plan.PublishedRound) (made []NewLink, err error) {
	kept, err := linksOf(ctx, tx, id)
	if err != nil {
		return nil, err
	}
	for _, table := range [...]string{"plan_rounds", "plan_links"} {
		if _, err := tx.Exec(ctx, "DELETE FROM "+table+" WHERE plan_id = $1", id); err != nil {
			return nil, err
		}
	}
	made = []NewLink{}
	var links []NewLink
	stays := func(vehicle, stop plan.FleetID) {
		link, ok := kept[targetOf(vehicle, stop)]
		if link.Vehicle != vehicle {
			link.former, link.Vehicle = link.Vehicle, vehicle
		}
		if !ok {
			link = newLink(vehicle, stop)
			made = append(made, link)
		}
		links = append(links, link)
	}
	stops := map[string]bool{}
	for n := range rounds {
		r := &rounds[n]
		text, err := json.Marshal(r)
		if err != nil {
			return nil, err
		}
		if _, err := tx.Exec(ctx, "INSERT INTO plan_rounds (plan_id, vehicle, n, round) VALUES ($1, $2, $3, $4)", id, string(r.Vehicle), n, string(text)); err != nil {
			return nil, err
		}
		stays(r.Vehicle, "")
		for k := range r.Stops {
			stays(r.Vehicle, r.Stops[k].ID)
			stops[string(r.Stops[k].ID)] = true
		}
	}
	if err := insertLinks(ctx, tx, id, links); err != nil {
		return nil, err
	}
	return made, dropMarks(ctx, tx, id, stops)
}

// linksOf reads the links of a plan, also those that are revoked.
func linksOf(ctx context.Context, tx *store.Tx, id string) (_ map[target]NewLink, err error) {
	rows, err := tx.Query(ctx, "SELECT id, vehicle, stop, token_hash, former FROM plan_links WHERE plan_id = $1", id)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	kept := map[target]NewLink{}
	for rows.Next() {
		var l NewLink
		if err := rows.Scan(&l.ID, &l.Vehicle, &l.Stop, &l.hash, &l.former); err != nil {
			return nil, err
		}
		kept[targetOf(l.Vehicle, l.Stop)] = l
	}
	return kept, rows.Err()
}

// insertedAtOnce is how many links one statement stores.
const insertedAtOnce = 100

func insertLinks(ctx context.Context, tx *store.Tx, id string, links []NewLink) error {
	for some := range slices.Chunk(links, insertedAtOnce) {
		args, rows := []any{id}, make([]string, len(some))
		for i, l := range some {
			n := len(args)
			rows[i] = fmt.Sprintf("($%d, $%d, $1, $%d, $%d, $%d)", n+1, n+2, n+3, n+4, n+5)
			args = append(args, l.hash, l.ID, string(l.Vehicle), string(l.Stop), string(l.former))
		}
		if _, err := tx.Exec(ctx, "INSERT INTO plan_links (token_hash, id, plan_id, vehicle, stop, former) VALUES "+strings.Join(rows, ", "), args...); err != nil {
			return err
		}
	}
	return nil
}

// dropMarks deletes what was reported of stops that the plan has no more.
func dropMarks(ctx context.Context, tx *store.Tx, id string, stops map[string]bool) error {
	reported, err := store.Texts(ctx, tx, "SELECT stop FROM plan_marks WHERE plan_id = $1", id)
	if err != nil {
		return err
	}
	for _, stop := range reported {
		if stops[stop] {
			continue
		}
		if _, err := tx.Exec(ctx, "DELETE FROM plan_marks WHERE plan_id = $1 AND stop = $2", id, stop); err != nil {
			return err
		}
	}
	return nil
}
