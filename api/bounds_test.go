package api_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/api"
	"github.com/waygate/waygate/api/apitest"
	"github.com/waygate/waygate/feature/geocode"
	"github.com/waygate/waygate/feature/geocode/geocodetest"
	"github.com/waygate/waygate/wire/schema/schematest"
)

// bound is a change of a right request to one side of one bound of a schema.
type bound struct {
	at     []string // members on the way; "0" is the first entry of a list
	value  any
	within bool
	rule   string // of the schema
}

// bounds walks a schema and gives what is on either side of each of its bounds.
func bounds(doc, s map[string]any, at []string, depth int) (all []bound) {
	s = resolved(doc, s)
	add := func(rule string, within bool, value any) {
		all = append(all, bound{slices.Clone(at), value, within, rule})
	}
	kind, _ := s["type"].(string)
	if list, ok := s["type"].([]any); ok {
		kind = fmt.Sprint(list[0])
	}
	step := 1.0
	if kind == "number" {
		step = 0.5
	}
	number := func(rule string) (float64, bool) { v, ok := s[rule].(float64); return v, ok }
	if v, ok := number("minimum"); ok {
		add("minimum", false, v-step)
		add("minimum", true, v)
	}
	if v, ok := number("maximum"); ok {
		add("maximum", false, v+step)
		add("maximum", true, v)
	}
	if v, ok := number("exclusiveMinimum"); ok {
		add("exclusiveMinimum", false, v)
		add("exclusiveMinimum", true, v+step)
	}
	if enum, ok := s["enum"].([]any); ok {
		for _, word := range enum {
			add("enum", true, word)
		}
		add("enum", false, "none-of-these")
	}
	if v, ok := number("maxLength"); ok && v < 5000 && s["pattern"] == nil && s["format"] == nil {
		add("maxLength", false, strings.Repeat("a", int(v)+1))
	}
	if s["pattern"] != nil {
		add("pattern", false, "\u00a7")
	}
	if s["format"] == "uuid" || s["format"] == "date" || s["format"] == "date-time" {
		add("format", false, "none of these")
	}
	switch kind {
	case "boolean":
		add("type", false, "neither")
		add("type", true, true)
		add("type", true, false)
	case "integer":
		add("type", false, 1.5)
		add("type", false, "1")
	case "number":
		add("type", false, "1")
	case "string":
		add("type", false, 7)
	case "object":
		add("type", false, "no object")
	case "array":
		add("type", false, "no list")
	}
	all = append(all, listBounds(doc, s, at, depth, add)...)
	properties, _ := s["properties"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		if depth > 0 {
			all = append(all, bounds(doc, properties[name].(map[string]any), append(slices.Clone(at), name), depth-1)...)
		}
	}
	required, _ := s["required"].([]any)
	for _, name := range required {
		all = append(all, bound{append(slices.Clone(at), name.(string)), nil, false, "required"})
	}
	return all
}

func listBounds(doc, s map[string]any, at []string, depth int, add func(string, bool, any)) []bound {
	items, ok := s["items"].(map[string]any)
	if !ok {
		return nil
	}
	of := func(n int) []any {
		list := make([]any, n)
		for i := range list {
			list[i] = least(doc, items)
		}
		return list
	}
	if v, ok := s["minItems"].(float64); ok && v > 0 {
		add("minItems", false, of(int(v)-1))
	}
	if v, ok := s["maxItems"].(float64); ok && v < 1500 {
		add("maxItems", false, of(int(v)+1))
	}
	if depth == 0 {
		return nil
	}
	return bounds(doc, items, append(slices.Clone(at), "0"), depth-1)
}

func resolved(doc, s map[string]any) map[string]any {
	ref, ok := s["$ref"].(string)
	if !ok {
		return s
	}
	components := doc["components"].(map[string]any)["schemas"].(map[string]any)
	return resolved(doc, components[ref[strings.LastIndexByte(ref, '/')+1:]].(map[string]any))
}

// least makes the smallest value that a schema takes.
func least(doc, s map[string]any) any {
	s = resolved(doc, s)
	if enum, ok := s["enum"].([]any); ok {
		return enum[0]
	}
	switch s["type"] {
	case "boolean":
		return true
	case "integer", "number":
		v, _ := s["minimum"].(float64)
		return math.Max(v, 1)
	case "string":
		n, _ := s["minLength"].(float64)
		return strings.Repeat("a", max(1, int(n)))
	case "array":
		n, _ := s["minItems"].(float64)
		list := []any{}
		for range int(n) {
			list = append(list, least(doc, s["items"].(map[string]any)))
		}
		return list
	}
	value := map[string]any{}
	required, _ := s["required"].([]any)
	for _, name := range required {
		value[name.(string)] = least(doc, s["properties"].(map[string]any)[name.(string)].(map[string]any))
	}
	return value
}

