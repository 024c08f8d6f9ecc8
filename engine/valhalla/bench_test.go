package valhalla

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"testing"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
)

// BenchmarkRoute measures a call beside the server's work: the request, the connection,
// and what is read of an answer with a line of a thousand points. The server answers without
// looking, in this process.
func BenchmarkRoute(b *testing.B) {
	r := someRequest()
	line := make([]geo.Point, 1000)
	for i := range line {
		line[i] = geo.Point{Lon: r.Locations[0].Point.Lon + float64(i)*0.0001, Lat: 51.5}
	}
	r.Locations[1].Point = line[len(line)-1]
	for _, format := range []engine.Format{engine.Native, engine.OSRM} {
		shape := geo.EncodePolyline(line, 6)
		steps := ""
		for i := range 40 {
			steps += fmt.Sprintf(`{"instruction":"Turn right onto street %d.","begin_shape_index":%d,"time":1.5,"length":0.1},`, i, i)
		}
		body := fmt.Sprintf(`{"trip":{"locations":[{"lat":51.5,"lon":%g},{"lat":51.5,"lon":%g}],"legs":[{"maneuvers":[%s{}],"shape":"%s"}]}}`, line[0].Lon, line[999].Lon, steps, shape)
		if format == engine.OSRM {
			body = fmt.Sprintf(`{"code":"Ok","routes":[{"geometry":"%s","legs":[{"steps":[%s{}]}]}],"waypoints":[{"name":"x","location":[%g,51.5]},{"name":"y","location":[%g,51.5]}]}`, shape, steps, line[0].Lon, line[999].Lon)
		}
		answer := []byte(response(200, body))
		e := New(listen(b, func(c net.Conn) {
			for in := bufio.NewReader(c); ; {
				req, err := http.ReadRequest(in)
				if err != nil {
					return
				}
				_, _ = io.Copy(io.Discard, req.Body)
				_, _ = c.Write(answer)
			}
		}), nil)
		ask := *r
		ask.Format, ask.Overview, ask.Geometries = format, "full", "polyline6"
		b.Run(map[engine.Format]string{engine.Native: "native", engine.OSRM: "osrm"}[format], func(b *testing.B) {
			b.SetBytes(int64(len(body)))
			for b.Loop() {
				if _, err := e.Route(b.Context(), &ask); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
