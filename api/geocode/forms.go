package geocode

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"time"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/api/problem"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/feature/boundary"
	"github.com/waygate/waygate/feature/geocode"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/wire/nominatim"
	"github.com/waygate/waygate/world"
)

// forms answers in the forms of other geocoders. These have more of a place than our own form: the
// areas around it and the class of its locality, which are looked up for each hit.
type forms struct {
	geocoder
	boundaries *boundary.Service
	now        func() time.Time
}

// surroundings is about what it takes to find out what lies around a place.
var surroundings = engine.Estimate{Kind: "geocode", Work: 50 * time.Microsecond, Bytes: 64 << 10, Cores: 1, Cheaper: "a lower limit"}

// placed gives results with what lies around them, in a language.
func (f forms) placed(ctx context.Context, on *geocode.Geocoder, results []geocode.Result, lang string) ([]nominatim.Place, error) {
	effort := surroundings
	effort.Work *= time.Duration(max(1, len(results)))
	return engine.WorkFor(ctx, effort, func(ctx context.Context) ([]nominatim.Place, error) {
		all := make([]nominatim.Place, len(results))
		for i := range results {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			r := &results[i]
			all[i] = nominatim.Place{Place: r.Place, Metres: r.Metres, Areas: f.areas(ctx, r.At, lang)}
			if town := all[i].TownName(); town != "" {
				all[i].Town = on.ClassOf(town, r.At)
			}
		}
		return all, nil
	})
}

// areas returns the administrative areas of a point; none where there is no index of them,
// for an address without them is an address too.
func (f forms) areas(ctx context.Context, at geo.Point, lang string) []nominatim.Area {
	w, err := edge.WorldOf(ctx)
	if err != nil {
		w = &world.World{}
	}
	borders, _ := w.Boundaries() // of a region that is out of service there are none
	admins, err := f.boundaries.At(borders, at, lang)
	if err != nil {
		return nil
	}
	all := make([]nominatim.Area, len(admins))
	for i := range admins {
		all[i] = nominatim.Area{Level: admins[i].Level, Name: admins[i].Name}
		if iso := admins[i].ISO; iso != nil {
			all[i].ISO = *iso
		}
	}
	return all
}

// withoutCoordinates leaves out what stands for coordinates that were typed: it is no place of a map.
func withoutCoordinates(results []geocode.Result) []geocode.Result {
	return slices.DeleteFunc(results, func(r geocode.Result) bool { return r.Coordinates })
}

const (
	varyHeader     = "Vary"
	languageHeader = "Accept-Language"
)

// warn writes a header for each part of a request that had no effect.
func warn(h http.Header, list []engine.Warning) {
	for _, w := range list {
		h.Add(edge.WarningsHeader, w.Text)
	}
}

// failing writes failures in a form, but for requests for a payment, which is x402's.
func failing(body func(f *problem.Failure, p *problem.Problem) any) func(http.ResponseWriter, error) error {
	return func(w http.ResponseWriter, err error) error {
		f := problem.FailureOf(err)
		if f.Slug == fault.PaymentRequired {
			return problem.Write(w, err)
		}
		maps.Copy(w.Header(), f.Header)
		w.Header().Del(edge.WarningsHeader)
		return edge.WriteJSON(w, f.Status, body(&f, problem.Of(err)))
	}
}
