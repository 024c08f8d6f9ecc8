package api

import (
	"encoding/csv"
	"net/http"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/account/meter"
	"github.com/waygate/waygate/account/notice"
	"github.com/waygate/waygate/account/overview"
	"github.com/waygate/waygate/account/stripe"
	"github.com/waygate/waygate/account/x402"
	"github.com/waygate/waygate/engine/body"
	"github.com/waygate/waygate/feature/directions"
	"github.com/waygate/waygate/feature/feedback"
	"github.com/waygate/waygate/feature/isochrone"
	"github.com/waygate/waygate/feature/matrix"
	"github.com/waygate/waygate/feature/osrm"
	"github.com/waygate/waygate/realdata"
	"github.com/waygate/waygate/world"
)

// pending are rows of the contract that are not built yet. A row that is
// built must leave this list.
const pending = `
POST /elevation
POST /elevation/along
GET /timezone
GET /boundary
GET /v1/zones
POST /v1/cameras/along
POST /v1/incidents/along
POST /v1/fuel/along
POST /v1/charging/along
POST /v1/ev/plan
POST /v1/weather/along
POST /v1/clearance/along
POST /v1/route/observations
POST /v1/route/heritage
POST /v1/errands/plan
GET /pointclouds/{dataset}/{file}
POST /optimise
POST /optimize
POST /optimise/replan
POST /optimize/replan
POST /v1/cluster
POST /v1/jobs/optimise
POST /v1/jobs/replan
POST /v1/jobs/matrix
GET /v1/jobs
GET /v1/jobs/{id}
GET /geocode
GET /geocode/reverse
GET /geocode/suggest
GET /geocode/retrieve
GET /geocode/selection
POST /geocode/batch
PUT /places
GET /places
DELETE /places
GET /places/search
GET /places/nearest
GET /v1/places/in-view
GET /v1/transit/vehicles
GET /v1/transit/stops
GET /v1/transit/departures
POST /v1/voice/clips
GET /v1/voice/clips/{hash}.{ext}
GET /v1/voice/bank
POST /styles
GET /styles
GET /styles/{spec}
GET /styles/{spec}/theme
GET /sprite/{file}
GET /v1/static-map
POST /v1/static-map
GET {website}/api/static-map
POST {website}/api/static-map
POST {website}/api/verify
POST {website}/api/map-as-text
POST /verify
GET /territories
GET /territories/index.sig
GET /territories/{id}/{version}/manifest
GET /territories/{id}/{version}/manifest.sig
GET /territories/{id}/{version}/layers/{addr}/{file}
POST /admin/styles/{id}/owner
`

