package valhalla_test

import (
	"testing"

	"github.com/waygate/waygate/engine/enginetest"
	"github.com/waygate/waygate/engine/valhalla"
)

func TestRealValhalla(t *testing.T) {
	base := enginetest.StartValhalla(t, enginetest.Extract(t))
	eng := valhalla.New(base, nil)
	t.Run("the suite", func(t *testing.T) { enginetest.Run(t, eng) })
}
