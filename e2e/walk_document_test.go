package e2e

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// description is the gateway's document as the walk reads it.
type description struct {
	known      map[*operation]*requestShape
	Paths      map[string]map[string]*operation
	Components struct{ Schemas map[string]*form }
}

// operation is an endpoint of the document.
type operation struct {
	method, path string
	Tags         []string
	Parameters   []*parameter
	RequestBody  *struct {
		Content map[string]struct {
			Schema  *form
			Example any
		}
	}
}

type parameter struct {
	Name, In, Description string
	Required              bool
	Schema                *form
}

// form is a schema.
type form struct {
	Ref         string `json:"$ref"`
	Type        kinds
	Description string
	Properties  map[string]*form
	Items       *form
	OneOf       []*form
	AnyOf       []*form
	AllOf       []*form
	Enum        []any
	Required    []string
	Format      string
	Pattern     string
	Deprecated  bool
	Default     any `json:"x-default"`
	Minimum     *float64
	Maximum     *float64
	MinItems    int
	MaxItems    *int
	MaxLength   *int
}

// kinds is the type of a schema, without null.
type kinds string

func (k *kinds) UnmarshalJSON(text []byte) error {
	var several []string
	if err := json.Unmarshal(text, &several); err != nil {
		var one string
		if err := json.Unmarshal(text, &one); err != nil {
			return err
		}
		several = []string{one}
	}
	for _, one := range several {
		if one != "null" {
			*k = kinds(one)
		}
	}
	return nil
}

// walked are the families whose endpoints compute; others keep accounts.
var walked = []string{"routing", "analysis", "planning", "compatible", "geocoding", "ground", "coordinates", "adr", "maps", "places", "reports", "transit", "voice"}

// sameAs are endpoints that are other names of walked ones, and those that give files
// as they lie on disk or take the token of a link.
var sameAs = regexp.MustCompile(`^/(sources_to_targets|optimize.*|v1/static-map|api/verify|fonts/.*|sprite/.*|territories.*|pointclouds/.*|v1/jobs/\{id\}|v1/jobs|v1/watches/\{id\}|styles/\{spec\}.*|tiles/.*\.pbf|v1/feedback|v1/voice/clips/.*|v1/plans/.*|v1/driver.*|v1/arrival)$`)

// operations lists those that the walk calls, by path.
func (d *description) operations(t testing.TB, document *answer) (all []*operation) {
	t.Helper()
	document.into(t, d)
	for _, path := range slices.Sorted(maps.Keys(d.Paths)) {
		for _, method := range slices.Sorted(maps.Keys(d.Paths[path])) {
			o := d.Paths[path][method]
			o.method, o.path = strings.ToUpper(method), path
			posted := slices.ContainsFunc(o.Parameters, func(p *parameter) bool { return p.Name == "json" }) // another form of POST
			if o.method != "DELETE" && !posted && !sameAs.MatchString(path) && slices.Contains(walked, o.Tags[0]) {
				all = append(all, o)
			}
		}
	}
	if len(all) < 40 {
		t.Fatalf("the document has %d endpoints that compute", len(all))
	}
	return all
}

func (o *operation) String() string { return o.method + " " + o.path }

// estimates reports whether the endpoint can answer with what a call would cost.
func (o *operation) estimates() bool {
	return slices.ContainsFunc(o.Parameters, func(p *parameter) bool { return p.Name == "estimate" })
}

// job reports whether the endpoint only takes work, which goes on after its answer.
func (o *operation) job() bool { return strings.HasPrefix(o.path, "/v1/jobs/") }

// speaks reports whether the endpoint has clips of speech made, which go on after their caller
// has left: the next call has them.
func (o *operation) speaks() bool { return strings.HasPrefix(o.path, "/v1/voice/") }

// body returns the schema of the body and its example, nil without one.
func (o *operation) body() (*form, map[string]any) {
	if o.RequestBody == nil {
		return nil, nil
	}
	content := o.RequestBody.Content["application/json"]
	example, _ := content.Example.(map[string]any)
	return content.Schema, example
}

