package errands

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/place"
)

// The corridor is circles around samples of the direct route, as wide as a car
// gets there and back in the longest detour at the pace of town roads.
const (
	mostSamples = 16
	pace        = 45 / 3.6 // metres a second
	leastRadius = 500.0    // metres
	mostYielded = 100      // places that are looked at around one sample for one errand
	mostJudged  = 200      // of one errand whose opening hours are looked at
)

// found is a place that may become a candidate.
type found struct {
	place.Place
	aside  float64 // metres from the direct route
	sample int     // the nearest
}

// gather finds the candidates of every errand along the direct route.
func (j *job) gather(ctx context.Context) error {
	supplied := 0
	for i := range j.request.Errands {
		if p := j.request.Errands[i].Place; p != nil {
			supplied++
			j.candidates = append(j.candidates, candidate{errand: i, supplied: true, place: place.Place{At: p.Point, Name: p.Name}, hours: &opening{}})
			j.search.Errands[i].Considered = 1
		}
	}
	asked := len(j.request.Errands) - supplied
	if asked == 0 {
		return nil
	}
	ruler, vertices, samples, err := j.corridor(ctx)
	if err != nil || j.refused != nil {
		return err
	}
	left := MostCandidates - supplied
	for i := range j.request.Errands {
		if j.request.Errands[i].Place != nil {
			continue
		}
		all, err := j.around(ctx, j.request.Errands[i].Categories, samples)
		if err != nil {
			return err
		}
		j.search.Errands[i].Found = len(all)
		share := min(MostPerErrand, (left+asked-1)/asked)
		chosen, err := engine.WorkFor(ctx, chooseEffort(len(all), vertices), func(ctx context.Context) ([]candidate, error) {
			if err := aside(ctx, all, ruler, len(samples)); err != nil {
				return nil, err
			}
			return j.choose(ctx, i, all, len(samples), share)
		})
		if err != nil {
			return err
		}
		j.search.Errands[i].Considered = len(chosen)
		j.candidates = append(j.candidates, chosen...)
		left -= len(chosen)
		asked--
	}
	return nil
}

// radiusOf returns the radius of the circles in metres.
func radiusOf(r *Request) float64 { return max(leastRadius, r.MaxDetour.Seconds()/2*pace) }

// samplesOf returns how many circles a direct route of so many metres has.
func samplesOf(metres, radius float64) int {
	return min(mostSamples, int(math.Ceil(metres/radius))+1)
}

// corridor requests the direct route, which has so many vertices, and samples it.
func (j *job) corridor(ctx context.Context) (ruler *geo.Ruler, vertices int, samples []geo.Mark, err error) {
	r := j.request
	j.search.Routes++
	direct, err := engine.Best(ctx, j.Engine, &engine.RouteRequest{Locations: engine.Stops([]geo.Point{r.Origin, r.Destination}), Costing: costing.Auto, Options: r.Options})
	if j.unroutable(err) {
		return nil, 0, nil, nil
	}
	if err != nil {
		return nil, 0, nil, err
	}
	line := direct.Line()
	ruler, err = engine.WorkFor(ctx, lineEffort(len(line)), func(context.Context) (*geo.Ruler, error) { return geo.NewRuler(line), nil })
	if err != nil {
		return nil, 0, nil, err
	}
	radius := radiusOf(r)
	n := samplesOf(ruler.Length(), radius)
	samples = make([]geo.Mark, n)
	for i := range samples {
		samples[i] = ruler.At(ruler.Length() * float64(i) / float64(max(1, n-1)))
	}
	j.search.Corridor = &Corridor{Length: ruler.Length(), Radius: radius, Samples: n}
	return ruler, len(line), samples, nil
}

// around finds the places of some categories around all samples.
func (j *job) around(ctx context.Context, categories []string, samples []geo.Mark) (all []found, err error) {
	return all, engine.Work(ctx, aroundEffort(len(samples)), func(ctx context.Context) error {
		seen := map[string]bool{}
		for i, at := range samples {
			n := 0
			err := j.Places.Around(ctx, at.Point, j.search.Corridor.Radius, categories, "", func(near place.Near) bool {
				if !seen[near.ID] {
					seen[near.ID] = true
					all = append(all, found{Place: near.Place, sample: i})
				}
				n++
				return n < mostYielded
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// aside finds where places are beside the direct route, and puts the nearest to it first.
func aside(ctx context.Context, all []found, ruler *geo.Ruler, samples int) error {
	for i := range all {
		if err := ctx.Err(); err != nil { // each is compared with all of the route
			return err
		}
		on, _ := ruler.Nearest(all[i].At, nil)
		all[i].aside = on.Metres
		if d := ruler.Length(); d > 0 {
			all[i].sample = int(math.Round(on.Arc / d * float64(samples-1)))
		}
	}
	slices.SortFunc(all, func(a, b found) int { return cmp.Or(cmp.Compare(a.aside, b.aside), cmp.Compare(a.ID, b.ID)) })
	return nil
}

// choose takes the candidates of an errand in turns along the corridor, so that
// they do not all stand in one street. Those that are proven shut from the
// departure to the latest arrival are passed over.
func (j *job) choose(ctx context.Context, errand int, all []found, samples, share int) ([]candidate, error) {
	ranks := make([]int, samples)
	turn := make([]int, len(all))
	for i := range all {
		turn[i] = ranks[all[i].sample]
		ranks[all[i].sample]++
	}
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(turn[a], turn[b]) })
	var chosen []candidate
	s := &j.search.Errands[errand]
	for n, i := range order {
		if len(chosen) == share || n == mostJudged {
			break
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		o := j.opens(&all[i].Place)
		if o.shut(0, j.request.ArriveBy.Sub(j.request.DepartAt).Milliseconds()) {
			s.Shut++
			continue
		}
		chosen = append(chosen, candidate{errand: errand, place: all[i].Place, hours: o})
	}
	return chosen, nil
}
