package transit

import (
	"slices"
	"sync"
	"time"

	"github.com/waygate/waygate/feed"
	"github.com/waygate/waygate/feed/tripupdate"
	"github.com/waygate/waygate/index/timetable"
	"github.com/waygate/waygate/transit/journey"
	"github.com/waygate/waygate/transit/overlay"
	"github.com/waygate/waygate/wire/null"
)

// UpdateFeeds are those of trip updates.
type UpdateFeeds = feed.Group[[]tripupdate.Update, *Updates]

// NewUpdateFeeds makes the group of them. changed is called when there are new ones, and must
// not wait for the group; it may be nil.
func NewUpdateFeeds(changed func()) *UpdateFeeds {
	return feed.NewGroup(tripupdate.Kind(), func(all []*feed.Snapshot[[]tripupdate.Update]) *Updates {
		if changed != nil {
			changed()
		}
		return &Updates{snapshots: all}
	})
}

// Updates is the trip updates of all feeds, and what they change on timetables, which is
// worked out once for each.
type Updates struct {
	snapshots []*feed.Snapshot[[]tripupdate.Update]

	mu     sync.Mutex
	recent []*cachedOverlay // the last ones
}

// cachedOverlay is the overlay of the updates of some feeds on a timetable.
type cachedOverlay struct {
	timetable *timetable.Index
	feeds     []string
	once      sync.Once
	overlay   *overlay.Overlay

	forJourneys [2]madeLive // of the whole network, and of what is accessible by wheelchair
}

type madeLive struct {
	once sync.Once
	live *journey.Live
}

// journeys returns the overlay's changes for searches in the network of its timetable, worked
// out once.
func (m *cachedOverlay) journeys(n *journey.Network) *journey.Live {
	made := &m.forJourneys[0]
	if n == n.Accessible() {
		made = &m.forJourneys[1]
	}
	made.once.Do(func() {
		var changes []journey.Change
		for trip, day := range m.overlay.Trips() {
			c := journey.Change{Trip: trip, Day: day, Cancelled: m.overlay.Cancelled(trip, day)}
			if !c.Cancelled {
				c.Calls = slices.Clone(m.overlay.Calls(trip, day))
				for i := range c.Calls {
					if m.overlay.Skips(trip, day, i) {
						c.Calls[i] = journey.Skipped
					}
				}
			}
			changes = append(changes, c)
		}
		made.live = n.Live(changes)
	})
	return made.live
}

// mostOverlays bounds those that are kept: one for each timetable in service, and those of
// before a swap.
const mostOverlays = 16

// on returns the changes that the updates of some feeds make to a timetable.
func (u *Updates) on(x *timetable.Index, feeds []string) *cachedOverlay {
	u.mu.Lock()
	n := slices.IndexFunc(u.recent, func(m *cachedOverlay) bool { return m.timetable == x && slices.Equal(m.feeds, feeds) })
	if n < 0 {
		if len(u.recent) == mostOverlays {
			u.recent = slices.Delete(u.recent, 0, 1)
		}
		n = len(u.recent)
		u.recent = append(u.recent, &cachedOverlay{timetable: x, feeds: feeds})
	}
	m := u.recent[n]
	u.mu.Unlock()
	m.once.Do(func() {
		var sources []overlay.Source
		for _, s := range u.snapshots {
			if slices.Contains(feeds, s.Source.ID) {
				sources = append(sources, overlay.Source{Updates: s.Value, At: s.At()})
			}
		}
		m.overlay = overlay.Build(x, sources)
	})
	return m
}

// UpdatesState is how far trip updates can be relied on.
type UpdatesState struct {
	Status    string   `json:"status" enum:"ok,stale,unknown" doc:"stale: the newest document is more than 180 seconds old, and nothing is said by it; unknown: none has come yet"`
	Age       *float64 `json:"age_s" decimals:"0" doc:"seconds since the newest document was made"`
	Joined    int      `json:"trips" doc:"updates of trips of the timetable"`
	Unmatched int      `json:"unmatched" doc:"updates of trips that the timetable does not have, or that cannot be told apart"`
	Added     int      `json:"added" doc:"updates of trips beside the timetable: they are counted and not shown"`
}

