package geocode

import (
	"context"
	"net/http"
	"reflect"
	"strings"
	"time"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/api/problem"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/feature/geocode"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/wire/country"
	"github.com/waygate/waygate/wire/nominatim"
	"github.com/waygate/waygate/wire/schema"
)

// NominatimError is a failure in Nominatim's form: a code and a message, beside them the members
// of a problem document.
type NominatimError struct {
	Error NominatimFailure `json:"error"`
}

// NominatimFailure describes the failure.
type NominatimFailure struct {
	Code    int    `json:"code" doc:"the HTTP status"`
	Message string `json:"message" doc:"what was wrong, with the value and the limit"`
	problem.Problem
}

var nominatimFailures = &edge.Envelope{
	Write: failing(func(f *problem.Failure, p *problem.Problem) any {
		return NominatimError{NominatimFailure{f.Status, f.Detail, *p}}
	}), Body: reflect.TypeFor[NominatimError](),
	Nowhere: func(row edge.Row, shown string) error {
		return fault.New(fault.NotFound, "%s is not %s", shown, row.Path)
	},
}

const likeNominatim = " For clients of Nominatim, whose base address is this server's with /nominatim behind it. An extension. Failures are JSON in every format: {\"error\": {\"code\", \"message\"}}, with the members of a problem document. X-Svc-Warnings names what had no effect."

// nominatimDoc describes an endpoint by what its answers in JSON may be.
func nominatimDoc(summary, description string, of ...reflect.Type) edge.Doc {
	d := edge.Doc{
		Summary: summary, Description: description + likeNominatim + absent, Tags: []string{"compatible"}, Fails: []int{http.StatusNotImplemented, http.StatusBadGateway},
		Headers: map[string]string{edge.WarningsHeader: "a parameter that had no effect, or another than asked for, one header for each"},
	}
	for _, t := range of {
		d.Answers = append(d.Answers, edge.Answer{Type: t})
	}
	d.Answers = append(d.Answers, edge.Answer{Media: "text/xml"})
	return d
}

var (
	nominatimSearchDoc  = nominatimDoc("Find places (Nominatim's form)", "By q, or by the parts of an address, the best first.", reflect.TypeFor[[]nominatim.Result](), reflect.TypeFor[nominatim.Collection]())
	nominatimReverseDoc = nominatimDoc("Find what is at a place (Nominatim's form)",
		"One place: the nearest house or point of interest within 100 m, else the nearest street within 600 m, else the locality around, else the smallest administrative area; what zoom leaves out is passed over. Where there is nothing, the answer is {\"error\": \"Unable to geocode\"} with status 200.",
		reflect.TypeFor[nominatim.Reversed]())
	nominatimLookupDoc = nominatimDoc("Find objects of OpenStreetMap (Nominatim's form)",
		"In the order of osm_ids. An object that is no place of the regions in service is left out, as is every way of a street but the one that stands for it. It needs a first-party index (501 otherwise).", reflect.TypeFor[[]nominatim.Result](), reflect.TypeFor[nominatim.Collection]())
)

// nominatimAnswer writes places in Nominatim's form.
func (f forms) nominatimAnswer(w http.ResponseWriter, a *nominatim.Answer, warnings schema.Warnings) error {
	a.Now = f.now()
	body, media, err := a.Write()
	if err != nil {
		return err
	}
	h := w.Header()
	h.Add(varyHeader, languageHeader)
	warn(h, warnings)
	return edge.SendAs(w, media, body)
}

// name adds the names of places where they are wanted.
func name(on *geocode.Geocoder, places []nominatim.Place, wanted bool) {
	for i := range places {
		if wanted {
			places[i].Names = on.Names(places[i].ID)
		}
	}
}

func (f forms) nominatimSearch(w http.ResponseWriter, r *http.Request, in *nominatim.Search) error {
	in.Header = r.Header.Get(languageHeader)
	output, err := in.Output()
	if err != nil {
		return err
	}
	on, err := f.on(r.Context())
	if err != nil {
		return err
	}
	answer := &nominatim.Answer{Kind: "search", Output: output, Query: in.Asked(), Excluded: in.Exclude}
	if at, ok := geocode.Coordinates(in.Q, in.Language()); ok && in.Only() == nil {
		reverse := &nominatim.Reverse{Lat: at.Lat, Lon: at.Lon, Zoom: 18}
		if _, err := reverse.Output(); err != nil {
			return err
		}
		answer.Places, answer.Attribution, err = f.reversed(r.Context(), on, reverse, in.Language())
	} else {
		answer.Places, answer.Attribution, err = f.searched(r.Context(), on, in)
	}
	if err != nil {
		return err
	}
	name(on, answer.Places, output.NameDetails)
	return f.nominatimAnswer(w, answer, in.Warnings)
}

