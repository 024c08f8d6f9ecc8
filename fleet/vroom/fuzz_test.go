package vroom

import (
	"testing"
	"time"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/fleet"
	"github.com/waygate/waygate/fleet/search"
)

// FuzzAnswer checks that each answer of a server is a fault of the server, or an order of
// stops that our own checker takes or refuses.
func FuzzAnswer(f *testing.F) {
	for _, seed := range []string{
		`{"code":0,"summary":{"computing_times":{"solving":7}},"unassigned":[],"routes":[{"vehicle":0,"steps":[{"type":"start"},{"type":"job","id":0},{"type":"break","id":0},{"type":"pickup","id":0},{"type":"delivery","id":0},{"type":"end"}]}]}`,
		`{"code":0,"routes":[{"vehicle":1,"steps":[{"type":"job","id":2}]},{"vehicle":0}]}`,
		`{"code":2,"error":"Invalid vehicles."}`, `{"code":null}`, `[]`, `<html>`, `{"code":0,"routes":[{"vehicle":-1}]}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		stopSpec := fleet.Place{Location: 1, Service: 10}
		p := &fleet.Problem{
			Matrices:  []fleet.Matrix{{N: 2, Seconds: []int32{0, 5, 5, 0}, Metres: make([]int32, 4)}},
			Vehicles:  []fleet.Vehicle{{Capacity: []int32{3}, Breaks: []fleet.Break{{Service: 5}}}, {Capacity: []int32{2}, OnBoard: []int{1}}},
			Jobs:      []fleet.Job{{Place: stopSpec, Delivery: []int32{1}}},
			Shipments: []fleet.Shipment{{Pickup: stopSpec, Delivery: stopSpec, Amount: []int32{1}}, {Pickup: stopSpec, Delivery: stopSpec, Amount: []int32{1}}},
		}
		orders, _, err := read(body, p, time.Second)
		if err != nil {
			if !fault.Is(err, fault.Upstream) {
				t.Errorf("%v", err)
			}
			return
		}
		if plan, err := search.Arrange(p, orders); err == nil && len(fleet.Verify(p, plan)) > 0 {
			t.Errorf("%v", fleet.Verify(p, plan))
		}
	})
}
