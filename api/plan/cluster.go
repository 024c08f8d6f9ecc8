package plan

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/scheduled"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/feature/cluster"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/wire/native"
	"github.com/waygate/waygate/wire/native/plan"
	"github.com/waygate/waygate/wire/schema"
)

// clusters divides stops. cells is the most of a matrix.
type clusters struct{ cells int }

type clusterIn struct {
	Warnings schema.Warnings
	Body     plan.ClusterRequest
}

// ClusterAnswer is stops divided into clusters.
type ClusterAnswer struct {
	cluster.Answer
	Warnings []native.AnswerWarning `json:"warnings,omitempty"`
}

var clusterDoc = edge.Doc{
	Summary: "Group stops into balanced clusters", Tags: []string{"planning"},
	Example: `{"locations":[{"id":"a","lat":49.326622,"lon":-7.267471,"load":2},{"id":"b","lat":49.324115,"lon":-7.251523},{"id":"c","lat":49.321496,"lon":-7.235719},{"id":"d","lat":49.3221,"lon":-7.2361}],"clusters":2}`,
	Description: "Up to 5,000 stops become compact clusters of about equal count, load or time of service: as many as asked for, or as few as a limit allows. With territories those of each are clustered apart, and so are the stops in none. " +
		"The same request and seed give the same clusters on every deployment. Distances are those of the crow; with measure road they are times on the road, for as many stops as a matrix may have.",
}

func (d clusters) divide(ctx context.Context, in *clusterIn) (*ClusterAnswer, error) {
	b := &in.Body
	r := &cluster.Request{Stops: make([]cluster.Stop, len(b.Locations)), Seed: b.Seed}
	warnings := slices.Clone(in.Warnings)
	by := b.By()
	sum, groups := 0.0, map[int]bool{}
	for i := range b.Locations {
		s := cluster.Stop{At: b.Locations[i].Point(), Weight: weightOf(&b.Locations[i], by), Group: -1}
		if at := b.Territories.At(s.At); len(at) > 0 {
			s.Group = int(at[0])
		}
		sum += s.Weight
		groups[s.Group] = true
		r.Stops[i] = s
	}
	if sum == 0 {
		instead := "the clusters are equal in count"
		if b.Clusters == nil {
			instead = "one cluster holds them all, one in each of the territories"
		}
		warnings = schema.AppendWarning(warnings, schema.WithoutEffect, "no location has a %s: %s", map[string]string{"load": "load", "service": "service_s"}[by], instead)
		for i := range r.Stops {
			r.Stops[i].Weight = 1
		}
	}
	switch {
	case b.Clusters != nil:
		if r.Clusters = *b.Clusters; r.Clusters < len(groups) {
			return nil, fault.Invalid(fault.Violation{Location: "clusters", Value: r.Clusters, Message: fmt.Sprintf("is less than the %d territories with stops in them (those in none count as one): at least one for each", len(groups))})
		}
	case sum == 0:
		r.Clusters = len(groups)
	case b.MaxCount != nil:
		r.Most = float64(*b.MaxCount)
	case b.MaxLoad != nil:
		r.Most = *b.MaxLoad
	default:
		r.Most = *b.MaxService
	}
	basis := "straight lines between the stops: no road network was asked"
	if b.Measure == "road" {
		more, err := d.measure(ctx, b, r)
		if err != nil {
			return nil, err
		}
		warnings = append(warnings, more...)
		basis = "times on the road between the stops by costing " + b.Costing.String() + ", both ways averaged; a pair without a way counts three times what its distance takes at 30 km/h"
	}
	list, err := engine.WorkFor(ctx, r.Effort(), func(ctx context.Context) ([]cluster.Cluster, error) { return cluster.Divide(ctx, r) })
	if err != nil {
		return nil, err
	}
	a := &ClusterAnswer{cluster.Answer{Basis: basis, Seed: b.Seed, Balance: cluster.Balance{By: by, Smallest: math.Inf(1)}}, native.AnswerWarnings(warnings...)}
	for n, c := range list {
		a.Clusters = append(a.Clusters, describe(b, n, c))
		w := 0.0
		for _, i := range c.Members {
			w += weightOf(&b.Locations[i], by)
		}
		a.Balance.Smallest, a.Balance.Largest = min(a.Balance.Smallest, w), max(a.Balance.Largest, w)
		a.Balance.Mean += w / float64(len(list))
	}
	return a, nil
}

func weightOf(l *plan.ClusterLocation, by string) float64 {
	switch by {
	case "load":
		return l.Load
	case "service":
		return l.Service
	}
	return 1
}

func describe(b *plan.ClusterRequest, n int, c cluster.Cluster) cluster.Of {
	out := cluster.Of{Cluster: n + 1, Count: len(c.Members), Locations: make([]string, len(c.Members))}
	if c.Group >= 0 {
		out.Territory = &b.Territories[c.Group].ID
	}
	var mean geo.Point
	for k, i := range c.Members {
		l := &b.Locations[i]
		out.Locations[k] = l.ID
		out.Load += l.Load
		out.Service += l.Service
		if k == 0 {
			mean = l.Point()
		}
		mean = geo.Between(mean, l.Point(), 1/float64(k+1)) // of the stops up to this one, also over the antimeridian
	}
	out.Centroid = cluster.Spot{Lat: mean.Lat, Lon: mean.Lon}
	for _, i := range c.Members {
		out.Radius = max(out.Radius, geo.Distance(b.Locations[i].Point(), mean))
	}
	return out
}

// measure has stops apart by the time on the road.
func (d clusters) measure(ctx context.Context, b *plan.ClusterRequest, r *cluster.Request) ([]engine.Warning, error) {
	n := len(b.Locations)
	if n*n > d.cells {
		return nil, fault.Invalid(fault.Violation{Location: "measure", Value: "road", Message: fmt.Sprintf("takes a matrix of %d cells for %d locations, and one may have %d: at most %d locations, or measure straight", n*n, n, d.cells, int(math.Sqrt(float64(d.cells))))})
	}
	current, err := edge.WorldOf(ctx)
	if err != nil {
		return nil, err
	}
	points := b.Points()
	here, err := current.At(points...)
	if err != nil {
		return nil, err
	}
	can := here.Engine.Can()
	if !can.Does(engine.CallMatrix) {
		return nil, engine.NotEnabled(string(engine.CallMatrix))
	}
	between := &engine.MatrixRequest{Sources: engine.Stops(points), Targets: engine.Stops(points), Costing: b.Costing, Options: b.Settings()}
	err = scheduled.Estimated(ctx, func() engine.Estimate {
		return here.Engine.Estimate(engine.CallMatrix, between).Plus(r.Effort())
	})
	if err != nil {
		return nil, err
	}
	m, err := here.Engine.Matrix(ctx, between)
	if err != nil {
		return nil, engine.WithHint(err, here.Bounds, points, func(i int) string { return fmt.Sprintf("locations[%d]", i) })
	}
	way := func(i, j int) float64 {
		if c := m.Cells[i][j]; c.Reached {
			return c.Seconds
		}
		return 3 * geo.Distance(points[i], points[j]) / (30 / 3.6)
	}
	r.Apart = func(i, j int) float64 { return (way(i, j) + way(j, i)) / 2 }
	var warnings []engine.Warning
	for i, s := range m.Sources {
		if s.Miss != "" {
			warnings = schema.AppendWarning(warnings, engine.WarnCentroid, "locations[%d] (%s) is not on the network: %s", i, b.Locations[i].ID, s.Miss)
		}
	}
	return slices.Concat(m.Warnings, warnings), nil
}