// searched finds the places of a search.
func (f forms) searched(ctx context.Context, on *geocode.Geocoder, in *nominatim.Search) ([]nominatim.Place, []string, error) {
	limit := in.Limit + len(in.Exclude)
	var a *geocode.Answer
	var err error
	if in.Structured() {
		q := &geocode.Structured{
			Name: in.Amenity, Street: in.Street, City: in.City, Postcode: in.PostalCode, State: strings.Trim(in.County+", "+in.State, ", "), Country: in.Country,
			Limit: limit, Lang: in.Language(), Bias: in.Bias(), Box: in.Box(), Only: in.Only(),
		}
		if code, ok := country.Find(in.Country); ok {
			q.Country, q.CountryCode = "", code
		}
		a, err = on.SearchStructured(ctx, q)
	} else {
		a, err = on.Search(ctx, &geocode.Forward{Text: in.Q, Limit: limit + 1, Lang: in.Language(), Bias: in.Bias(), Box: in.Box(), Only: in.Only()})
	}
	if err != nil {
		return nil, nil, err
	}
	for _, note := range a.Notes {
		in.Warnings = schema.AppendWarning(in.Warnings, schema.WithoutEffect, "%s", note)
	}
	var results []geocode.Result
	for _, found := range withoutCoordinates(a.Results) {
		if p := (&nominatim.Place{Place: found.Place}); !in.Excluded(p) && len(results) < in.Limit {
			results = append(results, found)
		}
	}
	places, err := f.placed(ctx, on, results, in.Language())
	return places, a.Attribution, err
}

func (f forms) nominatimReverse(w http.ResponseWriter, r *http.Request, in *nominatim.Reverse) error {
	in.Header = r.Header.Get(languageHeader)
	output, err := in.Output()
	if err != nil {
		return err
	}
	on, err := f.on(r.Context())
	if err != nil {
		return err
	}
	answer := &nominatim.Answer{Kind: "reverse", Output: output, Query: in.Asked()}
	if answer.Places, answer.Attribution, err = f.reversed(r.Context(), on, in, in.Language()); err != nil {
		return err
	}
	name(on, answer.Places, output.NameDetails)
	return f.nominatimAnswer(w, answer, in.Warnings)
}

// reversed finds the one place that a point is at; none where there is nothing.
func (f forms) reversed(ctx context.Context, on *geocode.Geocoder, in *nominatim.Reverse, lang string) ([]nominatim.Place, []string, error) {
	at := geo.Point{Lon: in.Lon, Lat: in.Lat}
	if err := on.FirstParty("zoom and layer"); err != nil {
		if !in.Plain() {
			return nil, nil, err
		}
		a, err := on.Reverse(ctx, &geocode.Reverse{At: at, Limit: 1, Lang: lang})
		if err != nil {
			return nil, nil, err
		}
		places, err := f.placed(ctx, on, a.Results, lang)
		return places, a.Attribution, err
	}
	var attribution []string
	for _, step := range in.Steps() {
		a, err := on.Reverse(ctx, &geocode.Reverse{At: at, Kinds: step.Kinds, Only: step.Only, Limit: step.Most, Lang: lang, Metres: step.Metres})
		if err != nil {
			return nil, nil, err
		}
		attribution = a.Attribution
		all := make([]nominatim.Place, len(a.Results))
		for i := range a.Results {
			all[i] = nominatim.Place{Place: a.Results[i].Place, Metres: a.Results[i].Metres}
		}
		if best, ok := in.Best(all); ok {
			places, err := f.placed(ctx, on, []geocode.Result{{Place: best.Place, Metres: best.Metres}}, lang)
			return places, attribution, err
		}
	}
	places, err := f.area(ctx, on, at, in.Level(), lang)
	return places, attribution, err
}

