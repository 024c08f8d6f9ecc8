// Package cluster divides stops into compact clusters of about equal count, load
// or time of service.
//
// A set is halved across the direction that keeps both halves closest together,
// and so on until there are as many clusters as wanted; then neighbouring pairs of
// clusters are divided anew by which of the two centres draws a stop more, for as
// long as that brings stops closer together and makes no largest cluster larger.
package cluster

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
)

// MostStops is how many are divided at once.
const MostStops = 5000

// Stop is one of what is divided.
type Stop struct {
	At     geo.Point
	Weight float64 // what clusters are to be equal in; 0 or more
	Group  int     // stops of different groups share no cluster
}

// Request is how to divide.
type Request struct {
	Stops    []Stop
	Clusters int     // how many, at least one for each group; 0 goes by Most
	Most     float64 // weight of a cluster; no stop has more
	Seed     uint64
	// Apart is how far two stops are from each other, the same both ways; nil is
	// as the crow flies.
	Apart func(i, j int) float64
}

// Cluster is a part of the stops.
type Cluster struct {
	Group   int
	Members []int // rising
}

// rounds is how often all pairs of neighbours are divided anew at the most, and
// neighbours how many are looked at for each.
const (
	rounds     = 30
	neighbours = 6
	directions = 8
)

// The time that parts of the work take on one core, in nanoseconds; see Effort.
const (
	stopNanos   = 25e3 // a stop
	centreNanos = 25   // a pair of clusters, over all rounds
	pairNanos   = 200  // a pair of stops of neighbouring clusters by the road, over all rounds
)

// Effort is about what it takes to divide.
func (r *Request) Effort() engine.Estimate {
	n := float64(len(r.Stops))
	clusters := float64(r.Clusters)
	if r.Clusters == 0 {
		sum := 0.0
		for i := range r.Stops {
			sum += r.Stops[i].Weight
		}
		clusters = math.Min(n, math.Ceil(sum/math.Max(r.Most, 1e-9)))
	}
	nanos := n*stopNanos + clusters*clusters*centreNanos
	if r.Apart != nil {
		nanos += n * n / math.Max(1, clusters) * pairNanos
	}
	return engine.Estimate{Kind: "cluster", Work: time.Duration(nanos), Bytes: int64(n) * 400, Cores: 1, Cheaper: "fewer locations or clusters"}
}

