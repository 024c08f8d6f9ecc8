package dispatch

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/store"
	"github.com/waygate/waygate/wire/native/plan"
)

// Followed is a plan with what drivers have reported, as its owner sees it.
type Followed struct {
	Summary
	Rounds []Round `json:"rounds" nullable:"false"`
}

// Published is a plan as it was published, with the links that were made for it.
type Published struct {
	Followed
	Links []NewLink `json:"links,omitempty" doc:"those that this call has made, with their tokens"`
}

// Summary is a plan without its rounds.
type Summary struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	Begins  string `json:"begins_at" format:"date-time"`
	Created string `json:"created_at" format:"date-time"`
	Updated string `json:"updated_at" format:"date-time" doc:"when it was published last"`
	Expires string `json:"expires_at" format:"date-time" doc:"when it is deleted with all that belongs to it"`
	Stops   int    `json:"stops"`
}

// PlanList is the plans of a key.
type PlanList struct {
	Plans []Summary `json:"plans" nullable:"false" doc:"the newest first"`
}

// Round is the stops of a vehicle and how far they are.
type Round struct {
	Vehicle plan.FleetID `json:"vehicle"`
	Name    string       `json:"name"`
	Costing string       `json:"costing"`
	Link    string       `json:"link_id,omitempty" doc:"of the driver; missing where it is revoked"`
	Done    int          `json:"done" doc:"stops"`
	Failed  int          `json:"failed" doc:"stops"`
	Delay   int64        `json:"delay_s" doc:"seconds by which the next stop, or the last where all are reported, is behind the plan; negative ahead of it"`
	Stops   []Stop       `json:"stops" nullable:"false"`
}

// Stop is a stop as it was published, and how far it is.
type Stop struct {
	plan.PublishedStop
	State  string `json:"state" enum:"open,done,failed"`
	ETA    string `json:"eta" format:"date-time" doc:"when the work is expected to begin, by what was reported so far; of a stop that is reported when it was"`
	Report string `json:"report,omitempty" doc:"the driver's note"`
	Link   string `json:"link_id,omitempty" doc:"of its arrival; missing where it is revoked"`
}

// Driven is a round as its driver sees it.
type Driven struct {
	Plan    string `json:"plan" doc:"name"`
	Begins  string `json:"begins_at" format:"date-time"`
	Updated string `json:"updated_at" format:"date-time" doc:"when the plan was published last"`
	Expires string `json:"expires_at" format:"date-time" doc:"when the plan is deleted; the link opens nothing from then on, and what a phone has kept of the round is to be deleted"`
	Round
	Ignored []plan.FleetID `json:"ignored,omitempty" doc:"of POST /v1/driver/marks: stops that are not on this round, or no more; but for those that another vehicle serves now and that are reported done"`
}

// Arrival is what the link of a stop shows.
type Arrival struct {
	State   string      `json:"state" enum:"open,done,failed"`
	ETA     string      `json:"eta" format:"date-time" doc:"when the work is expected to begin; of a stop that is reported when it was"`
	Windows [][2]string `json:"time_windows" nullable:"false" doc:"RFC 3339: those of the stop"`
}

// mark is what was reported of a stop last.
type mark struct {
	state, note string
	at          time.Time
}

