package apitest

import (
	"os"
	"testing"

	"github.com/waygate/waygate/api"
	"github.com/waygate/waygate/feature/optimise"
	"github.com/waygate/waygate/fleet/vroom"
	"github.com/waygate/waygate/fleet/vroom/vroomtest"
)

// EachSolver runs a test once for every solver of plans: our own, the adapter of VROOM on a
// server that stands in for it, and on a real one where vroomtest.Env names its address.
func EachSolver(t *testing.T, test func(t *testing.T, name string, with func(*api.Options))) {
	t.Helper()
	run := func(name string, s func(t *testing.T) optimise.Solver) {
		t.Run(name, func(t *testing.T) {
			solver := s(t)
			test(t, solver.Name(), func(o *api.Options) { o.Solver = solver })
		})
	}
	run("embedded", func(*testing.T) optimise.Solver { return optimise.Embedded{} })
	run("vroom", func(t *testing.T) optimise.Solver { return vroom.New(vroomtest.Start(t), nil) })
	if os.Getenv(vroomtest.Env) == "" {
		t.Logf("not run on a real VROOM: set %s to the address of one (vroom-express)", vroomtest.Env)
		return
	}
	run("real", func(t *testing.T) optimise.Solver { return vroom.New(vroomtest.Real(t), nil) })
}
