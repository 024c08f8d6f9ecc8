package apitest

import (
	"context"
	"fmt"
	"testing"

	"github.com/waygate/waygate/api"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/world"
)

// manyWays is the straight-line engine with matrices and circles.
type manyWays struct {
	*StraightLine
	hold chan struct{} // where not nil, Matrix waits for the end of its context
}

// Can returns the calls below and routes.
func (m manyWays) Can() engine.Can {
	can := m.StraightLine.Can()
	can.Calls = append(can.Calls, engine.CallMatrix, engine.CallIsochrone)
	return can
}

// Matrix is as the crow flies at 50 km/h.
func (m manyWays) Matrix(ctx context.Context, r *engine.MatrixRequest) (*engine.MatrixAnswer, error) {
	if m.hold != nil {
		close(m.hold)
		<-ctx.Done()
		return nil, ctx.Err()
	}
	a := &engine.MatrixAnswer{}
	for _, s := range r.Sources {
		var row []engine.MatrixCell
		for _, t := range r.Targets {
			metres := geo.Distance(s.Point, t.Point)
			row = append(row, engine.MatrixCell{Seconds: metres / 50 * 3.6, Metres: metres, Reached: m.region.Contains(s.Point) && m.region.Contains(t.Point)})
		}
		a.Cells = append(a.Cells, row)
	}
	for i, list := range [][]engine.Location{r.Sources, r.Targets} {
		out := make([]engine.Snapped, len(list))
		for j, l := range list {
			if out[j].Point = l.Point; !m.region.Contains(l.Point) {
				out[j] = engine.Snapped{Miss: "no road there"}
			}
		}
		if i == 0 {
			a.Sources = out
		} else {
			a.Targets = out
		}
	}
	return a, nil
}

// Isochrone returns a triangle.
func (m manyWays) Isochrone(_ context.Context, r *engine.IsochroneRequest) (*engine.IsochroneAnswer, error) {
	if !m.region.Contains(r.Location.Point) {
		return nil, engine.Refused(engine.CodeNoSegment, "locations[0] has no road")
	}
	p := r.Location.Point
	body := fmt.Sprintf(`{"features":[{"properties":{"contour":%g,"metric":"time","color":"#bf4040","fill-opacity":0.33},"geometry":{"coordinates":[[[%g,%g],[%g,%g],[%g,%g],[%g,%g]]],"type":"Polygon"},"type":"Feature"}],"type":"FeatureCollection"}`,
		r.Contours[0].Minutes, p.Lon-0.1, p.Lat-0.1, p.Lon+0.1, p.Lat-0.1, p.Lon, p.Lat+0.1, p.Lon-0.1, p.Lat-0.1)
	return &engine.IsochroneAnswer{Raw: []byte(body), Warnings: []engine.Warning{{Code: 5, Text: "this engine draws triangles"}}}, nil
}

// Many starts an edge whose engine has them.
func Many(t *testing.T, hold chan struct{}, change ...func(*api.Options)) *Gateway {
	t.Helper()
	return Start(t, append(change, func(o *api.Options) {
		o.Acquire = Changed(t, o.Acquire, func(r *world.Region) { r.Engine = manyWays{r.Engine.(*StraightLine), hold} })
	})...)
}