// area returns the smallest administrative area of a point down to a level, as the place that it
// is, or by its name alone where the index has none of that name.
func (f forms) area(ctx context.Context, on *geocode.Geocoder, at geo.Point, level int, lang string) ([]nominatim.Place, error) {
	areas := f.areas(ctx, at, lang)
	for len(areas) > 0 && areas[len(areas)-1].Level > level {
		areas = areas[:len(areas)-1]
	}
	if len(areas) == 0 {
		return nil, nil
	}
	area := areas[len(areas)-1]
	found, err := on.Search(ctx, &geocode.Forward{Text: area.Name, Limit: geocode.MostResults, Lang: lang, Bias: &at, Only: nominatim.Areas})
	if err != nil {
		return nil, err
	}
	for i := range found.Results {
		if r := &found.Results[i]; r.Name == area.Name && r.Extent != nil && r.Extent.Contains(at) {
			return f.placed(ctx, on, found.Results[i:i+1], lang)
		}
	}
	return []nominatim.Place{nominatim.AreaAt(at, areas)}, nil
}

func (f forms) nominatimLookup(w http.ResponseWriter, r *http.Request, in *nominatim.Lookup) error {
	in.Header = r.Header.Get(languageHeader)
	output, err := in.Output()
	if err != nil {
		return err
	}
	on, err := f.on(r.Context())
	if err != nil {
		return err
	}
	a, err := on.Lookup(r.Context(), in.Objects(), in.Language())
	if err != nil {
		return err
	}
	places, err := f.placed(r.Context(), on, a.Results, in.Language())
	if err != nil {
		return err
	}
	name(on, places, output.NameDetails)
	return f.nominatimAnswer(w, &nominatim.Answer{Kind: "lookup", Output: output, Places: places, Attribution: a.Attribution, Query: in.Asked()}, in.Warnings)
}

// NominatimStatus is the answer of /nominatim/status with format=json.
type NominatimStatus struct {
	Status  int    `json:"status" doc:"0 is well, 700 is that nothing finds places"`
	Message string `json:"message"`
	Updated string `json:"data_updated,omitempty" doc:"of the map data, the oldest of the regions in service"`
}

var nominatimStatusDoc = edge.Doc{
	Summary: "Whether places are found (Nominatim's form)", Tags: []string{"compatible"},
	Description: "OK as text; with format=json always 200, and how old the map data is." + likeNominatim + absent,
	Fails:       []int{http.StatusNotImplemented},
	Answers:     []edge.Answer{{Media: "text/plain"}, {Type: reflect.TypeFor[NominatimStatus]()}},
}

// dated returns when the oldest map data of the regions in service is of; "" where unknown.
func dated(ctx context.Context) string {
	w, err := edge.WorldOf(ctx)
	if err != nil {
		return ""
	}
	var oldest time.Time
	for _, r := range w.Regions() {
		if at := r.OSMTimestamp; at != nil && (oldest.IsZero() || at.Before(oldest)) {
			oldest = *at
		}
	}
	if oldest.IsZero() {
		return ""
	}
	return oldest.UTC().Format(time.RFC3339)
}

func (f forms) nominatimStatus(w http.ResponseWriter, r *http.Request, in *nominatim.Status) error {
	err := f.well(r.Context())
	switch {
	case in.Format == nominatim.JSON && err != nil:
		return edge.WriteJSON(w, http.StatusOK, NominatimStatus{Status: 700, Message: problem.FailureOf(err).Detail})
	case in.Format == nominatim.JSON:
		return edge.WriteJSON(w, http.StatusOK, NominatimStatus{Message: "OK", Updated: dated(r.Context())})
	case err != nil:
		return err
	}
	return edge.SendAs(w, "text/plain; charset=utf-8", []byte("OK"))
}

// well fails where nothing finds places.
func (f forms) well(ctx context.Context) error {
	on, err := f.on(ctx)
	if err == nil && on.Name() == "" {
		err = on.FirstParty("")
	}
	return err
}

func (f forms) photonStatus(ctx context.Context, _ *struct{}) (*PhotonStatus, error) {
	if err := f.well(ctx); err != nil {
		return nil, err
	}
	return &PhotonStatus{"Ok", dated(ctx)}, nil
}
