package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/waygate/waygate/bench"
)

type benchLoad struct {
	Set     string        `arg:"" help:"File of routes, made by waygate bench make." type:"existingfile"`
	Server  string        `required:"" sep:"none" help:"Server: waygate=ADDRESS, optionally followed by ,key=KEY and ,pid=PID. Its limit for calls without a key must be high (SVC_DEMO_RPM)." placeholder:"SERVER"`
	Small   int           `group:"Load" default:"4" help:"Clients of small routes."`
	Dear    int           `group:"Load" default:"20" help:"Clients of expensive calls at the same time."`
	Block   time.Duration `group:"Load" default:"10s" help:"Time of each block; blocks with and without expensive calls take turns."`
	Rounds  int           `group:"Load" default:"3" help:"Number of blocks of each kind."`
	Burst   int           `group:"Load" default:"200" help:"Concurrent expensive calls of a burst."`
	Readers int           `group:"Load" default:"100" help:"Connections of plain routes, and concurrent isochrones."`
	Beside  string        `help:"File of requests, one a line: METHOD TARGET BODY. With this flag, only small routes alone and beside --dear clients of each endpoint in the file are measured, one endpoint after another. WAYGATE_WALK_REQUESTS=FILE go test ./e2e -run TestWalk writes the most expensive request of every endpoint on the sample county." type:"existingfile" placeholder:"FILE"`
}

// Run loads the server.
func (c *benchLoad) Run(ctx context.Context) error {
	set, err := readSet(c.Set)
	if err != nil {
		return err
	}
	if c.Small < 1 || c.Dear < 0 || c.Rounds < 1 || c.Block <= 0 || c.Burst < 1 || c.Readers < 1 {
		return errors.New("--small, --rounds, --block, --burst and --readers must be at least 1, --dear at least 0")
	}
	s, err := bench.ParseServer(c.Server)
	if err != nil {
		return err
	}
	l := bench.Load{Server: s, Set: set, Small: c.Small, Dear: c.Dear, Block: c.Block, Rounds: c.Rounds, Burst: c.Burst, Readers: c.Readers}
	if c.Beside == "" {
		return l.Run(ctx, os.Stdout)
	}
	f, err := os.Open(c.Beside)
	if err != nil {
		return err
	}
	calls, err := bench.ReadRaw(f)
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("%s: %w", c.Beside, err)
	}
	return (&bench.BesideHeavyCalls{Load: &l, Raw: calls}).Run(ctx, os.Stdout)
}
