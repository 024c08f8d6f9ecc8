// Package plan is the subcommand that plans the routes of vehicles without a server.
package plan

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/feature/optimise"
	"github.com/waygate/waygate/feature/zones"
	"github.com/waygate/waygate/hours/holiday"
	"github.com/waygate/waygate/wire/native/plan"
	"github.com/waygate/waygate/wire/schema"
	"github.com/waygate/waygate/world"
)

// mostBytes is the most bytes of a problem.
const mostBytes = 8 << 20

// cells is the most cells of one matrix call to the engine.
const cells = 250_000

// Command is the command line.
type Command struct {
	Region  string `required:"" env:"SVC_REGION_DIR" type:"existingdir" help:"Folder of the region to plan in." placeholder:"DIR"`
	Replan  bool   `help:"Plan the rest of a day: the problem is a body of POST /optimise/replan, with progress or changes."`
	Summary *bool  `negatable:"" help:"Print a summary in place of the plan as JSON. A terminal gets one unless --no-summary is set."`
	File    string `arg:"" optional:"" default:"-" help:"File with the problem, as the body of POST /optimise; - is the standard input." placeholder:"FILE"`
}

// Run solves the problem and prints the plan.
func (c *Command) Run(ctx context.Context) error {
	body, err := c.read(os.Stdin)
	if err != nil {
		return err
	}
	summary := term.IsTerminal(int(os.Stdout.Fd()))
	if c.Summary != nil {
		summary = *c.Summary
	}
	return c.plan(ctx, body, os.Stdout, summary)
}

// read reads the problem.
func (c *Command) read(in io.Reader) ([]byte, error) {
	name := "the standard input"
	if c.File != "-" {
		f, err := os.Open(c.File)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		in, name = f, c.File
	}
	body, err := io.ReadAll(io.LimitReader(in, mostBytes+1))
	switch {
	case err != nil:
		return nil, err
	case len(body) > mostBytes:
		return nil, fmt.Errorf("%s has more than %d bytes, which is the most of a problem", name, mostBytes)
	}
	return body, nil
}

// plan solves the problem in a body, within the limits of a job.
func (c *Command) plan(ctx context.Context, body []byte, out io.Writer, summary bool) error {
	here, release, err := world.OpenFolder(c.Region, os.Stderr)
	if err != nil {
		return err
	}
	defer release()
	m := &maker{
		planner: &optimise.Planner{Solver: optimise.Embedded{}, Zones: zones.Service{Holidays: holiday.In}, Cells: cells},
		asked:   optimise.PlanRequest{Region: &optimise.Region{Engine: here.Engine, Bounds: here.Bounds, Zones: here.Zones}, Limits: optimise.JobLimits()},
	}
	planned := m.optimise
	if c.Replan {
		planned = m.replan
	}
	a, err := planned(ctx, body)
	if err != nil {
		return readable(err)
	}
	if summary {
		return summarise(out, a.plan)
	}
	text, err := optimise.JSON(a.whole)
	if err != nil {
		return err
	}
	_, err = out.Write(append(text, '\n'))
	return err
}

// planResult is a plan, with the answer that contains it.
type planResult struct {
	plan  *optimise.Answer
	whole any
}

// maker makes plans of bodies.
type maker struct {
	planner *optimise.Planner
	asked   optimise.PlanRequest
}

func (m *maker) optimise(ctx context.Context, body []byte) (*planResult, error) {
	var r plan.OptimiseRequest
	var err error
	if m.asked.Warnings, err = read(ctx, m.asked.Region, body, &r); err != nil {
		return nil, err
	}
	if err := m.planner.Check(m.asked.Region, &r, m.asked.Limits); err != nil {
		return nil, err
	}
	a, err := m.planner.Optimise(ctx, &r, m.asked)
	return &planResult{a, a}, err
}

func (m *maker) replan(ctx context.Context, body []byte) (*planResult, error) {
	var r plan.ReplanRequest
	var err error
	if m.asked.Warnings, err = read(ctx, m.asked.Region, body, &r); err != nil {
		return nil, err
	}
	rest, err := m.planner.RemainingOf(&r)
	if err != nil {
		return nil, err
	}
	if !rest.Done() {
		if err := m.planner.Check(m.asked.Region, rest.Request(), m.asked.Limits); err != nil {
			return nil, err
		}
	}
	a, err := m.planner.PlanRemaining(ctx, rest, m.asked)
	if err != nil {
		return nil, err
	}
	return &planResult{&a.Answer, a}, nil
}

// read reads a body, and returns warnings about members without effect.
func read[T any](ctx context.Context, here *optimise.Region, body []byte, r *T) ([]engine.Warning, error) {
	return schema.Of[T]().Read(ctx, body, r, schema.Options{Bounds: here.Bounds})
}

// readable turns a refusal into an error with a line for each problem.
func readable(err error) error {
	var f *fault.Error
	if !errors.As(err, &f) {
		return err
	}
	bad := f.Violations()
	if len(bad) == 0 {
		return errors.New(f.Detail)
	}
	lines := make([]string, len(bad))
	for i, v := range bad {
		lines[i] = v.Location + " " + v.Message
	}
	return errors.New("the problem cannot be planned:\n  " + strings.Join(lines, "\n  "))
}
