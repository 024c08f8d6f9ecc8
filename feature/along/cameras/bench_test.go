package cameras

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/waygate/waygate/feature/along"
	"github.com/waygate/waygate/feed/camera"
	"github.com/waygate/waygate/geo"
)

// BenchmarkAlong answers for a route of 200 km with a point every 25 m, among
// 10,000 cameras.
func BenchmarkAlong(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	line := []geo.Point{{Lon: -3, Lat: 51.5}}
	bearing := 60.0
	for range 8000 {
		bearing += r.NormFloat64() * 3
		bearing += (60 - bearing) * 0.01
		line = append(line, geo.Destination(line[len(line)-1], bearing, 25))
	}
	var list []camera.Listed
	for i := range 10_000 {
		travel := r.IntN(360)
		on := line[r.IntN(len(line))]
		list = append(list, camera.Listed{Camera: camera.Camera{At: geo.Destination(on, r.Float64()*360, 5000*math.Sqrt(r.Float64())), Kind: camera.Fixed, Travel: &travel, Country: "GB", Limit: 50 + i%3}, Source: "own"})
	}
	x, s, found := camera.NewIndex(list), &Service{}, 0
	for b.Loop() {
		a, err := s.Along(b.Context(), &along.Service{}, along.Ahead{Line: line}, x, 40)
		if err != nil {
			b.Fatal(err)
		}
		found = len(a.Cameras)
	}
	b.ReportMetric(float64(found), "cameras")
}
