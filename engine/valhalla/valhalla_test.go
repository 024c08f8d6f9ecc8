package valhalla_test

import (
	"testing"
	"time"

	"github.com/waygate/waygate/engine/enginetest"
	"github.com/waygate/waygate/engine/valhalla"
)

func TestRealValhalla(t *testing.T) {
	before := time.Now().Add(-time.Minute)
	base := enginetest.StartValhalla(t, enginetest.Extract(t)).URL
	eng := valhalla.New(base+"/", nil)
	t.Run("status", func(t *testing.T) {
		s, err := eng.Status(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if can := eng.Can(); can.Name != "valhalla" || s.Version != "3.6.1" || can.TunnelCodes {
			t.Errorf("status %+v of %+v, want a valhalla 3.6.1 that does not enforce tunnel codes", s, can)
		}
		if s.GraphDate == nil || s.GraphDate.Before(before) {
			t.Errorf("the graph is of %v, want the time of its build, after %v", s.GraphDate, before)
		}
	})
	t.Run("suite", func(t *testing.T) { enginetest.Run(t, eng) })
}
