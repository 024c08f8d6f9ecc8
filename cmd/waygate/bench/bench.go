// Package bench is the subcommand that measures servers, imports and solvers.
package bench

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

// Command is the command line.
type Command struct {
	Make    benchMake    `cmd:"" help:"Make a set of random requests in a region."`
	Run     benchRun     `cmd:"" help:"Send a set of requests to one or more servers in turn, and compare speed and answers."`
	Load    benchLoad    `cmd:"" help:"Load a server with small and expensive calls, and report their times."`
	Jobs    benchJobs    `cmd:"" help:"Compare the speed of small routes with and without long jobs beside them."`
	Country benchCountry `cmd:"" help:"Make a country of copies of an extract, import it, and report time and memory."`
	Fleet   benchFleet   `cmd:"" help:"Solve academic vehicle routing problems, and compare with the best known solutions."`
}

type benchMake struct {
	Region  string  `required:"" env:"SVC_REGION_DIR" help:"Folder of the region." type:"path" placeholder:"DIR"`
	Kind    string  `group:"What to ask" default:"route" enum:"route,matrix,trace,attributes,isochrone" help:"Kind of request: pairs by distance rank, tables of points, recorded drives to match or with all attributes, isochrones (${enum})."`
	Costing string  `group:"What to ask" default:"auto" help:"Costing: auto, truck, bus, motor_scooter, motorcycle, bicycle or pedestrian."`
	N       int     `group:"What to ask" short:"n" default:"1000" help:"Number of requests."`
	Size    int     `group:"What to ask" default:"100" help:"Most points of a matrix or positions of a drive."`
	Noise   float64 `group:"What to ask" default:"5" help:"Standard deviation of a drive's positions in metres."`
	Every   float64 `group:"What to ask" default:"1" help:"Seconds between a drive's positions."`
	Steps   bool    `group:"What to ask" help:"Request instructions."`
	Sources int     `group:"What to ask" help:"Points of a matrix that are sources; the others are targets. 0 makes every point both." placeholder:"N"`
	Minutes int     `group:"What to ask" default:"15" help:"Time of an isochrone, at most 120."`

	Alternates int     `group:"Variants" help:"Number of alternatives to request." placeholder:"N"`
	Departure  string  `group:"Variants" help:"Local time of departure: 2026-03-04T08:00." placeholder:"TIME"`
	Polygon    float64 `group:"Variants" help:"Side in metres of a square to exclude: half-way along a route, or beside the origin of an isochrone." placeholder:"METRES"`
	NewOptions bool    `group:"Variants" help:"Give each request different options."`
	NewVehicle bool    `group:"Variants" help:"Give each request a vehicle of different dimensions; for auto, truck and bus."`
	Seed       uint64  `default:"1" help:"Random seed: the same seed makes the same set."`
	Out        string  `default:"-" help:"File to write; - is standard output." type:"path"`
}

// Run makes the set.
func (c *benchMake) Run(ctx context.Context) (err error) {
	kind := costing.Named(c.Costing)
	if !kind.Valid() {
		return fmt.Errorf("--costing is %q; it must be one of %s", c.Costing, strings.Join(costing.Names(costing.All[:]...), ", "))
	}
	if c.N < 1 || c.Size < 2 || c.Noise < 0 || c.Every <= 0 {
		return errors.New("--n must be at least 1, --size at least 2, --noise at least 0 and --every above 0")
	}
	if c.Minutes < 1 || c.Minutes > 120 || c.Sources < 0 || c.Sources >= c.Size || c.Alternates < 0 || c.Polygon < 0 {
		return errors.New("--minutes must be 1 to 120, --sources fewer than --size, --alternates and --polygon at least 0")
	}
	if c.NewVehicle && (c.NewOptions || !slices.Contains([]costing.Costing{costing.Auto, costing.Truck, costing.Bus}, kind)) {
		return errors.New("--new-vehicle works with auto, truck and bus, and not together with --new-options")
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
	Set     string   `arg:"" help:"File of requests, made by waygate bench make." type:"existingfile"`
	Server  []string `required:"" sep:"none" help:"Server to measure: PROTOCOL=ADDRESS or NAME=PROTOCOL@ADDRESS, optionally followed by ,key=KEY and ,pid=PID. PROTOCOL is waygate, valhalla or osrm. The others are compared with the first. With pid, memory and processor time are reported too." placeholder:"SERVER"`
	Block   int      `default:"50" help:"Requests to one server before the next one's turn."`
	Clients int      `default:"1" help:"Concurrent clients."`
	Repeat  int      `default:"1" help:"Times to send the set, after one warm-up."`
	Worst   int      `default:"10" help:"Largest differences to list."`
}

// Run sends the set and compares.
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
