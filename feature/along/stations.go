package along

import (
	"context"
	"slices"
	"strings"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/geo/corridor"
)

// MostMeasured is how many stations of one answer detours are measured to.
const MostMeasured = 60

// Ranking describes how stations of one kind are ranked: C is a station near the way that
// fits the request, R a station as the answer has it.
type Ranking[C, R any] struct {
	// Prefer orders candidates: where there are more than MostMeasured, the first of them
	// are measured.
	Prefer func(a, b *C) int
	Place  func(c *C) Place
	Result func(c *C, detour *Ranked) R
	// Unreachable is called for each candidate that cannot be called at.
	Unreachable func(c *C, reason string)
	Order       func(a, b *R) int
	Limit       int // of results; 0 is all
}

// RankedStations is the result of a Ranking.
type RankedStations[R any] struct {
	List        []R // never nil
	Unmeasured  int // candidates beyond MostMeasured
	BeyondLimit int
}

// RankStations measures the detours to candidates, by one matrix there and one back, and
// puts those that can be called at in order.
func RankStations[C, R any](ctx context.Context, s *Service, w *Way, candidates []C, k *Ranking[C, R]) (*RankedStations[R], error) {
	out := &RankedStations[R]{List: []R{}}
	if len(candidates) == 0 {
		return out, nil
	}
	slices.SortStableFunc(candidates, func(a, b C) int { return k.Prefer(&a, &b) })
	candidates, out.Unmeasured = Truncate(candidates, MostMeasured)
	places := make([]Place, len(candidates))
	for i := range candidates {
		places[i] = k.Place(&candidates[i])
	}
	measured, err := s.Detours(ctx, w, places)
	if err != nil {
		return nil, err
	}
	for i := range measured.Places {
		d := &measured.Places[i]
		out.List = append(out.List, k.Result(&candidates[d.Index], d))
	}
	for _, u := range measured.Unreachable {
		k.Unreachable(&candidates[u.Index], u.Reason)
	}
	slices.SortStableFunc(out.List, func(a, b R) int { return k.Order(&a, &b) })
	out.List, out.BeyondLimit = Truncate(out.List, k.Limit)
	return out, nil
}

// Truncate shortens a list to a limit, of which 0 is none, and counts what it leaves out.
func Truncate[T any](list []T, limit int) (kept []T, beyond int) {
	if limit == 0 || len(list) <= limit {
		return list, 0
	}
	return list[:limit], len(list) - limit
}

// NearPoints calls each for every record of an index of points within so many metres of
// the way, with the nearest of its passes.
func (w *Way) NearPoints(ctx context.Context, x *corridor.Index, metres float64, at func(record int) geo.Point, each func(record int, pass corridor.Pass)) error {
	return w.Near(ctx, x, metres, func(i int, parts []corridor.Part) bool {
		if pass, ok := w.Nearest(at(i), metres, parts); ok {
			each(i, pass)
		}
		return true
	})
}

// StationName returns the name of a station for people: its owner's name before its own, unless that
// contains it; the id where it has no name.
func StationName(id, name string, owner *string) string {
	if owner != nil && !strings.Contains(strings.ToLower(name), strings.ToLower(*owner)) {
		name = strings.TrimSpace(*owner + " " + name)
	}
	if name == "" {
		return id
	}
	return name
}
