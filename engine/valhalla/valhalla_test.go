package valhalla_test

import (
	"testing"
	"time"

	"github.com/waygate/waygate/engine/enginetest"
	"github.com/waygate/waygate/engine/valhalla"
)

func TestRealValhalla(t *testing.T) {
	v := enginetest.StartValhalla(t, enginetest.Extract(t))
	eng := valhalla.New(v.URL+"/", nil)
	t.Run("status", func(t *testing.T) {
		s, err := eng.Status(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if can := eng.Can(); can.Name != "valhalla" || s.Version != "3.6.1" || can.TunnelCodes {
			t.Errorf("status %+v of %+v, want a valhalla 3.6.1 that does not enforce tunnel codes", s, can)
		}
		// The last tile is written a while after the first, the longer the busier the machine is.
		if s.GraphDate == nil || s.GraphDate.Sub(v.Built).Abs() > time.Hour {
			t.Errorf("the graph is of %v, want the time of its build, %v", s.GraphDate, v.Built)
		}
	})
	t.Run("suite", func(t *testing.T) { enginetest.Run(t, eng) })
}
