package report

import (
	"cmp"
	"slices"

	"github.com/waygate/waygate/engine"
)

// tally adds up edges. The zero value is empty.
type tally struct {
	all                  Part
	classes              list[string]
	areas                list[engine.Admin]
	surfaces             list[string]
	toll, bridge, tunnel run
}

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

// each yields the parts, the longest first.
func (l *list[K]) each(total float64, yield func(K, Part)) {
	keys := slices.Clone(l.keys)
	slices.SortStableFunc(keys, func(a, b K) int { return -cmp.Compare(l.parts[a].Distance, l.parts[b].Distance) })
	for _, k := range keys {
		p := *l.parts[k]
		if total > 0 {
			p.Share = p.Distance / total
		}
		yield(k, p)
	}
}

// unknown stands for what the map does not say.
const unknown = "unknown"

// add adds an edge, which goes through one of the admins. A bridge that one leg
// ends on and the next begins on is one.
func (t *tally) add(e *engine.Edge, admins []engine.Admin) {
	metres, seconds := e.Metres, e.Seconds+e.Turn
	t.all.Distance += metres
	t.all.Duration += seconds
	t.classes.add(cmp.Or(e.Class, unknown), metres, seconds)
	surface := cmp.Or(e.Surface, unknown)
	if !e.SurfaceTagged {
		surface = unknown
	}
	t.surfaces.add(surface, metres, seconds)
	var where engine.Admin
	if e.Admin >= 0 {
		where = admins[e.Admin]
	}
	t.areas.add(where, metres, seconds)
	t.toll.add(e.Toll, metres)
	t.bridge.add(e.Bridge, metres)
	t.tunnel.add(e.Tunnel, metres)
}

func (t *tally) write(r *Report) {
	r.Distance, r.Duration = t.all.Distance, t.all.Duration
	r.Classes, r.Areas, r.Surfaces = []Class{}, []Area{}, []Ground{}
	t.classes.each(t.all.Distance, func(k string, p Part) { r.Classes = append(r.Classes, Class{k, p}) })
	t.surfaces.each(t.all.Distance, func(k string, p Part) { r.Surfaces = append(r.Surfaces, Ground{k, p}) })
	t.areas.each(t.all.Distance, func(k engine.Admin, p Part) {
		r.Areas = append(r.Areas, Area{orNull(k.CountryCode), orNull(k.Country), orNull(k.StateCode), orNull(k.State), p})
	})
	r.TollCount, r.TollM = t.toll.count, t.toll.metres
	r.BridgeCount, r.BridgeM = t.bridge.count, t.bridge.metres
	r.TunnelCount, r.TunnelM = t.tunnel.count, t.tunnel.metres
}

func orNull(s string) *string {
	if s == "" || s == "None" { // a remote engine's word for no area
		return nil
	}
	return &s
}
