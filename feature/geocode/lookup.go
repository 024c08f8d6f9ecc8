package geocode

import (
	"context"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/place"
)

// MostObjects is how many objects Lookup finds at once.
const MostObjects = 50

// rankOfKinds orders the places that one object is: what it is called comes before where it is.
var rankOfKinds = [...]int{place.POI: 5, place.Locality: 4, place.Area: 3, place.Street: 2, place.Address: 1}

// Lookup finds objects of OpenStreetMap, each as the place that it is first of all; those in
// no region are left out. The results are in the order of the objects.
func (g *Geocoder) Lookup(ctx context.Context, objects []place.Object, lang string) (*Answer, error) {
	if err := g.FirstParty("finding an object of OpenStreetMap"); err != nil {
		return nil, err
	}
	return engine.WorkFor(ctx, question, func(ctx context.Context) (*Answer, error) {
		a := &Answer{Attribution: g.indexes.attribution()}
		for _, o := range objects {
			var best *place.Place
			for i := range g.indexes {
				if err := ctx.Err(); err != nil {
					return nil, err
				}
				for _, p := range g.indexes[i].Index.Of(o, lang) {
					if best == nil || rankOfKinds[p.Kind] > rankOfKinds[best.Kind] {
						best = &p
					}
				}
			}
			if best != nil {
				a.Results = append(a.Results, Result{Place: *best})
			}
		}
		return a, nil
	})
}

// Names returns the names of a place by its id, the local one first and those in languages after
// it; none where none are known.
func (g *Geocoder) Names(id string) []place.Name {
	for i := range g.indexes {
		if names := g.indexes[i].Index.Names(id); names != nil {
			return names
		}
	}
	return nil
}

// ClassOf returns the value of place=* of the locality of a name that is nearest to a point; ""
// where none is known.
func (g *Geocoder) ClassOf(name string, at geo.Point) string {
	for i := range g.indexes {
		if x := &g.indexes[i]; x.Bounds.Contains(at) {
			if class := x.Index.ClassOf(name, at); class != "" {
				return class
			}
		}
	}
	return ""
}
