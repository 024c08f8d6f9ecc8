package costing

import (
	"encoding/json"
	"testing"
)

// BenchmarkOptions measures the work that options cause each request: reading them, giving them
// to the kernel, finding a bound for them.
func BenchmarkOptions(b *testing.B) {
	for _, c := range []struct {
		name, doc string
		costing   Costing
	}{
		{"auto, none", `{}`, Auto},
		{"auto, one", `{"use_tolls":0.2}`, Auto},
		{"truck, eight", `{"height":4,"width":2.5,"length":16.5,"weight":40,"axle_load":11.5,"hazmat":true,"adr_tunnel_code":"C/D","use_tolls":0}`, Truck},
	} {
		var raw map[string]json.RawMessage
		if err := json.Unmarshal([]byte(c.doc), &raw); err != nil {
			b.Fatal(err)
		}
		b.Run("read "+c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, unknown, bad := Parse(c.costing, raw, "costing_options"); len(unknown)+len(bad) > 0 {
					b.Fatal(unknown, bad)
				}
			}
		})
		s, _, _ := Parse(c.costing, raw, "costing_options")
		b.Run("kernel "+c.name, func(b *testing.B) {
			tolls := 0.0
			for b.Loop() {
				o := s.Of(c.costing)
				tolls += o.UseTolls
			}
		})
		o := s.Of(c.costing)
		b.Run("at least "+c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				o.AtLeast(Default(c.costing))
			}
		})
		b.Run("bounded "+c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				o.Bounded()
			}
		})
	}
}
