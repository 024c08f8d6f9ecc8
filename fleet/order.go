package fleet

import "fmt"

// CheckOrder reports what makes lists of stops, one for each vehicle, invalid as an
// order: a stop that does not exist or occurs twice, half a shipment, a delivery before
// its pickup.
func (p *Problem) CheckOrder(orders [][]Stop) error {
	if len(orders) != len(p.Vehicles) {
		return fmt.Errorf("there are %d orders for %d vehicles", len(orders), len(p.Vehicles))
	}
	by := map[Stop]int{}
	for v := range p.Vehicles {
		for _, s := range p.Vehicles[v].OnBoard {
			by[Stop{AtPickup, s}] = v
		}
	}
	for v, order := range orders {
		for _, stop := range order {
			n := len(p.Shipments)
			if stop.Kind == AtJob {
				n = len(p.Jobs)
			}
			if stop.Kind > AtDelivery || stop.Index < 0 || stop.Index >= n {
				return fmt.Errorf("vehicle %d makes a stop %v, which is none", v, stop)
			}
			if _, repeated := by[stop]; repeated {
				return fmt.Errorf("the stop %v is made twice", stop)
			}
			if on, picked := by[Stop{AtPickup, stop.Index}]; stop.Kind == AtDelivery && (!picked || on != v) {
				return fmt.Errorf("vehicle %d delivers shipment %d, which it has not picked up", v, stop.Index)
			}
			by[stop] = v
		}
	}
	for v, order := range orders {
		for _, stop := range order {
			if _, delivered := by[Stop{AtDelivery, stop.Index}]; stop.Kind == AtPickup && !delivered {
				return fmt.Errorf("vehicle %d picks up shipment %d and does not deliver it", v, stop.Index)
			}
		}
	}
	return nil
}