// List returns the plans of a key.
func (s *Service) List(ctx context.Context, key string) (_ *PlanList, err error) {
	rows, err := s.db.Query(ctx, headColumns+" FROM plans p WHERE key_id = $1 AND expires_at > $2 ORDER BY created_at DESC, id", key, s.now().UnixMilli())
	if err != nil {
		return nil, store.Unavailable(err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	out := &PlanList{Plans: []Summary{}}
	for rows.Next() {
		h, err := scan(rows)
		if err != nil {
			return nil, err
		}
		out.Plans = append(out.Plans, h.summary())
	}
	return out, store.Unavailable(rows.Err())
}

func (h *head) summary() Summary {
	return Summary{h.id, h.name, h.at(h.begins), h.at(h.created), h.at(h.updated), h.at(h.expires), h.stops}
}

// Get returns a plan of a key with how far it is.
func (s *Service) Get(ctx context.Context, key, id string) (*Followed, error) {
	h, err := s.one(ctx, unknown(id), headColumns+" FROM plans p WHERE id = $1 AND key_id = $2 AND expires_at > $3", id, key, s.now().UnixMilli())
	if err != nil {
		return nil, err
	}
	list, err := rounds(ctx, s.db, id, "")
	if err != nil {
		return nil, err
	}
	marks, err := s.marks(ctx, id)
	if err != nil {
		return nil, err
	}
	links, err := s.links(ctx, id)
	if err != nil {
		return nil, err
	}
	out := &Followed{h.summary(), make([]Round, len(list))}
	for i := range list {
		out.Rounds[i] = s.round(h, &list[i], marks)
		r := &out.Rounds[i]
		r.Link = links[targetOf(r.Vehicle, "")]
		for k := range r.Stops {
			r.Stops[k].Link = links[targetOf(r.Vehicle, r.Stops[k].ID)]
		}
	}
	return out, nil
}

// links returns the ids of a plan's links in force.
func (s *Service) links(ctx context.Context, id string) (_ map[target]string, err error) {
	rows, err := s.db.Query(ctx, "SELECT id, vehicle, stop FROM plan_links WHERE plan_id = $1 AND token_hash NOT LIKE '"+revoked+"%'", id)
	if err != nil {
		return nil, store.Unavailable(err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	out := map[target]string{}
	for rows.Next() {
		var link string
		var vehicle, stop plan.FleetID
		if err := rows.Scan(&link, &vehicle, &stop); err != nil {
			return nil, err
		}
		out[targetOf(vehicle, stop)] = link
	}
	return out, store.Unavailable(rows.Err())
}

func (s *Service) marks(ctx context.Context, id string) (_ map[plan.FleetID]mark, err error) {
	rows, err := s.db.Query(ctx, "SELECT stop, state, note, at FROM plan_marks WHERE plan_id = $1", id)
	if err != nil {
		return nil, store.Unavailable(err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	out := map[plan.FleetID]mark{}
	for rows.Next() {
		var stop plan.FleetID
		var m mark
		var note string
		var at int64
		if err := rows.Scan(&stop, &m.state, &note, &at); err != nil {
			return nil, err
		}
		if err := json.Unmarshal([]byte(note), &m.note); err != nil {
			return nil, err
		}
		m.at = time.UnixMilli(at)
		out[stop] = m
	}
	return out, store.Unavailable(rows.Err())
}

// round joins a round with what was reported of it.
func (s *Service) round(h *head, r *plan.PublishedRound, marks map[plan.FleetID]mark) Round {
	out := Round{Vehicle: r.Vehicle, Name: r.Name, Costing: r.Costing.String(), Stops: make([]Stop, len(r.Stops))}
	if out.Name == "" {
		out.Name = string(r.Vehicle)
	}
	now := floor(int64(s.now().Sub(h.begins) / time.Second))
	reported := make([]report, len(r.Stops))
	for i := range r.Stops {
		stop := &out.Stops[i]
		stop.PublishedStop, stop.State = r.Stops[i], open
		m, ok := marks[stop.ID]
		if ok && m.state != open {
			stop.State, stop.Report = m.state, m.note
			reported[i] = report{true, int64(m.at.Sub(h.begins) / time.Second)}
		}
		switch stop.State {
		case done:
			out.Done++
		case failed:
			out.Failed++
		}
	}
	begins, delay := expected(r.Stops, reported, now)
	out.Delay = delay
	for i, at := range begins {
		out.Stops[i].ETA = h.at(h.begins.Add(time.Duration(at) * time.Second))
	}
	return out
}

// States of stops.
const (
	open   = "open"
	done   = "done"
	failed = "failed"
)

// Driver returns the round that a driver's link opens.
func (s *Service) Driver(ctx context.Context, token string) (*Driven, error) {
	h, vehicle, _, err := s.open(ctx, token, true)
	if err != nil {
		return nil, err
	}
	return s.driven(ctx, h, vehicle)
}

func (s *Service) driven(ctx context.Context, h *head, vehicle string) (*Driven, error) {
	list, err := rounds(ctx, s.db, h.id, vehicle)
	if err != nil {
		return nil, err
	}
	marks, err := s.marks(ctx, h.id)
	if err != nil {
		return nil, err
	}
	if len(list) != 1 { // replaced meanwhile
		return nil, closed()
	}
	return &Driven{Plan: h.name, Begins: h.at(h.begins), Updated: h.at(h.updated), Expires: h.at(h.expires), Round: s.round(h, &list[0], marks)}, nil
}

// Mark stores what a driver reports. Of a stop the report with the latest time counts, in whatever
// order they come; one that is sent twice changes nothing. Of a stop that was moved to another vehicle
// the driver before, who may have had no connection, can still report that it was done.
func (s *Service) Mark(ctx context.Context, token string, list []plan.StopMark) (*Driven, error) {
	h, vehicle, _, err := s.open(ctx, token, true)
	if err != nil {
		return nil, err
	}
	moved, err := s.db.Texts(ctx, "SELECT stop FROM plan_links WHERE plan_id = $1 AND former = $2", h.id, vehicle)
	if err != nil {
		return nil, store.Unavailable(err)
	}
	var ignored []plan.FleetID
	now := s.now()
	err = s.db.Tx(ctx, func(tx *store.Tx) error {
		ignored = nil
		// The plan may have been deleted or published anew meanwhile, and the link revoked.
		if err := s.hold(ctx, tx, "", h.id); err != nil {
			if fault.Is(err, fault.NotFound) {
				return closed()
			}
			return err
		}
		if h, vehicle, _, err = s.opened(ctx, tx, token, true); err != nil {
			return err
		}
		round, err := rounds(ctx, tx, h.id, vehicle)
		if err != nil {
			return err
		}
		own := map[plan.FleetID]bool{}
		for _, r := range round {
			for i := range r.Stops {
				own[r.Stops[i].ID] = true
			}
		}
		for i := range list {
			m := &list[i]
			if !own[m.Stop] && (m.State != done || !slices.Contains(moved, string(m.Stop))) {
				ignored = append(ignored, m.Stop)
				continue
			}
			at := m.At
			if at.After(now) || at.Before(h.begins.Add(-day)) { // a wrong clock must not lose what was reported by it
				at = now
			}
			note, err := json.Marshal(m.Note)
			if err != nil {
				return err
			}
			_, err = tx.Exec(ctx, `INSERT INTO plan_marks (plan_id, stop, state, note, at) VALUES ($1, $2, $3, $4, $5)
				ON CONFLICT (plan_id, stop) DO UPDATE SET state = excluded.state, note = excluded.note, at = excluded.at WHERE plan_marks.at <= excluded.at`,
				h.id, string(m.Stop), m.State, string(note), at.UnixMilli())
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, store.Unavailable(err)
	}
	out, err := s.driven(ctx, h, vehicle)
	if err == nil {
		out.Ignored = ignored
	}
	return out, err
}

// Arrival returns what the link of a stop opens.
func (s *Service) Arrival(ctx context.Context, token string) (*Arrival, error) {
	a, err := s.arrival(ctx, token)
	if fault.Is(err, fault.NotFound) { // the stop may have changed its vehicle meanwhile
		a, err = s.arrival(ctx, token)
	}
	return a, err
}

func (s *Service) arrival(ctx context.Context, token string) (*Arrival, error) {
	h, vehicle, stop, err := s.open(ctx, token, false)
	if err != nil {
		return nil, err
	}
	round, err := s.driven(ctx, h, vehicle)
	if err != nil {
		return nil, err
	}
	for i := range round.Stops {
		one := &round.Stops[i]
		if string(one.ID) != stop {
			continue
		}
		out := &Arrival{State: one.State, ETA: one.ETA, Windows: make([][2]string, len(one.Windows))}
		for k, w := range one.Windows {
			for side, at := range w {
				out.Windows[k][side] = h.at(h.begins.Add(time.Duration(at) * time.Second))
			}
		}
		return out, nil
	}
	return nil, closed()
}
