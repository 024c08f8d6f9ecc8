package geocode

import (
	"cmp"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/api/problem"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/feature/geocode"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/wire/photon"
	"github.com/waygate/waygate/wire/schema"
)

// PhotonError is a failure in Photon's form: a message, and the members of a problem document.
type PhotonError struct {
	Message string `json:"message" doc:"what was wrong, with the value and the limit"`
	problem.Problem
}

var photonFailures = &edge.Envelope{
	Write: failing(func(f *problem.Failure, p *problem.Problem) any { return PhotonError{f.Detail, *p} }), Body: reflect.TypeFor[PhotonError](),
	Nowhere: func(row edge.Row, shown string) error {
		return fault.New(fault.NotFound, "%s is not %s", shown, row.Path)
	},
}

const likePhoton = " For clients of komoot's Photon, whose base address is this server's with /photon behind it. An extension. Failures have the form {\"message\"}, with the members of a problem document."

func photonDoc(summary, description string) edge.Doc {
	return edge.Doc{
		Summary: summary, Description: description + likePhoton + absent, Tags: []string{"compatible"}, Fails: []int{http.StatusNotImplemented, http.StatusBadGateway},
		Answers: []edge.Answer{{Type: reflect.TypeFor[photon.Answer]()}},
	}
}

var (
	photonSearchDoc     = photonDoc("Suggest places while a text is typed (Photon's form)", "GeoJSON, the best first. As GET /geocode/suggest, but with all that is known of each place, and a standard call.")
	photonStructuredDoc = photonDoc("Find a place by the parts of its address (Photon's form)", "As POST /geocode.")
	photonReverseDoc    = photonDoc("Find what is at a place (Photon's form)", "GeoJSON, the nearest first, by the point that the answer has of each place.")
)

// photonAnswer writes results in Photon's form.
func (f forms) photonAnswer(w http.ResponseWriter, r *http.Request, on *geocode.Geocoder, a *geocode.Answer, limit int, lang string, warnings schema.Warnings) error {
	results := withoutCoordinates(a.Results)
	results = results[:min(len(results), limit)]
	places, err := f.placed(r.Context(), on, results, lang)
	if err != nil {
		return err
	}
	for _, note := range a.Notes {
		warnings = schema.AppendWarning(warnings, schema.WithoutEffect, "%s", note)
	}
	w.Header().Add(varyHeader, languageHeader)
	return edge.WriteJSON(w, http.StatusOK, photon.Write(places, a.Attribution, warnings))
}

func (f forms) photonSearch(w http.ResponseWriter, r *http.Request, in *photon.Search) error {
	in.Header = r.Header.Get(languageHeader)
	if err := in.Check(); err != nil {
		return err
	}
	on, err := f.on(r.Context())
	if err != nil {
		return err
	}
	only := in.Only()
	a, err := on.Search(r.Context(), &geocode.Forward{
		Text: in.Q, Limit: in.Limit + 1, Lang: in.Language(), Bias: in.Bias(), Box: in.Box(), Typing: on.Suggests() || only != nil, Only: only,
	})
	if err != nil {
		return err
	}
	return f.photonAnswer(w, r, on, a, in.Limit, in.Language(), in.Warnings)
}

func (f forms) photonStructured(w http.ResponseWriter, r *http.Request, in *photon.Structured) error {
	in.Header = r.Header.Get(languageHeader)
	if err := in.Check(); err != nil {
		return err
	}
	on, err := f.on(r.Context())
	if err != nil {
		return err
	}
	city, state := cmp.Or(in.City, in.District), in.State
	if in.City != "" && in.District != "" {
		city = in.District + ", " + in.City
	}
	if in.County != "" {
		state = strings.Trim(in.County+", "+in.State, ", ")
	}
	a, err := on.SearchStructured(r.Context(), &geocode.Structured{
		HouseNumber: in.HouseNumber, Street: in.Street, City: city, Postcode: in.Postcode, State: state, CountryCode: in.CountryCode,
		Limit: in.Limit, Lang: in.Language(), Bias: in.Bias(), Box: in.Box(), Only: in.Only(),
	})
	if err != nil {
		return err
	}
	return f.photonAnswer(w, r, on, a, in.Limit, in.Language(), in.Warnings)
}

// more is how many more places are looked at than the answer has, for the nearest by their lines are not
// the nearest by their points.
const more = 20

func (f forms) photonReverse(w http.ResponseWriter, r *http.Request, in *photon.Reverse) error {
	in.Header = r.Header.Get(languageHeader)
	if err := in.Check(); err != nil {
		return err
	}
	on, err := f.on(r.Context())
	if err != nil {
		return err
	}
	at := geo.Point{Lon: in.Lon, Lat: in.Lat}
	a, err := on.Reverse(r.Context(), &geocode.Reverse{At: at, Only: in.Only(), Limit: in.Limit + more, Lang: in.Language(), Metres: max(1, in.Radius*1000)})
	if err != nil {
		return err
	}
	slices.SortStableFunc(a.Results, func(x, y geocode.Result) int { return cmp.Compare(geo.Distance(at, x.At), geo.Distance(at, y.At)) })
	return f.photonAnswer(w, r, on, a, in.Limit, in.Language(), in.Warnings)
}

// PhotonStatus is the answer of /photon/status.
type PhotonStatus struct {
	Status     string `json:"status" enum:"Ok"`
	ImportDate string `json:"import_date" doc:"of the map data, the oldest of the regions in service; empty where unknown"`
}

var photonStatusDoc = edge.Doc{
	Summary: "Whether places are found (Photon's form)", Tags: []string{"compatible"}, Fails: []int{http.StatusNotImplemented},
	Description: "Ok, and how old the map data is." + likePhoton + absent,
}
