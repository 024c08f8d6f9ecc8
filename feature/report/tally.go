package report

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
)

// tally adds up edges. The zero value is empty.
type tally struct {
	all                  Part
	classes              list[string]
	areas                list[area]
	surfaces             list[string]
	toll, bridge, tunnel run
}

// area is an administrative area; "" is what is not known.
type area struct{ countryCode, country, stateCode, state string }

// run counts stretches: edges in a row.
type run struct {
	count  int
	metres float64
	open   bool
}

func (r *run) add(on bool, metres float64) {
	if on && !r.open {
		r.count++
	}
	if r.open = on; on {
		r.metres += metres
	}
}

// list adds up parts by key.
type list[K comparable] struct {
	keys  []K
	parts map[K]*Part
}

func (l *list[K]) add(key K, metres, seconds float64) {
	p := l.parts[key]
	if p == nil {
		if l.parts == nil {
			l.parts = map[K]*Part{}
		}
		p = &Part{}
		l.parts[key] = p
		l.keys = append(l.keys, key)
	}
	p.Distance += metres
	p.Duration += seconds
}

// each yields the parts, the longest first, in figures for an answer.
func (l *list[K]) each(total float64, yield func(K, Part)) {
	keys := slices.Clone(l.keys)
	slices.SortStableFunc(keys, func(a, b K) int { return -cmp.Compare(l.parts[a].Distance, l.parts[b].Distance) })
	for _, k := range keys {
		p := *l.parts[k]
		if total > 0 {
			p.Share = decimals(p.Distance/total, 4)
		}
		p.Distance, p.Duration = decimals(p.Distance, 1), decimals(p.Duration, 1)
		yield(k, p)
	}
}

// unknown stands for what the map does not say.
const unknown = "unknown"

// leg adds up the edges of a leg of a route.
func (t *tally) leg(l *engine.Leg) {
	for i := range l.Edges {
		e := &l.Edges[i]
		if e.ToPoint == e.FromPoint {
			continue // the route begins or ends where it does
		}
		var where area
		if e.Admin >= 0 {
			a := &l.Admins[e.Admin]
			where = area{a.CountryCode, a.Country, a.StateCode, a.State}
		}
		surface := cmp.Or(e.Surface, unknown)
		if !e.SurfaceTagged {
			surface = unknown
		}
		t.edge(e.Metres, e.Seconds+e.Turn, cmp.Or(e.Class, unknown), surface, where)
		t.toll.add(e.Toll, e.Metres)
		t.bridge.add(e.Bridge, e.Metres)
		t.tunnel.add(e.Tunnel, e.Metres)
	}
}

func (t *tally) edge(metres, seconds float64, class, surface string, where area) {
	t.all.Distance += metres
	t.all.Duration += seconds
	t.classes.add(class, metres, seconds)
	t.surfaces.add(surface, metres, seconds)
	t.areas.add(where, metres, seconds)
}

// add reads an answer of trace_attributes with lengths in kilometres and gives
// how many edges it tells of. A bridge
// that one answer ends on and the next begins on is one.
func (t *tally) add(body []byte) (edges int, err error) {
	var answer struct {
		Admins []struct {
			CountryCode string `json:"country_code"`
			Country     string `json:"country_text"`
			StateCode   string `json:"state_code"`
			State       string `json:"state_text"`
		}
		Edges []struct {
			Length               float64
			RoadClass            string `json:"road_class"`
			Surface              string
			Tagged               *bool `json:"surface_tagged"`
			Toll, Bridge, Tunnel bool
			End                  struct {
				Elapsed float64 `json:"elapsed_time"`
				Admin   *int    `json:"admin_index"`
			} `json:"end_node"`
		}
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return 0, fault.Wrap(err, fault.Upstream, "the routing engine's answer does not tell of edges").With("upstream_status", 200)
	}
	elapsed := 0.0
	for i := range answer.Edges {
		e := &answer.Edges[i]
		metres, seconds := e.Length*1000, max(0, e.End.Elapsed-elapsed)
		elapsed = max(elapsed, e.End.Elapsed)
		surface := cmp.Or(e.Surface, unknown)
		if e.Tagged != nil && !*e.Tagged {
			surface = unknown
		}
		var where area
		if n := e.End.Admin; n != nil && *n >= 0 && *n < len(answer.Admins) {
			a := answer.Admins[*n]
			where = area{a.CountryCode, a.Country, a.StateCode, a.State}
		}
		t.edge(metres, seconds, cmp.Or(e.RoadClass, unknown), surface, where)
		t.toll.add(e.Toll, metres)
		t.bridge.add(e.Bridge, metres)
		t.tunnel.add(e.Tunnel, metres)
	}
	return len(answer.Edges), nil
}

func (t *tally) write(r *Report) {
	r.Distance, r.Duration = decimals(t.all.Distance, 1), decimals(t.all.Duration, 1)
	r.Classes, r.Areas, r.Surfaces = []Class{}, []Area{}, []Ground{}
	t.classes.each(t.all.Distance, func(k string, p Part) { r.Classes = append(r.Classes, Class{k, p}) })
	t.surfaces.each(t.all.Distance, func(k string, p Part) { r.Surfaces = append(r.Surfaces, Ground{k, p}) })
	t.areas.each(t.all.Distance, func(k area, p Part) {
		r.Areas = append(r.Areas, Area{orNull(k.countryCode), orNull(k.country), orNull(k.stateCode), orNull(k.state), p})
	})
	r.TollCount, r.TollM = t.toll.count, decimals(t.toll.metres, 1)
	r.BridgeCount, r.BridgeM = t.bridge.count, decimals(t.bridge.metres, 1)
	r.TunnelCount, r.TunnelM = t.tunnel.count, decimals(t.tunnel.metres, 1)
}

func orNull(s string) *string {
	if s == "" || s == "None" { // a remote engine's word for no area
		return nil
	}
	return &s
}