// liveUpdates has the changes that fresh updates make to a timetable.
type liveUpdates struct {
	*overlay.Overlay
	cached      *cachedOverlay // of the Overlay; nil where that is
	state       *UpdatesState  // nil where no feed is there
	attribution []string
}

// Overlay returns what trip updates that are not stale change on a timetable; nil where
// there are none.
func (s *Service) Overlay(x *timetable.Index) *overlay.Overlay { return s.updatesOn(x).Overlay }

func (s *Service) updatesOn(x *timetable.Index) (out liveUpdates) {
	feeds := s.Updates.Feeds()
	if len(feeds) == 0 {
		return out
	}
	out.state = &UpdatesState{Status: "unknown"}
	now := s.Now()
	var fresh []string
	for _, f := range feeds {
		at, ok := f.At()
		if !ok {
			continue
		}
		age := max(0, now.Sub(at).Seconds())
		if out.state.Age == nil || age < *out.state.Age {
			out.state.Age = &age
		}
		if age <= tripupdate.StaleAfter.Seconds() {
			fresh = append(fresh, f.Source().ID)
			if a := f.Source().Attribution; a != "" && !slices.Contains(out.attribution, a) {
				out.attribution = append(out.attribution, a)
			}
		}
	}
	view, ok := s.Updates.View()
	switch {
	case out.state.Age == nil || !ok:
		return out
	case len(fresh) == 0:
		out.state.Status = "stale"
		return out
	}
	out.state.Status, out.cached = "ok", view.on(x, fresh)
	out.Overlay = out.cached.overlay
	counts := out.Count()
	out.state.Joined, out.state.Added = counts.Joined, counts.Added
	for _, n := range counts.Unmatched {
		out.state.Unmatched += n
	}
	return out
}

// journeys returns the changes of the updates for searches in a network; nil where there are none.
func (u *liveUpdates) journeys(n *journey.Network) *journey.Live {
	if u.cached == nil {
		return nil
	}
	return u.cached.journeys(n)
}

// longestLate is how late a departure may be that is due before a board begins and still
// expected on it.
const longestLate = time.Hour

// mostLate bounds the departures before a board that are looked at.
const mostLate = 200

// departureBoard lists the departures of a board in the order of the timetable: those that are due
// in its window, and before them those that are late and still to come.
func (u *liveUpdates) departureBoard(x *timetable.Index, b timetable.DepartureQuery) []timetable.Departure {
	var late []timetable.Departure
	if most := min(u.Latest(), longestLate); most > 0 {
		before := b
		before.From, before.Window, before.Limit = b.From.Add(-most), most, mostLate
		for _, d := range x.Departures(before) {
			if news, ok := u.Departure(x, d); ok && !news.At.Before(b.From) && !news.Cancelled && !news.Skipped {
				late = append(late, d)
			}
		}
	}
	late = append(late, x.Departures(b)...)
	return late[:min(len(late), b.Limit)]
}

// onward returns the trip that the vehicle of a departure goes on as with its passengers, unless
// one of the two is cancelled.
func (u *liveUpdates) onward(x *timetable.Index, d timetable.Departure, lang string) *Onward {
	next := x.Next(d.Trip, d.Day)
	if next == timetable.None || u.Cancelled(d.Trip, d.Day) || u.Cancelled(next, d.Day) {
		return nil
	}
	of := timetable.Departure{Pattern: x.PatternOf(next), Trip: next}
	return &Onward{x.LineNameIn(x.LineOf(of), lang), x.SignIn(of, lang), x.TripID(next)}
}

// tell adds the report of updates on a departure.
func (u *liveUpdates) tell(x *timetable.Index, d timetable.Departure, out *Departure, zone *time.Location, now time.Time) {
	news, ok := u.Departure(x, d)
	if !ok {
		return
	}
	out.Cancelled, out.Skipped, out.Basis = news.Cancelled, news.Skipped, null.IfZero("trip_update")
	age := max(0, now.Sub(news.Seen).Seconds())
	out.UpdateAge = &age
	if !news.At.IsZero() {
		out.Expected = null.IfZero(news.At.In(zone).Format(time.RFC3339))
	}
}
