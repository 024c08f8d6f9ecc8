package native

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/feature/directions"
	"github.com/waygate/waygate/feature/isochrone"
	"github.com/waygate/waygate/feature/mapmatch"
	"github.com/waygate/waygate/feature/matrix"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/wire/schema"
)

type eng struct {
	engine.Unable
	can engine.Can
}

func (e eng) Can() engine.Can { return e.can }

func show(v any) string {
	b, _ := json.Marshal(v)
	if string(b) == "null" {
		return "{}"
	}
	return string(b)
}

func TestZZ(t *testing.T) {
	files, _ := filepath.Glob("../../e2e/testdata/answers/*.txt")
	more, _ := filepath.Glob("../../e2e/testdata/answers/valhalla/*.txt")
	bounds := geo.Bounds{Min: geo.Point{Lon: -7.4, Lat: 49.2}, Max: geo.Point{Lon: -7.0, Lat: 49.5}}
	n, diffs := 0, 0
	for _, f := range append(files, more...) {
		text, _ := os.ReadFile(f)
		for _, q := range strings.Split("\n"+string(text), "\n=== ")[1:] {
			head, _, _ := strings.Cut(q, "\n--- ")
			lines := strings.SplitN(head, "\n", 3)
			if len(lines) < 3 {
				continue
			}
			path := strings.TrimSpace(strings.TrimPrefix(lines[1], "POST "))
			body := lines[2]
			if i := strings.Index(body, "\n{"); i >= 0 && strings.HasPrefix(body, "\n") == false {
				body = body[i:]
			}
			for _, remote := range []bool{false, true} {
				can := engine.Can{AlternatesVia: !remote, ShapeFormats: !remote, UnknownMembers: remote, MatchConditions: remote}
				e := eng{can: can}
				var old, new string
				ctx := context.Background()
				o := schema.Options{Bounds: bounds}
				switch path {
				case "/route":
					r, err := (&directions.Service{Engine: e, Bounds: bounds}).Native([]byte(body))
					if err != nil {
						old = err.Error()
					} else {
						old = show(r.Route) + show(r.Route.Options.Raw()) + fmt.Sprint(directions.WarningsOf(r), r.Features(), r.Rationale, r.Landmarks)
					}
					var in RouteRequest
					w, err := schema.Of[RouteRequest]().Read(ctx, []byte(body), &in, o)
					if err == nil {
						var out *Route
						if out, err = in.Route(can); err == nil {
							new = show(out.Route) + show(out.Route.Options.Raw()) + fmt.Sprint(append(w, out.Warnings...), in.Features(), out.Rationale, out.Landmarks)
						}
					}
					if err != nil {
						new = err.Error()
					}
				case "/matrix":
					doc, err := directions.Object([]byte(body))
					if err == nil {
						var r *matrix.Request
						if r, err = (&matrix.Service{Engine: e, Bounds: bounds}).Read(doc); err == nil {
							old = show(r.Matrix) + show(r.Matrix.Options.Raw())
						}
					}
					if err != nil {
						old = err.Error()
					}
					var in MatrixRequest
					_, err = schema.Of[MatrixRequest]().Read(ctx, []byte(body), &in, o)
					if err == nil {
						var out *engine.MatrixRequest
						if out, _, err = in.Matrix(can, 250000); err == nil {
							new = show(out) + show(out.Options.Raw())
						}
					}
					if err != nil {
						new = err.Error()
					}
				case "/isochrone":
					doc, err := directions.Object([]byte(body))
					if err == nil {
						var r *isochrone.Request
						if r, err = (&isochrone.Service{Engine: e, Bounds: bounds}).Read(doc); err == nil {
							old = show(r.Isochrone) + show(r.Isochrone.Options.Raw())
						}
					}
					if err != nil {
						old = err.Error()
					}
					var in IsochroneRequest
					_, err = schema.Of[IsochroneRequest]().Read(ctx, []byte(body), &in, o)
					if err == nil {
						var out *engine.IsochroneRequest
						if out, _, err = in.Isochrone(can); err == nil {
							new = show(out) + show(out.Options.Raw())
						}
					}
					if err != nil {
						new = err.Error()
					}
				case "/trace_route", "/trace_attributes":
					doc, err := directions.Object([]byte(body))
					if err == nil {
						var r *mapmatch.Request
						if r, err = (&mapmatch.Service{Engine: e}).Read(doc); err == nil {
							old = show(r.Match) + show(r.Match.Options.Raw())
						}
					}
					if err != nil {
						old = err.Error()
					}
					var in TraceRequest
					_, err = schema.Of[TraceRequest]().Read(ctx, []byte(body), &in, o)
					if err == nil {
						var out *engine.MatchRequest
						if out, _, err = in.Match(can, false); err == nil {
							new = show(out) + show(out.Options.Raw())
						}
					}
					if err != nil {
						new = err.Error()
					}
				case "/locate", "/centroid":
					quest := directions.Quest{Least: 1, Most: 100, Own: []string{"verbose"}}
					if path == "/centroid" {
						quest = directions.Quest{Least: 2, Most: 10, Costing: true, Narrated: true, Bending: []string{"avoid_locations", "avoid_polygons", "exclude_locations", "exclude_polygons", "speed_types"}}
					}
					r, err := (&directions.Service{Engine: e, Bounds: bounds}).Places([]byte(body), quest)
					if err != nil {
						old = err.Error()
					} else {
						old = show(r.Route.Locations) + show(r.Route.Options.Raw()) + show(r.Route.Bends) + show(r.Route.Extra) + fmt.Sprint(r.Warnings)
					}
					if path == "/locate" {
						var in LocateRequest
						w, err := schema.Of[LocateRequest]().Read(ctx, []byte(body), &in, o)
						if err == nil {
							out, w2, e2 := in.Locate(can)
							if err = e2; err == nil {
								new = show(out.Locations) + show(out.Options.Raw()) + show(engine.Bends{}) + show(out.Extra) + fmt.Sprint(append(w, w2...))
							}
						}
						if err != nil {
							new = err.Error()
						}
					} else {
						var in CentroidRequest
						w, err := schema.Of[CentroidRequest]().Read(ctx, []byte(body), &in, o)
						if err == nil {
							out, w2, e2 := in.Centroid(can)
							if err = e2; err == nil {
								new = show(out.Locations) + show(out.Options.Raw()) + show(out.Bends) + show(out.Extra) + fmt.Sprint(append(w, w2...))
							}
						}
						if err != nil {
							new = err.Error()
						}
					}
				default:
					continue
				}
				n++
				old = strings.ReplaceAll(old, "null{}[]", "null")
				if old != new {
					diffs++
					k := 0
					for k < len(old) && k < len(new) && old[k] == new[k] {
						k++
					}
					k = max(0, k-30)
					old, new = old[min(k, len(old)):], new[min(k, len(new)):]
					if len(old) > 300 {
						old = old[:300]
					}
					if len(new) > 300 {
						new = new[:300]
					}
					t.Errorf("%s %q remote=%v\nold %s\nnew %s", filepath.Base(f), lines[0], remote, old, new)
				}
			}
		}
	}
	t.Log(n, diffs)
	_ = reflect.DeepEqual
}
