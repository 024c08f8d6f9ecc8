package report

import (
	"context"
	"math"
	"slices"
	"time"
)

// Walks and departures of the measures.
const (
	catchmentMetres = 400
	detour          = 1.3       // of a walk, over the straight line
	metresPerSecond = 4.8 / 3.6 // on foot
	mostWalk        = 800       // metres from the last stop, the detour included
	longestReach    = 60 * time.Minute
	samples         = 6
	sampleEvery     = 20 * time.Minute
	sampleFrom      = 7 * time.Hour // after the service day began
)

// catchments measures how much of each set is near a stop that is served so often.
func (m *measuring) catchments(ctx context.Context) ([]Catchment, error) {
	frequency := map[uint32]Service{}
	served := func(stop uint32) Service {
		s, known := frequency[stop]
		if !known {
			s = m.service(stop, m.days[0], m.x.Zone(stop), nil, 7, 19)
			frequency[stop] = s
		}
		return s
	}
	list := make([]Catchment, len(m.r.Sets))
	for i, set := range m.r.Sets {
		c := &list[i]
		c.Of = set.Name
		for _, p := range set.Points {
			if err := ctx.Err(); err != nil { // the stops near one point may take milliseconds
				return nil, err
			}
			if !m.r.Bounds.Contains(p.At) || m.r.Contains != nil && !m.r.Contains(p.At) {
				continue
			}
			c.Total += p.Weight
			near, best := false, 0.0
			m.x.Near(p.At, catchmentMetres, func(stop uint32, _ float64) {
				if m.x.ServedBy(stop, m.r.Modes) {
					s := served(stop)
					near = near || s.Departures > 0
					best = max(best, s.PerHour.AllDay)
				}
			})
			if near {
				c.Any += p.Weight
			}
			for _, step := range []struct {
				least float64
				sum   *float64
			}{{1, &c.Hourly}, {2, &c.Half}, {4, &c.Often}} {
				if best >= step.least {
					*step.sum += p.Weight
				}
			}
		}
	}
	return list, nil
}

// link is a walk from a stop to a point of a set.
type link struct {
	point   uint32
	seconds int32
}

// destinations is the points of all sets and the walks to them.
type destinations struct {
	weight []float64
	set    []int             // of each point
	links  map[uint32][]link // by stop
	best   []int32           // seconds to each point in the sample
}

func (m *measuring) destinations(ctx context.Context) (*destinations, error) {
	d := &destinations{links: map[uint32][]link{}}
	for i, set := range m.r.Sets {
		for n, p := range set.Points {
			if n%256 == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			point := uint32(len(d.weight)) //nolint:gosec // there are at most MostPoints
			d.weight, d.set = append(d.weight, p.Weight), append(d.set, i)
			m.x.Near(p.At, mostWalk/detour, func(stop uint32, away float64) {
				d.links[stop] = append(d.links[stop], link{point, int32(math.Ceil(away * detour / metresPerSecond))})
			})
		}
	}
	d.best = make([]int32, len(d.weight))
	return d, nil
}

// reach notes that a stop is reached after so many seconds.
func (d *destinations) reach(stop uint32, seconds int32) {
	for _, l := range d.links[stop] {
		d.best[l.point] = min(d.best[l.point], seconds+l.seconds)
	}
}

// reaches adds to stops what can be reached from them.
func (m *measuring) reaches(ctx context.Context, stops []Stop) error {
	if m.r.Reach == nil || len(m.r.Sets) == 0 {
		return nil
	}
	d, err := m.destinations(ctx)
	if err != nil {
		return err
	}
	for i := range stops {
		if stops[i].Reached, err = m.reached(ctx, d, &stops[i]); err != nil {
			return err
		}
		if m.r.Progress != nil {
			m.r.Progress(i+1, len(stops))
		}
	}
	return nil
}

// reached measures what can be reached from one stop, over several departures.
func (m *measuring) reached(ctx context.Context, d *destinations, s *Stop) (map[string]*Near, error) {
	nearest := make([][]int32, len(m.r.Sets))
	within := make([][3]float64, len(m.r.Sets))
	begin := m.days[0].Begin(m.x.Zone(s.number)).Add(sampleFrom)
	for n := range samples {
		for i := range d.best {
			d.best[i] = math.MaxInt32
		}
		d.reach(s.number, 0)
		if err := m.r.Reach(ctx, ReachQuery{s.number, begin.Add(time.Duration(n) * sampleEvery), longestReach}, d.reach); err != nil {
			return nil, err
		}
		first := make([]int32, len(m.r.Sets))
		for i := range first {
			first[i] = math.MaxInt32
		}
		for p, seconds := range d.best {
			set := d.set[p]
			first[set] = min(first[set], seconds)
			for step, minutes := range []int32{30, 45, 60} {
				if seconds <= minutes*60 {
					within[set][step] += d.weight[p]
				}
			}
		}
		for i, seconds := range first {
			nearest[i] = append(nearest[i], seconds)
		}
	}
	out := map[string]*Near{}
	for i, set := range m.r.Sets {
		near := &Near{Within: Within{within[i][0] / samples, within[i][1] / samples, within[i][2] / samples}}
		slices.Sort(nearest[i])
		// Of six, the later of the two in the middle is taken, so that what is not reached by
		// half of the departures is not said to be.
		if median := nearest[i][samples/2]; median <= int32(longestReach/time.Second) {
			minutes := float64(median) / 60
			near.Nearest = &minutes
		}
		out[set.Name] = near
	}
	return out, nil
}
