package bench

import (
	"context"
	"errors"
	"os"
	"time"

	"github.com/waygate/waygate/bench"
)

type benchJobs struct {
	Set    string `arg:"" help:"File of routes, made by waygate bench make." type:"existingfile"`
	Server string `required:"" sep:"none" help:"Server: waygate=ADDRESS,key=KEY. The key pays for the jobs and the routes." placeholder:"SERVER"`
	Jobs   int    `default:"2" help:"Concurrent planning jobs, cancelled after each block."`
	Stops  int    `default:"500" help:"Stops of each job, at most 1,999."`
	Small  int    `default:"1" help:"Clients of small routes."`
	Block  int    `default:"20000" help:"Routes of each block; blocks with and without jobs take turns."`
	Rounds int    `default:"5" help:"Number of blocks of each kind."`
}

// Run measures routes beside jobs.
func (c *benchJobs) Run(ctx context.Context) error {
	set, err := readSet(c.Set)
	if err != nil {
		return err
	}
	if c.Small < 1 || c.Jobs < 1 || c.Rounds < 1 || c.Block <= 0 || c.Stops < 2 || c.Stops > 1999 {
		return errors.New("--small, --jobs, --rounds and --block must be at least 1, --stops 2 to 1,999")
	}
	s, err := bench.ParseServer(c.Server)
	if err != nil {
		return err
	}
	if s.Key == "" {
		return errors.New("--server needs a key, because jobs belong to one: use waygate=http://127.0.0.1:8080,key=KEY")
	}
	l := &bench.Load{Server: s, Set: set, Small: c.Small, Rounds: c.Rounds}
	return (&bench.BesideJobs{Load: l, Calls: c.Block, Jobs: c.Jobs, Stops: c.Stops, Begins: 2 * time.Minute}).Run(ctx, os.Stdout)
}
