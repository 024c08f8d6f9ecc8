// Package geocode is the endpoints that find places by what people type and by
// where they are.
package geocode

import (
	"cmp"
	"context"
	"net/http"
	"time"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/feature/boundary"
	"github.com/waygate/waygate/feature/geocode"
	"github.com/waygate/waygate/feature/timezone"
	"github.com/waygate/waygate/hours/holiday"
)

// Deps are the dependencies of the endpoints.
type Deps struct {
	Service    *geocode.Service
	Selections *geocode.Selections
	Boundaries *boundary.Service // nil is for those of the regions alone
	Now        func() time.Time
}

// suggestions a day are free, over all keys of an account.
var suggestions = edge.Allowance{Name: "suggest", PerDay: 5000}

// Rows returns the endpoints.
func Rows(d Deps) []edge.Row {
	const get, post = http.MethodGet, http.MethodPost
	const keyed, standard = edge.Keyed, edge.Standard
	var service geocode.Service
	if d.Service != nil {
		service = *d.Service
	}
	service.Zone, service.Holidays = timezone.Location, holiday.In
	g := geocoder{&service, d.Selections, make(chan struct{}, batchesAtOnce)}
	return append([]edge.Row{
		edge.On(edge.Row{Method: get, Path: "/geocode", Auth: keyed, Maps: true, Class: standard, Doc: forwardDoc}, g.forward),
		edge.On(edge.Row{Method: post, Path: "/geocode", Auth: keyed, Maps: true, Class: standard, BeyondContract: true, Doc: structuredDoc}, g.structured),
		edge.On(edge.Row{Method: get, Path: "/geocode/reverse", Auth: keyed, Class: standard, Doc: reverseDoc}, g.reverse),
		edge.On(edge.Row{Method: get, Path: "/geocode/suggest", Auth: keyed, Maps: true, Class: edge.FreeThenStandard, Allowance: suggestions, Doc: suggestDoc}, g.suggest),
		edge.On(edge.Row{Method: get, Path: "/geocode/retrieve", Auth: keyed, Maps: true, Class: standard, Doc: retrieveDoc}, g.retrieve),
		edge.On(edge.Row{Method: get, Path: "/geocode/selection", Auth: keyed, Keyless: true, Maps: true, Class: edge.Free, Status: http.StatusNoContent, Doc: selectionDoc}, g.selection),
		edge.On(edge.Row{Method: http.MethodPut, Path: "/geocode/recent", Auth: keyed, Class: edge.Free, Account: true, BeyondContract: true, Doc: rememberDoc}, g.remember),
		edge.On(edge.Row{Method: get, Path: "/geocode/recent", Auth: keyed, Class: edge.Free, Account: true, BeyondContract: true, Doc: recentDoc}, g.recent),
		edge.On(edge.Row{Method: http.MethodDelete, Path: "/geocode/recent", Auth: keyed, Class: edge.Free, Account: true, BeyondContract: true, Status: http.StatusNoContent, Doc: forgetDoc}, g.forget),
		edge.On(edge.Row{Method: post, Path: "/geocode/batch", Auth: keyed, Class: edge.StandardEach, Doc: batchDoc}, g.batch),
	}, formRows(g, d)...)
}

// formRows returns the endpoints in the forms of other geocoders. Their clients write paths with a
// slash at the end, or with .php.
func formRows(g geocoder, d Deps) []edge.Row {
	const get, keyed, standard = http.MethodGet, edge.Keyed, edge.Standard
	f := forms{g, cmp.Or(d.Boundaries, &boundary.Service{}), d.Now}
	photon := func(path string, row edge.Row) edge.Row {
		row.Method, row.Path, row.Also, row.BeyondContract, row.Failure = get, "/photon"+path, []string{"/photon" + path + "/{$}"}, true, photonFailures
		return row
	}
	nominatim := func(path string, row edge.Row) edge.Row {
		row.Method, row.Path, row.Also, row.BeyondContract, row.Failure = get, "/nominatim"+path, []string{"/nominatim" + path + "/{$}", "/nominatim" + path + ".php"}, true, nominatimFailures
		return row
	}
	return []edge.Row{
		edge.Write(photon("/api", edge.Row{Auth: keyed, Maps: true, Class: standard, Doc: photonSearchDoc}), f.photonSearch),
		edge.Write(photon("/structured", edge.Row{Auth: keyed, Maps: true, Class: standard, Doc: photonStructuredDoc}), f.photonStructured),
		edge.Write(photon("/reverse", edge.Row{Auth: keyed, Class: standard, Doc: photonReverseDoc}), f.photonReverse),
		edge.On(photon("/status", edge.Row{Auth: edge.Public, Class: edge.Free, Doc: photonStatusDoc}), f.photonStatus),
		edge.Write(nominatim("/search", edge.Row{Auth: keyed, Maps: true, Class: standard, Doc: nominatimSearchDoc}), f.nominatimSearch),
		edge.Write(nominatim("/reverse", edge.Row{Auth: keyed, Class: standard, Doc: nominatimReverseDoc}), f.nominatimReverse),
		edge.Write(nominatim("/lookup", edge.Row{Auth: keyed, Maps: true, Class: standard, Doc: nominatimLookupDoc}), f.nominatimLookup),
		edge.Write(nominatim("/status", edge.Row{Auth: edge.Public, Class: edge.Free, Doc: nominatimStatusDoc}), f.nominatimStatus),
	}
}

// batchesAtOnce is how many batches are answered at once: each keeps a core busy
// for as long as it takes.
const batchesAtOnce = 2

// geocoder answers by the indexes of the regions in service, or as its service is
// set to.
type geocoder struct {
	service    *geocode.Service
	selections *geocode.Selections
	batches    chan struct{} // holds a token for each that is answered
}

// on returns the geocoder for one request.
func (g geocoder) on(ctx context.Context) (*geocode.Geocoder, error) {
	w, err := edge.WorldOf(ctx)
	if err != nil {
		if here := g.service.With(nil); here.Name() != "" {
			return here, nil
		}
		return nil, err
	}
	return g.service.With(Sources(w)), nil
}
