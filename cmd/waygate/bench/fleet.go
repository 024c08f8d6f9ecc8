package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"
	"time"

	"github.com/waygate/waygate/bench/vrp"
	"github.com/waygate/waygate/fleet"
	"github.com/waygate/waygate/fleet/search"
)

type benchFleet struct {
	Data    string          `required:"" help:"Folder of the sets, with REFERENCES.csv." type:"existingdir" placeholder:"DIR"`
	Sets    []string        `group:"Problems" name:"set" default:"solomon,homberger_200,X_to_330,X_above_330,li_lim_100,li_lim_200" help:"Sets to solve."`
	Times   []time.Duration `group:"Search" name:"time" default:"1s,5s,30s" help:"Time for each problem."`
	Every   int             `group:"Problems" default:"1" help:"Solve only every n-th problem of a set."`
	Walkers int             `group:"Search" default:"1" help:"Concurrent searches that exchange their results."`
	Seed    uint64          `group:"Search" default:"1" help:"Random seed of the search."`
	Known   bool            `group:"Search" name:"until-known" help:"End a search when it reaches the best known solution."`
	Only    string          `group:"Problems" help:"Solve only problems whose name contains this text." placeholder:"TEXT"`
	Verbose bool            `short:"v" help:"Print a line for each problem."`
}

// Run solves the sets and prints their mean gaps.
func (c *benchFleet) Run(ctx context.Context) error {
	if c.Every < 1 || c.Walkers < 1 {
		return errors.New("--every and --walkers must be at least 1")
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(w, "set\ttime\tproblems\tmean gap % where all are served\tworst %\tnot all served\titerations/s")
	for _, set := range c.Sets {
		all, err := vrp.Instances(filepath.Clean(c.Data), set)
		if err != nil {
			return err
		}
		for _, t := range c.Times {
			if err := c.solve(ctx, w, set, all, t); err != nil {
				return err
			}
			if err := w.Flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *benchFleet) solve(ctx context.Context, w *tabwriter.Writer, set string, all []vrp.Instance, t time.Duration) error {
	sum, worst, n, left, iterations := 0.0, 0.0, 0, 0, int64(0)
	all = slices.DeleteFunc(slices.Clone(all), func(in vrp.Instance) bool { return !strings.Contains(in.Name, c.Only) })
	for i := 0; i < len(all); i += c.Every {
		p, scale, err := all[i].Load()
		if err != nil {
			return fmt.Errorf("%s: %w", all[i].Name, err)
		}
		start, known := processorTime(), make(chan struct{})
		end := sync.OnceFunc(func() { close(known) })
		plan, err := search.Solve(ctx, p, search.Options{Seed: c.Seed, Time: t, Walkers: c.Walkers, Workers: c.Walkers, Stop: known, Elapsed: func() time.Duration {
			return (processorTime() - start) / time.Duration(c.Walkers)
		}, Progress: func(at search.Progress) {
			if c.Known && at.Unassigned == 0 && float64(at.Cost)/(fleet.CostUnit/1000) <= all[i].BestKnown*scale {
				end()
			}
		}})
		if err != nil {
			return fmt.Errorf("%s: %w", all[i].Name, err)
		}
		iterations += plan.Iterations
		n++
		gap := all[i].Gap(plan, scale)
		if len(plan.Unassigned) > 0 {
			left++ // a plan that leaves tasks out has no comparable length
		} else {
			sum, worst = sum+gap, max(worst, gap)
		}
		if c.Verbose {
			fmt.Fprintf(os.Stderr, "%s %s: %.1f, best known %.1f, gap %.2f %%, %d routes, %d unassigned, %d iterations\n", all[i].Name, t, vrp.Length(plan, scale), all[i].BestKnown, gap, len(plan.Routes), len(plan.Unassigned), plan.Iterations)
		}
	}
	_, err := fmt.Fprintf(w, "%s\t%s\t%d\t%.2f\t%.2f\t%d\t%.0f\n", set, t, n, sum/float64(max(1, n-left)), worst, left, float64(iterations)/t.Seconds()/float64(max(1, n)))
	return err
}