// changed puts a value in its place in a copy of a request; nil takes the member
// out. Objects and lists on the way are made where there are none.
func changed(doc, s map[string]any, request any, at []string, value any) any {
	if len(at) == 0 {
		return value
	}
	s = resolved(doc, s)
	if at[0] == "0" {
		list, _ := request.([]any)
		list = slices.Clone(list)
		items := s["items"].(map[string]any)
		for n, _ := s["minItems"].(float64); len(list) == 0 || len(list) < int(n); {
			list = append(list, least(doc, items))
		}
		list[0] = changed(doc, items, list[0], at[1:], value)
		return list
	}
	object, _ := request.(map[string]any)
	if object = maps.Clone(object); object == nil {
		object, _ = least(doc, s).(map[string]any)
	}
	if value == nil && len(at) == 1 {
		delete(object, at[0])
		return object
	}
	object[at[0]] = changed(doc, s["properties"].(map[string]any)[at[0]].(map[string]any), object[at[0]], at[1:], value)
	return object
}

// where words a place as refusals do.
func where(at []string) string {
	text := ""
	for _, name := range at {
		switch {
		case name == "0":
			text += "[0]"
		case text == "":
			text = name
		default:
			text += "." + name
		}
	}
	return text
}

// about reports whether a refusal is about a place, what holds it or what it holds.
func about(r apitest.Reply, at string) bool {
	var problem struct {
		Type     string
		Errors   []struct{ Location string }
		Problems []struct { // of an upload of places
			Index int
			Field string
		}
	}
	if json.Unmarshal(r.Body, &problem) != nil {
		return false
	}
	if kind := strings.TrimPrefix(problem.Type, "urn:svc-gateway:problem:"); kind == "invalid-email" && at == "email" || kind == "tos-not-accepted" && at == "accept_tos" {
		return true
	}
	for i, one := range batched(r) {
		for _, e := range one {
			problem.Errors = append(problem.Errors, struct{ Location string }{fmt.Sprintf("queries[%d].%s", i, e)})
		}
	}
	for _, p := range problem.Problems {
		problem.Errors = append(problem.Errors, struct{ Location string }{strings.TrimSuffix(fmt.Sprintf("places[%d].%s", p.Index, p.Field), ".")})
	}
	return slices.ContainsFunc(problem.Errors, func(e struct{ Location string }) bool {
		return e.Location == at || e.Location == "body" && at == "" || strings.HasPrefix(e.Location, at+".") || strings.HasPrefix(e.Location, at+"[") || strings.HasPrefix(at, e.Location+".") || strings.HasPrefix(at, e.Location+"[")
	})
}

// batched returns the places that the queries of a batch are refused for, by query.
func batched(r apitest.Reply) [][]string {
	var batch struct {
		Results []struct {
			Problem struct {
				Errors []struct{ Location string }
			}
		}
	}
	_ = json.Unmarshal(r.Body, &batch)
	all := make([][]string, len(batch.Results))
	for i, one := range batch.Results {
		for _, e := range one.Problem.Errors {
			all[i] = append(all[i], e.Location)
		}
	}
	return all
}

// refuses reports whether a request is refused for a place: as a whole, or of a
// batch the query there.
func refuses(r apitest.Reply, path, at string) bool {
	switch {
	case path == "/places" && r.Status == http.StatusUnprocessableEntity, path == "/geocode/batch" && r.Status == http.StatusOK, r.Status == http.StatusBadRequest:
		return about(r, at) || strings.Contains(string(r.Body), "problem:invalid-avoid")
	}
	return false
}

// elsewhere are places whose values the schema allows and the rest of the request
// does not, by how they end, each with the reason.
var elsewhere = map[string]string{
	"street_side_tolerance":     "must be below street_side_max_distance",
	"exclude_polygons[0][0][0]": "one corner three times is no ring",
	"polygon[0][0][0]":          "a corner at the other end of the world makes a ring that crosses itself",
	"shape[0].lat":              "stands beside the locations of the example",
	"shape[0].lon":              "stands beside the locations of the example",
	"errands[0].place.lat":      "stands beside the category of the example",
	"errands[0].place.lon":      "stands beside the category of the example",
	"durations[0]":              "needs one for each two positions of the example",
	"directions_options.format": "POST /centroid has one form",
	"clearance":                 "is of lorries only, and the example is a car",
	"queries[0].lat":            "stands beside the q of the example",
	"queries[0].lon":            "stands beside the q of the example",
	"queries[0].kinds[0]":       "is of queries by place, and the example is by text",
	"queries[0].bbox[0]":        "one number four times over",
	"time_limit_s":              "may be longer of a job only",
	"clusters":                  "is more than the locations of the example",
	"max_cluster_load":          "stands beside the clusters of the example",
	"max_cluster_locations":     "stands beside the clusters of the example",
	"max_cluster_service_s":     "stands beside the clusters of the example",
	".service":                  "is another name of the service_s of the example",
	"breaks[0].service_s":       "has to fit into the shift of the example",
	"time_window[0]":            "is one side of a pair",
	"time_windows[0][0]":        "is one side of a pair",
	"reloads.max_trips":         "cannot be re-planned",
	"reloads.reload_time_s":     "cannot be re-planned",
	"reloads.depot.lat":         "cannot be re-planned",
	"reloads.depot.lon":         "cannot be re-planned",
	"steps[0].type":             "is that of the job of the example",
	"base.move[0].index":        "stands beside the sources of the example",
	"open_now":                  "needs the kind that the example has not",
	"accept_tos":                "must be true",
	"stops[0].begin_s":          "is at arrival_s at the earliest",
	"stops[0].end_s":            "is at begin_s at the earliest",
}

