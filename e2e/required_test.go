package e2e

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
)

// either are endpoints of which one of several members is needed, which a list of required
// members cannot say. Their documents say it in words.
var either = []string{
	"POST /geocode", "POST /isochrone", "POST /matrix", "POST /sources_to_targets", "POST /v1/jobs/matrix", "POST /v1/cluster",
	"POST /route/along", "POST /route/report", "POST /route/progress", "POST /trace_route", "POST /trace_attributes", "POST /elevation/along",
	"POST /v1/cameras/along", "POST /v1/incidents/along", "POST /v1/fuel/along", "POST /v1/charging/along", "POST /v1/weather/along", "POST /v1/watches",
	"POST /v1/errands/plan", "POST /v1/ev/plan", "POST /verify", "POST /api/verify",
	"POST /optimise", "POST /optimize", "POST /optimise/replan", "POST /optimize/replan", "POST /v1/jobs/optimise", "POST /v1/jobs/replan",
	"GET /v1/static-map", "GET /api/static-map",
	"GET /photon/structured", "GET /nominatim/search",
}

// TestRequiredIsDescribed sends every example of the document with no more than its required
// members: what the gateway needs is described as required. And it sends null for every other
// member, which the document and the gateway take.
func TestRequiredIsDescribed(t *testing.T) {
	t.Parallel()
	g := start(t, []string{"SVC_DATA_DIR=" + t.TempDir(), "SVC_DEMO_RPM=100000", "SVC_ADMIN_TOKEN=" + adminToken, "SVC_SAMPLE_TRAFFIC=false", "SVC_SAMPLE_SURVEY=false"}, "run")
	document, err := openapi3.NewLoader().LoadFromData(g.get(t, "/openapi.json").ok(t).body)
	if err != nil {
		t.Fatal(err)
	}
	tried := 0
	for path, item := range document.Paths.Map() {
		for method, op := range item.Operations() {
			name := method + " " + path
			switch {
			case strings.Contains(path, "{") || strings.HasPrefix(path, "/v1/console/") || path == "/v1/stripe/webhook":
			case op.RequestBody == nil && method == http.MethodGet:
				needs := slices.ContainsFunc(op.Parameters, func(p *openapi3.ParameterRef) bool { return p.Value.Required })
				if a := g.get(t, path); a.status == http.StatusBadRequest && !needs && !slices.Contains(either, name) {
					t.Errorf("%s needs a parameter and describes none as required: %s", name, a)
				}
			case op.RequestBody != nil && op.RequestBody.Value.Content["application/json"] != nil:
				media := op.RequestBody.Value.Content["application/json"]
				if media.Example == nil {
					continue
				}
				tried++
				send := func(body any) *answer {
					text, err := json.Marshal(body)
					if err != nil {
						t.Fatal(err)
					}
					if strings.HasPrefix(path, "/admin/") {
						return g.send(t, method, path, string(text), "Authorization: Bearer "+adminToken)
					}
					return g.send(t, method, path, string(text))
				}
				least, nulls := reduced(media.Schema.Value, media.Example, false), reduced(media.Schema.Value, media.Example, true)
				for i, body := range []any{nulls, least} {
					if err := media.Schema.Value.VisitJSON(body, openapi3.MultiErrors()); err != nil {
						t.Errorf("%s: the document refuses %v: %v", name, body, err)
					}
					if i == 1 && slices.Contains(either, name) {
						continue
					}
					if a := send(body); a.status == http.StatusBadRequest {
						t.Errorf("%s of %v: %s", name, body, a)
					}
				}
			}
		}
	}
	if tried < 30 {
		t.Errorf("only %d examples", tried)
	}
}

// reduced leaves of an example what is required; or all of it, with null for every member of a
// known type that it does not have.
func reduced(s *openapi3.Schema, example any, nulls bool) any {
	switch example := example.(type) {
	case map[string]any:
		out := map[string]any{}
		for name, p := range s.Properties {
			v, given := example[name]
			for _, one := range p.Value.AnyOf { // of a part that may be null
				if given && len(one.Value.Properties) > 0 {
					p = one
				}
			}
			switch required := slices.Contains(s.Required, name); {
			case given && (required || nulls):
				out[name] = reduced(p.Value, v, nulls)
			case nulls && (p.Value.Type != nil || p.Value.AnyOf != nil):
				out[name] = nil
			}
		}
		return out
	case []any:
		out := []any{}
		for _, v := range example {
			out = append(out, reduced(s.Items.Value, v, nulls))
		}
		return out
	}
	return example
}