// Divide divides. The clusters are by group, and then by their first members. It
// ends with the context.
func Divide(ctx context.Context, r *Request) ([]Cluster, error) {
	d := newDivision(ctx, r)
	groups := map[int][]int{}
	for i := range r.Stops {
		groups[r.Stops[i].Group] = append(groups[r.Stops[i].Group], i)
	}
	names := make([]int, 0, len(groups))
	for g := range groups {
		names = append(names, g)
	}
	slices.Sort(names)
	parts := d.share(names, groups)
	var out []Cluster
	for n, g := range names {
		clusters := d.split(groups[g], parts[n])
		d.refine(clusters)
		for _, members := range clusters {
			slices.Sort(members)
		}
		slices.SortFunc(clusters, func(a, b []int) int { return cmp.Compare(a[0], b[0]) })
		for _, members := range clusters {
			out = append(out, Cluster{g, members})
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	return out, nil
}

type division struct {
	*Request
	ctx   context.Context
	flat  [][2]float64 // metres east and north of the middle
	turns [directions][2]float64
}

func newDivision(ctx context.Context, r *Request) *division {
	d := &division{Request: r, ctx: ctx, flat: make([][2]float64, len(r.Stops))}
	// Longitudes are counted from the first stop, the shorter way round the globe.
	box, places := geo.NoBounds(), make([]geo.Point, len(r.Stops))
	for i := range r.Stops {
		at := r.Stops[i].At
		places[i] = geo.Point{Lon: math.Remainder(at.Lon-r.Stops[0].At.Lon, 360), Lat: at.Lat}
		box = box.Extend(places[i])
	}
	middle := box.Centre()
	const degree = math.Pi / 180 * 6_371_008.8
	narrow := math.Cos(middle.Lat * math.Pi / 180)
	for i, p := range places {
		d.flat[i] = [2]float64{(p.Lon - middle.Lon) * degree * narrow, (p.Lat - middle.Lat) * degree}
	}
	random := rand.New(rand.NewPCG(r.Seed, 0)) //nolint:gosec // the same for the same seed
	first := random.Float64()
	for k := range d.turns {
		y, x := math.Sincos(math.Pi * (float64(k) + first) / directions)
		d.turns[k] = [2]float64{x, y}
	}
	return d
}

func (d *division) weight(set []int) (sum float64) {
	for _, i := range set {
		sum += d.Stops[i].Weight
	}
	return sum
}

// share returns how many clusters each group has: by its weight, at least one and at
// most one for each stop. By the limit it is as many as the weight takes.
func (d *division) share(names []int, groups map[int][]int) []int {
	parts := make([]int, len(names))
	if d.Clusters == 0 {
		for n, g := range names {
			parts[n] = d.least(d.weight(groups[g]), len(groups[g]))
		}
		return parts
	}
	for n := range parts {
		parts[n] = 1
	}
	for left := d.Clusters - len(names); left > 0; left-- {
		// The next goes to the group whose clusters are the largest.
		best, most := -1, -1.0
		for n, g := range names {
			if w := d.weight(groups[g]) / float64(parts[n]); parts[n] < len(groups[g]) && w > most {
				best, most = n, w
			}
		}
		if best < 0 {
			break
		}
		parts[best]++
	}
	return parts
}

// least returns how many clusters a weight takes at least.
func (d *division) least(weight float64, stops int) int {
	return max(1, min(stops, int(math.Ceil(weight/d.Most-1e-9))))
}

// split divides a set in two until there are so many parts. By the limit a part
// that is still too heavy is divided further.
func (d *division) split(set []int, parts int) [][]int {
	if d.Clusters == 0 {
		parts = max(parts, d.least(d.weight(set), len(set)))
	}
	if parts <= 1 || len(set) <= 1 || d.ctx.Err() != nil {
		return [][]int{set}
	}
	a := parts / 2
	share := d.weight(set) * float64(a) / float64(parts)
	var best []int
	at, least := 0, math.Inf(1)
	for _, turn := range d.turns {
		order := slices.Clone(set)
		d.sort(order, func(i int) float64 { return d.flat[i][0]*turn[0] + d.flat[i][1]*turn[1] })
		cut := d.cut(order, share, a, len(set)-(parts-a))
		if apart := d.straightSpread(order[:cut]) + d.straightSpread(order[cut:]); apart < least {
			best, at, least = order, cut, apart
		}
	}
	if d.Clusters == 0 {
		return append(d.split(best[:at:at], 1), d.split(best[at:], 1)...)
	}
	return append(d.split(best[:at:at], a), d.split(best[at:], parts-a)...)
}

// sort orders a set by a value, and by their places where that is equal.
func (d *division) sort(set []int, value func(int) float64) {
	type valued struct {
		value float64
		stop  int
	}
	list := make([]valued, len(set))
	for k, i := range set {
		list[k] = valued{value(i), i}
	}
	slices.SortFunc(list, func(a, b valued) int {
		return cmp.Or(cmp.Compare(a.value, b.value), cmp.Compare(a.stop, b.stop))
	})
	for k := range list {
		set[k] = list[k].stop
	}
}

// cut finds where the weight of the first part comes closest to a share, with from
// to until stops in it.
func (d *division) cut(order []int, share float64, from, until int) int {
	best, off, sum := from, math.Inf(1), 0.0
	for n := 1; n <= until; n++ {
		sum += d.Stops[order[n-1]].Weight
		if o := math.Abs(sum - share); n >= from && o < off-1e-9 {
			best, off = n, o
		}
	}
	return best
}

// refine divides pairs of neighbours anew while that helps.
func (d *division) refine(clusters [][]int) {
	for range rounds {
		changed := false
		for _, p := range d.pairs(clusters) {
			if d.ctx.Err() != nil {
				return
			}
			changed = d.anew(clusters, p[0], p[1]) || changed
		}
		if !changed {
			return
		}
	}
}

// pairs lists neighbouring clusters.
func (d *division) pairs(clusters [][]int) (pairs [][2]int) {
	centres := make([][2]float64, len(clusters))
	for k, c := range clusters {
		centres[k] = d.centre(c)
	}
	seen := map[[2]int]bool{}
	for a := range clusters {
		if d.ctx.Err() != nil {
			return pairs
		}
		for _, b := range nearest(centres, centres[a]) {
			p := [2]int{min(a, b), max(a, b)}
			if a != b && !seen[p] {
				seen[p] = true
				pairs = append(pairs, p)
			}
		}
	}
	return pairs
}

// nearest lists the centres nearest to a place, of which one may be the place itself, the
// nearest first, and of those as near the first in the list.
func nearest(centres [][2]float64, to [2]float64) []int {
	var found [neighbours + 1]int
	var apart [neighbours + 1]float64
	n := 0
	for i := range centres {
		x := square(to, centres[i])
		if n == len(found) && x >= apart[n-1] {
			continue
		}
		n = min(n+1, len(found))
		at := n - 1
		for ; at > 0 && x < apart[at-1]; at-- {
			found[at], apart[at] = found[at-1], apart[at-1]
		}
		found[at], apart[at] = i, x
	}
	return slices.Clone(found[:n])
}

// anew divides two clusters anew, if that brings their stops closer together, or
// makes the larger one smaller.
func (d *division) anew(clusters [][]int, a, b int) bool {
	one, two := clusters[a], clusters[b]
	order := slices.Concat(one, two)
	pull := d.pull(one, two)
	d.sort(order, pull)
	weight := d.weight(one)
	cut := d.cut(order, weight, 1, len(order)-1)
	first, second := order[:cut:cut], order[cut:]
	if max(d.weight(first), d.weight(second)) > max(weight, d.weight(two))+1e-9 {
		return false
	}
	if before, after := d.spread(one)+d.spread(two), d.spread(first)+d.spread(second); after >= before*(1-1e-9) {
		return false
	}
	clusters[a], clusters[b] = first, second
	return true
}
