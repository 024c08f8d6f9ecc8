package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"github.com/waygate/waygate/bench"
	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/region"
	"github.com/waygate/waygate/road/graph"
)

type benchCommand struct {
	Make    benchMake    `cmd:"" help:"Draw a set of requests from a region."`
	Run     benchRun     `cmd:"" help:"Ask a set of one or more servers in turn and compare them."`
	Load    benchLoad    `cmd:"" help:"Load a server with small and dear calls and tell what becomes of them."`
	Jobs    benchJobs    `cmd:"" help:"Ask for small routes alone and beside long jobs in turn, and compare."`
	Country benchCountry `cmd:"" help:"Lay copies of an extract beside each other until they are a country, import it and tell what that took."`
	Fleet   benchFleet   `cmd:"" help:"Solve academic vehicle routing problems and compare with the best plans known."`
}

type benchMake struct {
	Region  string  `required:"" env:"SVC_REGION_DIR" help:"Folder of the region." type:"path" placeholder:"DIR"`
	Kind    string  `group:"What to ask" default:"route" enum:"route,matrix,trace,attributes,isochrone" help:"What to ask: pairs by distance rank, tables of points, recorded drives matched or with all attributes, isochrones (${enum})."`
	Costing string  `group:"What to ask" default:"auto" help:"Costing to draw for: auto, truck, bus, motor_scooter, motorcycle, bicycle or pedestrian."`
	N       int     `group:"What to ask" short:"n" default:"1000" help:"Number of requests."`
	Size    int     `group:"What to ask" default:"100" help:"Points of a matrix or positions of a drive, at most."`
	Noise   float64 `group:"What to ask" default:"5" help:"Standard deviation of a drive's positions in metres."`
	Every   float64 `group:"What to ask" default:"1" help:"Seconds between a drive's positions."`
	Steps   bool    `group:"What to ask" help:"Ask for instructions."`
	Sources int     `group:"What to ask" help:"Points of a matrix that are sources, the others being targets; 0 asks for the ways between all." placeholder:"N"`
	Minutes int     `group:"What to ask" default:"15" help:"Time of an isochrone, at most 120."`

	Alternates int     `group:"Variants" help:"Routes to ask for besides the best." placeholder:"N"`
	Departure  string  `group:"Variants" help:"Local time of departure: 2026-03-04T08:00." placeholder:"TIME"`
	Polygon    float64 `group:"Variants" help:"Side in metres of a square to exclude half-way, of an isochrone beside its place." placeholder:"METRES"`
	NewOptions bool    `group:"Variants" help:"Give each request options that no other has."`
	NewVehicle bool    `group:"Variants" help:"Give each request dimensions of a vehicle that no other has: auto, truck and bus."`
	Seed       uint64  `default:"1" help:"The same seed draws the same set."`
	Out        string  `default:"-" help:"File to write, - for standard output." type:"path"`
}

// Run draws the set.
func (c *benchMake) Run(ctx context.Context) (err error) {
	kind := costing.Named(c.Costing)
	if !kind.Known() {
		return fmt.Errorf("--costing %q is none of %s", c.Costing, strings.Join(costing.Names(costing.All[:]...), ", "))
	}
	if c.N < 1 || c.Size < 2 || c.Noise < 0 || c.Every <= 0 {
		return errors.New("--n must be at least 1, --size at least 2, --noise at least 0 and --every above 0")
	}
	if c.Minutes < 1 || c.Minutes > 120 || c.Sources < 0 || c.Sources >= c.Size || c.Alternates < 0 || c.Polygon < 0 {
		return errors.New("--minutes must be 1 to 120, --sources fewer than --size, --alternates and --polygon at least 0")
	}
	if c.NewVehicle && (c.NewOptions || !slices.Contains([]costing.Costing{costing.Auto, costing.Truck, costing.Bus}, kind)) {
		return errors.New("--new-vehicle is for auto, truck and bus, without --new-options")
	}
	r, err := region.Open(c.Region)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	g, err := graph.Open(r)
	if err != nil {
		return err
	}
	m := bench.NewMaker(g, kind, c.Seed)
	m.Progress = counted(os.Stderr)
	var set []bench.Request
	switch bench.Kind(c.Kind) {
	case bench.Matrix:
		set, err = m.Matrices(c.N, c.Size)
	case bench.Isochrone:
		set, err = m.Isochrones(c.N, c.Minutes)
	case bench.Trace, bench.Attributes:
		set, err = m.Traces(ctx, c.N, c.Size, bench.Noise{Metres: c.Noise, Every: c.Every})
	default:
		set, err = m.Routes(ctx, c.N)
	}
	if err != nil {
		return err
	}
	for i := range set {
		set[i].Kind, set[i].Steps = bench.Kind(c.Kind), c.Steps
		if c.Kind == string(bench.Matrix) {
			set[i].Sources = c.Sources
		}
	}
	bench.Variant{Alternates: c.Alternates, Departure: c.Departure, Polygon: c.Polygon, NewOptions: c.NewOptions, NewVehicle: c.NewVehicle}.Apply(set)
	if c.Out == "-" {
		return bench.Write(os.Stdout, set)
	}
	f, err := os.Create(c.Out)
	if err != nil {
		return err
	}
	return errors.Join(bench.Write(f, set), f.Close())
}

// readSet reads a file of requests.
func readSet(path string) ([]bench.Request, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	set, err := bench.Read(f)
	if err = errors.Join(err, f.Close()); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return set, nil
}

type benchRun struct {
	Set     string   `arg:"" help:"File of requests, as bench make writes it." type:"existingfile"`
	Server  []string `required:"" sep:"none" help:"A server to ask: PROTOCOL=ADDRESS or NAME=PROTOCOL@ADDRESS, PROTOCOL being waygate, valhalla or osrm; ,key=KEY and ,pid=PID may follow. The first is compared with the others; with pid its memory and processor time are told." placeholder:"SERVER"`
	Block   int      `default:"50" help:"Requests that a server is asked before it is the next one's turn."`
	Clients int      `default:"1" help:"Clients that ask at once."`
	Repeat  int      `default:"1" help:"Times to ask the set, after once to warm up."`
	Worst   int      `default:"10" help:"Largest differences to list."`
}

// Run asks and compares.
func (c *benchRun) Run(ctx context.Context) error {
	set, err := readSet(c.Set)
	if err != nil {
		return err
	}
	if c.Clients < 1 || c.Repeat < 1 || c.Block < 1 {
		return errors.New("--clients, --repeat and --block must be at least 1")
	}
	p := bench.Plan{Clients: c.Clients, Repeat: c.Repeat, Block: c.Block}
	for _, text := range c.Server {
		s, err := bench.ParseServer(text)
		if err != nil {
			return err
		}
		p.Servers = append(p.Servers, s)
	}
	p.Progress = counted(os.Stderr)
	results, err := bench.Run(ctx, set, p)
	if err != nil {
		return err
	}
	return bench.Report(os.Stdout, results, c.Worst)
}

// counted shows a bar on a terminal and nothing elsewhere.
func counted(w *os.File) func(done, all int) {
	if !term.IsTerminal(int(w.Fd())) {
		return nil
	}
	var bar *progressbar.ProgressBar
	return func(done, all int) {
		if bar == nil {
			bar = progressbar.NewOptions(all, progressbar.OptionSetWriter(io.Writer(w)), progressbar.OptionClearOnFinish(), progressbar.OptionShowCount())
		}
		_ = bar.Set(done) // a bar that cannot be drawn is no reason to stop
	}
}