// resolve follows references, and takes the richest of several forms.
func (d *description) resolve(s *form) *form {
	for s != nil {
		switch several := slices.Concat(s.OneOf, s.AnyOf, s.AllOf); {
		case s.Ref != "":
			said := s.Description
			target := *d.Components.Schemas[strings.TrimPrefix(s.Ref, "#/components/schemas/")]
			if said != "" {
				target.Description = said
			}
			s = &target
		case len(several) > 0:
			s = slices.MaxFunc(several, func(a, b *form) int { return len(d.resolve(a).Properties) - len(d.resolve(b).Properties) })
		default:
			return s
		}
	}
	return s
}

// member is a member of a request that the walk sets: its path, such as
// locations[].heading, ?limit of a query or {coordinates} of an address.
type requestMember struct {
	path string
	form *form
}

// idle are members without effect of their own.
var idle = regexp.MustCompile(`(?i)older name|former place|other name of|another name of|in place of a bearer|without effect|passed to a remote|a 501 on engines|accepted and ignored|accepted:|accepted for compat`)

// lineBody is the path of a body that is a line in GeoJSON.
const lineBody = "body"

// requestShape has the parts that the requests of an endpoint have.
type requestShape struct {
	members []requestMember
	parents map[string]*form // objects that members lie in, by their path
}

// requestShape lists the members of an endpoint's requests.
func (d *description) requestShape(o *operation) *requestShape {
	if a := d.known[o]; a != nil {
		return a
	}
	a := &requestShape{parents: map[string]*form{}}
	for _, p := range o.Parameters {
		if p.In == "header" || p.Name == "estimate" || idle.MatchString(p.Description) {
			continue
		}
		s := *d.resolve(p.Schema)
		if s.Description == "" {
			s.Description = p.Description
		}
		if p.In == "path" {
			a.members = append(a.members, requestMember{"{" + p.Name + "}", &s})
		} else {
			a.members = append(a.members, requestMember{"?" + p.Name, &s})
		}
	}
	if o.method == "POST" && o.RequestBody == nil { // a body that the document does not describe
		a.members = append(a.members, requestMember{lineBody, &form{Type: "line"}})
	}
	if s, example := o.body(); s != nil {
		costing, _ := example["costing"].(string)
		if costing == "" {
			costing = "auto"
		}
		d.descend(s, "", costing, 0, a)
	}
	if d.known == nil {
		d.known = map[*operation]*requestShape{}
	}
	d.known[o] = a
	return a
}

func (d *description) descend(s *form, path, costing string, depth int, a *requestShape) {
	if s = d.resolve(s); s == nil || depth > 6 || s.Deprecated || idle.MatchString(s.Description) {
		return
	}
	if strings.HasPrefix(path, "costing_options.") && !strings.HasPrefix(path, "costing_options."+costing) {
		return
	}
	switch {
	case path == "" || s.Type == "":
	case s.Type == "object":
		a.parents[path] = s
	default:
		a.members = append(a.members, requestMember{path, s})
	}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		if name == "lat" || name == "lon" {
			continue // where places lie is the list's
		}
		d.descend(s.Properties[name], strings.TrimPrefix(path+"."+name, "."), costing, depth+1, a)
	}
	if inner := d.resolve(s.Items); inner != nil && (inner.Type == "object" || inner.Type == "array" && !isPair(d, inner)) {
		d.descend(inner, path+"[]", costing, depth+1, a)
	}
}

// isPair reports whether a list is a position, [lon, lat], or a window of time.
func isPair(d *description, s *form) bool {
	inner := d.resolve(s.Items)
	return s.Type == "array" && s.MinItems == 2 && inner != nil && (inner.Type == "number" || inner.Type == "integer")
}

// at finds the schema of a member.
func (d *description) at(o *operation, path string) (*form, error) {
	for _, l := range d.requestShape(o).members {
		if l.path == path {
			return l.form, nil
		}
	}
	return nil, fmt.Errorf("%s has no member %s", o, path)
}