// depends reports whether a value within its bounds may be refused for another.
func depends(at string) bool {
	return slices.ContainsFunc(slices.Collect(maps.Keys(elsewhere)), func(end string) bool { return strings.HasSuffix(at, end) })
}

// plans are the paths of plans, and identified the places of ids in their bodies.
var (
	plans      = regexp.MustCompile(`/(optimi[sz]e|replan|plans|driver)`)
	identified = regexp.MustCompile(`(id|vehicle|stop)$`)
)

// TestBoundsAreEnforced goes to both sides of each bound that the document states
// of the bodies of requests: what is without must be refused, and what is within
// must not be refused for its shape.
func TestBoundsAreEnforced(t *testing.T) {
	if testing.Short() {
		t.Skip("asks thousands of questions, one after the other")
	}
	g, _ := apitest.Drawn(t, func(o *api.Options) {
		o.Geocode = &geocode.Service{Own: []geocode.Source{{Bounds: geocodetest.Bounds, Index: geocodetest.Index(t)}}}
	}) // elsewhere than the examples: what is taken ends there
	var doc map[string]any
	if err := json.Unmarshal(g.Send("GET", "/openapi.json", "").Body, &doc); err != nil {
		t.Fatal(err)
	}
	count := 0
	for path, item := range doc["paths"].(map[string]any) {
		for method, operation := range item.(map[string]any) {
			op := operation.(map[string]any)
			body, ok := op["requestBody"].(map[string]any)
			if !ok || path == "/v1/stripe/webhook" || path == "/v1/console/checkout" { // which is signed, and which needs a session
				continue
			}
			media := body["content"].(map[string]any)["application/json"].(map[string]any)
			s := media["schema"].(map[string]any)
			header := wayIn(g, op)
			t.Run(path, func(t *testing.T) {
				for _, b := range bounds(doc, s, nil, 5) {
					request := changed(doc, s, media["example"], b.at, b.value)
					switch {
					case b.at == nil:
					case b.at[0] == "costing_options" && len(b.at) > 2 && path != "/v1/errands/plan" && path != "/v1/ev/plan": // which are by car
						request = changed(doc, s, request, []string{"costing"}, b.at[1])
					case b.at[0] == "adr" && path == "/route":
						request = changed(doc, s, request, []string{"costing"}, "truck")
					case b.at[0] == "transit":
						request = changed(doc, s, request, []string{"costing"}, "transit")
					case b.at[0] == "costing" && b.value == "transit" && path == "/v1/jobs/matrix":
						continue // no job is by public transport
					}
					text, err := json.Marshal(request)
					if err != nil {
						t.Fatal(err)
					}
					if len(b.at) == 0 || b.at[0] == "costing_options" && path != "/route" || strings.HasPrefix(b.at[0], "avoid_") {
						continue // the body itself, what all endpoints read alike, and older names
					}
					at := where(b.at)
					if b.rule == "type" && !b.within && plans.MatchString(path) && identified.MatchString(at) || strings.HasSuffix(at, "_ids[0]") {
						continue // a number is taken for the text of an id, as VROOM has it
					}
					count++
					r := g.Send(strings.ToUpper(method), hole.ReplaceAllString(path, "x"), string(text), header...)
					refused := refuses(r, path, at)
					if refused == b.within && !(b.within && depends(at)) {
						t.Errorf("%s %s of %s: %.60v is within: %v, and the answer %d %.300s", path, b.rule, at, b.value, b.within, r.Status, r.Body)
					}
				}
			})
		}
	}
	if count < 2000 {
		t.Errorf("%d sides of bounds were tried", count)
	}
}

var hole = regexp.MustCompile(`\{\w+\}`)

// wayIn returns the headers of a caller who may call an operation.
func wayIn(g *apitest.Gateway, op map[string]any) []string {
	for _, way := range op["security"].([]any) {
		all := way.(map[string]any)
		switch {
		case all["admin"] != nil:
			return apitest.Bearer(apitest.AdminToken)
		case all["link"] != nil: // which is looked up once the body is read
			return apitest.Bearer(strings.Repeat("x", 32))
		case all["bearer"] != nil:
			return apitest.Bearer(g.Minted(g.T, account.Minting{MonthlyQuota: 1e9, RatePerMin: 1e6}).Secret)
		}
	}
	return nil
}

// TestExamples checks that every body has an example, and that it is one.
func TestExamples(t *testing.T) {
	g := apitest.Start(t)
	d, err := schematest.Read(g.Send("GET", "/openapi.json", "").Body)
	if err != nil {
		t.Fatal(err)
	}
	for _, wrong := range d.Examples() {
		t.Error(wrong)
	}
}