func testAPI(t *testing.T) *API {
	t.Helper()
	// The table needs nobody behind the desks.
	office := Office{new(meter.Gate), new(account.Accounts), new(overview.Overview), new(notice.Notices), new(stripe.Desk), new(x402.Till), new(feedback.Desk)}
	a, err := New(Options{Acquire: func() (*world.World, func()) { return nil, func() {} }, Office: office})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestRowsAreTheContract(t *testing.T) {
	contract := contractRows(t)
	waiting := map[string]bool{}
	for name := range strings.Lines(strings.TrimSpace(pending)) {
		waiting[strings.TrimSpace(name)] = true
	}
	built := map[string]bool{}
	for _, r := range testAPI(t).rows {
		built[r.label()] = true
		want, ok := contract[r.label()]
		switch {
		case (r.operational || r.extra) && ok:
			t.Errorf("%s is of the contract, not beyond it", r.label())
		case r.operational || r.extra:
		case !ok:
			t.Errorf("%s is not in the contract", r.label())
		case want.auth != string(r.auth) || want.class != string(r.class) || want.maps != r.maps:
			t.Errorf("%s: auth %s, class %s, maps %v; the contract has %s, %s, %v", r.label(), r.auth, r.class, r.maps, want.auth, want.class, want.maps)
		}
		if waiting[r.label()] {
			t.Errorf("%s is built and still pending", r.label())
		}
	}
	for name := range contract {
		if !built[name] && !waiting[name] {
			t.Errorf("%s is neither built nor pending", name)
		}
	}
	for name := range waiting {
		if _, ok := contract[name]; !ok {
			t.Errorf("%s is pending and not in the contract", name)
		}
	}
}

// TestStrangersAreLimited holds that a public endpoint which writes or looks a
// token up is limited by client network, but for the one that is signed.
func TestStrangersAreLimited(t *testing.T) {
	for _, r := range testAPI(t).rows {
		writes := r.auth == public && (r.method != http.MethodGet || strings.Contains(r.path, "{token}"))
		if signed := r.path == "/v1/stripe/webhook"; writes && r.account == signed {
			t.Errorf("%s: writes or looks a token up, account %v", r.label(), r.account)
		}
		if r.weight() < 1 || r.units < 0 || r.units > 0 && !r.metered() {
			t.Errorf("%s: weighs %d units", r.label(), r.units)
		}
	}
}

type contractRow struct {
	auth, class string
	maps        bool
}

func contractRows(t *testing.T) map[string]contractRow {
	t.Helper()
	f, err := os.Open(realdata.Beside(t, "contract/endpoints.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	r := csv.NewReader(f)
	r.Comma, r.LazyQuotes, r.FieldsPerRecord = '\t', true, -1
	all, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]contractRow{}
	for _, c := range all[1:] {
		rows[c[0]+" "+c[1]] = contractRow{auth: c[2], maps: c[3] == "yes", class: c[4]}
	}
	if len(rows) < 100 {
		t.Fatalf("only %d rows in the contract", len(rows))
	}
	return rows
}

func TestDocumentHasEveryRow(t *testing.T) {
	a := testAPI(t)
	paths := a.newBindingWithRows(t)
	for _, r := range a.rows {
		if _, listed := paths[r.label()]; listed == r.operational {
			t.Errorf("%s: in the document %v, operational %v", r.label(), listed, r.operational)
		}
	}
}

// newBindingWithRows describes the rows anew and lists what was described.
func (a *API) newBindingWithRows(t *testing.T) map[string]bool {
	t.Helper()
	b := a.newBinding()
	for _, r := range a.routes(b) {
		r.serve(b, r)
	}
	described := map[string]bool{}
	for path, item := range b.huma.OpenAPI().Paths {
		if item.Get != nil {
			described[http.MethodGet+" "+path] = true
		}
		if item.Post != nil {
			described[http.MethodPost+" "+path] = true
		}
		if item.Delete != nil {
			described[http.MethodDelete+" "+path] = true
		}
	}
	return described
}

func TestDescribedMembersAreTheReadOnes(t *testing.T) {
	if got, want := membersOf(reflect.TypeFor[RouteRequest]()), directions.Members(); !slices.Equal(got, want) {
		for _, name := range want {
			if !slices.Contains(got, name) {
				t.Errorf("%s is read and not described", name)
			}
		}
		for _, name := range got {
			if !slices.Contains(want, name) {
				t.Errorf("%s is described and not read", name)
			}
		}
	}
	if got, want := membersOf(reflect.TypeFor[RouteLocation]()), body.LocationMembers(); !slices.Equal(got, want) {
		t.Errorf("a location is described with %v and read with %v", got, want)
	}
	if got, want := membersOf(reflect.TypeFor[MatrixRequest]()), matrix.Members(); !slices.Equal(got, want) {
		t.Errorf("a matrix is described with %v and read with %v", got, want)
	}
	if got, want := membersOf(reflect.TypeFor[IsochroneRequest]()), isochrone.Members(); !slices.Equal(got, want) {
		t.Errorf("an isochrone is described with %v and read with %v", got, want)
	}
	var described []string
	for _, p := range compatibleParameters() {
		if p.In == "query" {
			described = append(described, p.Name)
		}
	}
	slices.Sort(described)
	var read []string
	for _, name := range directions.Parameters() {
		if !slices.Contains(silent, name) {
			read = append(read, name)
		}
	}
	if !slices.Equal(described, read) {
		t.Errorf("the query is described with %v and read with %v", described, read)
	}
}

func TestDescribedParametersAreTheReadOnes(t *testing.T) {
	for service, read := range map[string][]string{
		"table": osrm.TableParameters(), "nearest": osrm.NearestParameters(), "match": osrm.MatchParameters(), "trip": osrm.TripParameters(),
	} {
		var described []string
		for _, p := range familyParameters("", read) {
			described = append(described, p.Name)
		}
		for _, name := range read {
			if slices.Contains(described, name) == slices.Contains(silent, name) {
				t.Errorf("%s: %s is described %v", service, name, slices.Contains(described, name))
			}
		}
	}
}

func membersOf(t reflect.Type) []string {
	var names []string
	for i := range t.NumField() {
		if t.Field(i).Anonymous {
			names = append(names, membersOf(t.Field(i).Type)...)
			continue
		}
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
