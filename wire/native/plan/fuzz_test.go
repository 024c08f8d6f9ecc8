package plan_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/wire/native/plan"
	"github.com/waygate/waygate/wire/schema"
)

func read[T any](body []byte) error {
	_, err := decoded[T](string(body))
	return err
}

func decoded[T any](body string) (in T, err error) {
	_, err = schema.Of[T]().Read(context.Background(), []byte(body), &in, schema.Options{Bounds: geo.Bounds{Min: geo.Point{Lon: 9, Lat: 47}, Max: geo.Point{Lon: 10, Lat: 48}}})
	return in, err
}

var readers = map[string]func([]byte) error{
	"optimise":   read[plan.OptimiseRequest],
	"matrix job": read[plan.MatrixJobRequest],
	"cluster":    read[plan.ClusterRequest],
	"errands":    read[plan.ErrandsRequest],
	"verify":     read[plan.VerifyRequest],
	"replan":     read[plan.ReplanRequest],
}

// FuzzRequests sends anything to every reader: what is refused is a fault of the
// caller's that can be shown.
func FuzzRequests(f *testing.F) {
	f.Add([]byte(`{"vehicles":[{"id":1,"start":{"lat":47.1,"lon":9.5},"capacity":[4],"time_window":[0,1e9]}],"jobs":[{"id":1,"location":{"lat":47.2,"lon":9.6},"delivery":[1]}]}`))
	f.Add([]byte(`{"vehicles":[{"profile":"truck","breaks":[null],"reloads":[{}]}],"shipments":[{"pickup":{},"delivery":null}],"adr":{},"costing_options":{"truck":{"height":1e400}}}`))
	f.Add([]byte(`{"base":{"job_id":"x","move":[{"index":0,"lat":47,"lon":9},{"index":0}]},"priority":10}`))
	f.Add([]byte(`{"points":[{"lat":47,"lon":9}],"clusters":2,"territories":[{"polygon":[[9,47],[10,47],[10,48]]}]}`))
	f.Add([]byte(`{"errands":[{"category":"bakery","place":{}}],"text":"x","claims":[{}]}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		for name, read := range readers {
			err := read(body)
			if err == nil {
				continue
			}
			if fault.Is(err, fault.Internal) || err.Error() == "" {
				t.Fatalf("%s: %v", name, err)
			}
			if _, err := json.Marshal(err); err != nil {
				t.Fatalf("%s: the problem cannot be shown: %v", name, err)
			}
		}
	})
}
