package world

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/waygate/waygate/engine/embedded"
	"github.com/waygate/waygate/engine/embedded/live"
	"github.com/waygate/waygate/feature/along/incidents"
	"github.com/waygate/waygate/feed"
	"github.com/waygate/waygate/feed/traffic"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/link"
	"github.com/waygate/waygate/road/overlay"
)

// refreshRegion applies the feeds to a region's roads if anything has changed.
func (r *Roads) refreshRegion(ctx context.Context, region *Region) error {
	x := region.roads
	x.mu.Lock()
	defer x.mu.Unlock()
	now := r.now()
	feeds := r.list()
	status := make([]feed.Status, len(feeds))
	latest := make([]*feed.Snapshot[*traffic.Document], len(feeds))
	var seen strings.Builder
	fmt.Fprintf(&seen, "%d;", len(feeds))
	for id := range x.joined {
		if !slices.ContainsFunc(feeds, func(f roadFeed) bool { return f.Source().ID == id }) {
			delete(x.joined, id)
		}
	}
	for i, f := range feeds {
		status[i], latest[i] = f.Status(), f.Latest()
		if latest[i] == nil {
			continue
		}
		j := x.joined[f.Source().ID]
		if j == nil || j.document != latest[i].Value {
			var err error
			if j, err = join(ctx, region.embedded, latest[i].Value); err != nil {
				return err
			}
			x.joined[f.Source().ID] = j
		}
		fmt.Fprintf(&seen, "%p %v %v;", latest[i].Value, status[i].State == feed.Stale, j.old(now))
	}
	profile := r.profile.Load()
	fmt.Fprintf(&seen, "%p", profile)
	before := x.state.Load()
	if before != nil && x.seen == seen.String() && now.Sub(before.At) < time.Minute {
		if next := before.Live.NextChange(before.At); next.IsZero() || now.Before(next) {
			return nil
		}
	}
	s := &RoadState{At: now}
	m := &merging{r: r, region: region, now: now, state: s}
	reports := &incidents.Reports{}
	m.reports = reports
	for i, f := range feeds {
		s.Traffic = s.Traffic || !f.incidents
		if f.incidents {
			s.Reports = reports
			reports.Sources = append(reports.Sources, f)
		}
		m.source(f, &status[i], latest[i])
	}
	reports.Index = boxes(reports.Incidents)
	m.live.Taken = now
	m.live.Changes = sorted(m.live.Changes)
	if profile != nil {
		m.live.Profile = profile.on(ctx, region)
	}
	var older *overlay.Snapshot
	if before != nil {
		older = before.Live
	}
	s.Live = overlay.NewSnapshot(m.live, older)
	x.state.Store(s)
	x.seen = seen.String()
	region.embedded.SetLive(s.Live)
	if r.History != "" && region.ID != "" {
		if x.record == nil {
			x.record = &recorder{dir: filepath.Join(r.History, region.ID), zone: region.embedded.Zone()}
		}
		if err := x.record.add(region.embedded, s.Live, now); err != nil {
			r.Log.Warn("what is live could not be kept", "region", region.ID, "error", err)
		}
	}
	for _, f := range r.changed {
		f(region)
	}
	return nil
}

// merging combines the documents of all feeds for one region.
type merging struct {
	r       *Roads
	region  *Region
	now     time.Time
	state   *RoadState
	reports *incidents.Reports
	live    overlay.Roads
}

func (m *merging) source(f roadFeed, status *feed.Status, s *feed.Snapshot[*traffic.Document]) {
	out := RoadSource{Source: f.Source(), Kind: f.Source().Kind, At: status.At, Stale: status.State == feed.Stale || s == nil, Records: status.Records, Rejected: status.Rejected}
	defer func() { m.state.Sources = append(m.state.Sources, out) }()
	if s == nil {
		return
	}
	if status.AgeS != nil {
		out.Age = time.Duration(*status.AgeS * float64(time.Second))
	}
	silent, j := out.Stale, m.region.roads.joined[f.Source().ID]
	if !f.incidents && j.measured > 0 {
		at := time.Unix(j.measured, 0)
		out.At, out.Stale = &at, silent || j.old(m.now)
	}
	out.Missed = j.roads.Missed
	out.OnRoads = len(j.roads.Speeds) + len(j.roads.Turns)
	closing := !m.closesAll(f, j)
	m.speeds(j, silent, closing, m.now.Add(-out.Age))
	m.turns(j, silent, m.now.Add(-out.Age))
	for _, c := range j.roads.Closures {
		// A closure without an end lasts as long as its source sends documents.
		if closing && (!silent || !c.Until.IsZero()) {
			m.live.Changes = append(m.live.Changes, c)
		}
	}
	for i, record := range j.records {
		lines := j.roads.Lines[i]
		if lines != nil {
			out.OnRoads++
		}
		rec := &j.document.Records[record]
		if rec.Incident == nil && !(f.incidents && rec.Closed) || rec.Expired(m.now) {
			continue
		}
		in := incidents.Incident{Record: rec, Source: f.Source().ID, Licence: licence(f.Source()), Attribution: f.Source().Attribution, Lines: lines, OnRoads: lines != nil, Stale: silent}
		if lines == nil {
			if len(rec.Place.Line) == 0 || !m.region.Bounds.Contains(rec.Place.Line[0]) {
				continue
			}
			in.Lines = [][]geo.Point{rec.Place.Line}
		}
		m.reports.Incidents = append(m.reports.Incidents, in)
	}
}

func licence(s *feed.Source) *string {
	if s.Licence == "" {
		return nil
	}
	return &s.Licence
}

// speedsFor is how long a speed is valid after its measurement or, without a time of that,
// its document.
const speedsFor = 5 * time.Minute

// old reports whether all speeds of a feed were measured too long ago to be valid, however
// new the document is.
func (j *joinedFeed) old(now time.Time) bool {
	return j.measured > 0 && j.measured < now.Add(-speedsFor).Unix()
}

// lastMeasured returns the Unix time of the newest speed or turn; 0 where there are none,
// or one has no time.
func lastMeasured(r *live.MatchedReport) int64 {
	var last uint32
	for _, s := range r.Speeds {
		if s.At == 0 {
			return 0
		}
		last = max(last, s.At)
	}
	for _, t := range r.Turns {
		if t.At == 0 {
			return 0
		}
		last = max(last, t.At)
	}
	return int64(last)
}

// closesAll reports whether a feed closes so much of the region that it must be wrong. None
// of its closures is applied then.
func (m *merging) closesAll(f roadFeed, j *joinedFeed) bool {
	n := len(j.roads.Closures)
	for _, s := range j.roads.Speeds {
		if s.Kmh == 0 {
			n++
		}
	}
	if n <= leastClosed || float64(n) <= mostClosed*float64(m.region.embedded.Edges()) {
		return false
	}
	m.r.Log.Warn("a feed closes so many roads that none of its closures counts", "feed", f.Source().ID, "region", m.region.ID, "edges", n)
	return true
}

// speeds adds the live speeds of a document of time at and, where it may close roads,
// closures for its speeds of 0.
func (m *merging) speeds(j *joinedFeed, stale, closing bool, at time.Time) {
	oldest := m.now.Add(-speedsFor).Unix()
	if m.live.Network == nil && len(j.roads.Speeds) > 0 {
		m.live.Network = make([]bool, m.region.embedded.Edges())
	}
	for _, s := range j.roads.Speeds {
		m.live.Network[s.Edge] = true
		measured := int64(s.At)
		if measured == 0 {
			measured = at.Unix()
		}
		switch {
		case stale || measured < oldest:
			continue
		case s.Kmh == 0 && !closing:
			continue
		case s.Kmh == 0:
			m.live.Changes = append(m.live.Changes, overlay.Change{Edge: s.Edge, Closed: true})
			continue
		}
		if m.live.Speeds == nil {
			m.live.Speeds = make([]uint8, m.region.embedded.Edges())
		}
		m.live.Speeds[s.Edge] = s.Kmh
	}
}

// turns adds the times of turns of a document of time at, which are valid as long as live
// speeds are.
func (m *merging) turns(j *joinedFeed, stale bool, at time.Time) {
	if stale || len(j.roads.Turns) == 0 {
		return
	}
	if m.live.Turns == nil {
		m.live.Turns = make(map[overlay.Turn]float32, len(j.roads.Turns))
	}
	oldest := m.now.Add(-speedsFor).Unix()
	for _, t := range j.roads.Turns {
		measured := int64(t.At)
		if measured == 0 {
			measured = at.Unix()
		}
		if measured >= oldest {
			m.live.Turns[overlay.Turn{From: t.From, To: t.To}] = t.Seconds
		}
	}
}

// join matches a document to a region's roads.
func join(ctx context.Context, e *embedded.Engine, d *traffic.Document) (*joinedFeed, error) {
	links := map[string]*traffic.Link{}
	for i := range d.Links {
		links[d.Links[i].ID] = &d.Links[i]
	}
	j := &joinedFeed{document: d}
	t := &live.Report{Segments: d.Segments, Ways: d.Ways, Turns: d.Turns}
	for i := range d.Records {
		r := &d.Records[i]
		for _, p := range places(&r.Place, links) {
			s := live.Stretch{Place: p, Kmh: r.Kmh, Seconds: r.Seconds, Closed: r.Closed}
			if !r.At.IsZero() && r.Incident == nil {
				s.At = uint32(max(0, r.At.Unix()))
			}
			for _, w := range r.Windows {
				s.Windows = append(s.Windows, overlay.Change{From: w.From, Until: w.Until})
			}
			t.Stretch = append(t.Stretch, s)
			j.records = append(j.records, i)
		}
	}
	var err error
	if j.roads, err = e.Join(ctx, t); err != nil {
		return nil, err
	}
	j.measured = lastMeasured(j.roads)
	return j, nil
}

// places returns one place for each link of a place. Links that are missing from the
// source's tables are left out.
func places(p *link.Place, links map[string]*traffic.Link) []link.Place {
	if len(p.Links) == 0 {
		return []link.Place{*p}
	}
	var list []link.Place
	for _, id := range p.Links {
		l := links[id]
		if l == nil {
			continue
		}
		if len(l.Line) > 0 {
			list = append(list, link.Place{Line: l.Line})
		}
		for _, part := range l.Parts {
			if l := links[part]; l != nil && len(l.Line) > 0 {
				list = append(list, link.Place{Line: l.Line})
			}
		}
	}
	if list == nil {
		list = []link.Place{{Line: p.Line, Heading: p.Heading, Dir: p.Dir}} // a place without a line matches no road
	}
	return list
}
