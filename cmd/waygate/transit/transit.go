// Package transit is the subcommand about public transport that needs no server.
package transit

import (
	"bufio"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/geojson"
	"github.com/paulmach/orb/planar"
	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/feature/geocode"
	"github.com/waygate/waygate/feature/transit/report"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/gtfs"
	"github.com/waygate/waygate/index/timetable"
	wire "github.com/waygate/waygate/wire/json"
	"github.com/waygate/waygate/world"
)

// Command is the command line.
type Command struct {
	Report Report `cmd:"" help:"Measure how well stops are served and what can be reached from them, as CSV or GeoJSON."`
}

// Report measures the stops of a region.
type Report struct {
	Region string   `required:"" env:"SVC_REGION_DIR" type:"existingdir" help:"Folder of the region, imported with --gtfs." placeholder:"DIR"`
	Area   string   `type:"existingfile" help:"File with the GeoJSON Polygon of the area; all stops without it." placeholder:"FILE"`
	Day    string   `help:"Weekday to measure, with the Saturday and the Sunday after it; by default the first Tuesday, Wednesday or Thursday from today." placeholder:"YYYY-MM-DD"`
	Modes  []string `default:"bus,coach" help:"Kinds of vehicle: bus, coach, tram, metro, rail, ferry, cable_car, other." placeholder:"MODE"`
	Places []string `help:"Kinds of places whose reach is measured, as people say them: hospital, school, supermarket." placeholder:"KIND"`
	People string   `type:"existingfile" help:"CSV file of where people live, with the columns lat, lon and people." placeholder:"FILE"`
	Format string   `enum:"csv,geojson,json" default:"csv" help:"What to write: ${enum}; json has the measures of the area too."`
	Out    string   `short:"o" default:"-" help:"File to write; - is the standard output." placeholder:"FILE"`
}

// mostStops is the most stops of a report.
const mostStops = 1_000_000

// Run makes the report and writes it.
func (c *Report) Run(ctx context.Context) error {
	q, err := c.request()
	if err != nil {
		return err
	}
	here, release, err := world.OpenFolder(c.Region, os.Stderr)
	if err != nil {
		return err
	}
	defer release()
	if here.Timetable == nil {
		return errors.New("the region has no timetable: import it with --gtfs")
	}
	if q.Bounds.Empty() {
		q.Bounds = here.Bounds
	}
	if err := c.places(ctx, here, q); err != nil {
		return err
	}
	if here.Journeys != nil {
		q.Reach = report.ReachIn(here.Journeys, q.Modes)
	}
	q.Progress = progress(os.Stderr)
	made, err := report.Measure(ctx, here.Timetable, time.Now(), q)
	if err != nil {
		return readable(err)
	}
	if _, last, _ := here.Timetable.Span(); last < gtfs.DateOf(time.Now()) {
		fmt.Fprintf(os.Stderr, "The timetable ended on %s: the report is of %s.\n", last, *made.Days.Weekday)
	}
	return c.write(made)
}

// request reads what the command line says.
func (c *Report) request() (*report.Request, error) {
	q := &report.Request{Bounds: geo.NoBounds(), Most: mostStops}
	for _, name := range c.Modes {
		mode, ok := timetable.ModeOf(name)
		if !ok {
			return nil, fmt.Errorf("--modes: %q is none of %s", name, strings.Join(timetable.ModeNames(), ", "))
		}
		q.Modes |= mode.Set()
	}
	if c.Day != "" {
		var ok bool
		if q.Day, ok = gtfs.ParseDate(c.Day); !ok {
			return nil, fmt.Errorf("--day: %q is no day as 2026-05-01", c.Day)
		}
	}
	if c.Area != "" {
		area, err := readArea(c.Area)
		if err != nil {
			return nil, fmt.Errorf("--area: %s: %w", c.Area, err)
		}
		q.Contains = func(p geo.Point) bool { return planar.MultiPolygonContains(area, orb.Point{p.Lon, p.Lat}) }
		b := area.Bound()
		q.Bounds = geo.Bounds{Min: geo.Point{Lon: b.Min[0], Lat: b.Min[1]}, Max: geo.Point{Lon: b.Max[0], Lat: b.Max[1]}}
	}
	if c.People != "" {
		f, err := os.Open(c.People)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		people, err := readPeople(bufio.NewReader(f))
		if err != nil {
			return nil, fmt.Errorf("--people: %s: %w", c.People, err)
		}
		q.Sets = append(q.Sets, *people)
	}
	if n := len(c.Places) + len(q.Sets); n > report.MostSets {
		return nil, fmt.Errorf("--places: %d kinds are more than the %d that a report may have, people included", n, report.MostSets)
	}
	return q, nil
}

// places adds a set for each kind of places.
func (c *Report) places(ctx context.Context, here *world.Region, q *report.Request) error {
	for _, kind := range c.Places {
		if here.Places == nil {
			return errors.New("--places: the region was imported without places")
		}
		categories, wrong := geocode.KindOrToken(kind, here.Places, "--places")
		if wrong != nil {
			return fmt.Errorf("--places: %q %s", kind, wrong.Message)
		}
		set, err := report.PlacesOf(ctx, here.Places, kind, categories, q.Bounds)
		if err != nil {
			return err
		}
		q.Sets = append(q.Sets, set)
	}
	return nil
}

func (c *Report) write(made *report.Report) (err error) {
	out := io.Writer(os.Stdout)
	if c.Out != "-" {
		f, err := os.Create(c.Out)
		if err != nil {
			return err
		}
		defer func() {
			if closed := f.Close(); err == nil {
				err = closed
			}
		}()
		out = f
	}
	switch c.Format {
	case "csv":
		return made.CSV(out)
	case "geojson":
		return json.NewEncoder(out).Encode(made.GeoJSON())
	}
	wire.Shorten(made)
	return json.NewEncoder(out).Encode(made)
}

// readArea reads a GeoJSON Polygon or MultiPolygon, or features of them.
func readArea(path string) (area orb.MultiPolygon, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var kind struct {
		Type string `json:"type"`
	}
	if err := json.Unmarshal(text, &kind); err != nil {
		return nil, fmt.Errorf("is not GeoJSON: %w", err)
	}
	var shapes []orb.Geometry
	switch kind.Type {
	case "FeatureCollection":
		list, err := geojson.UnmarshalFeatureCollection(text)
		if err != nil {
			return nil, err
		}
		for _, f := range list.Features {
			shapes = append(shapes, f.Geometry)
		}
	case "Feature":
		f, err := geojson.UnmarshalFeature(text)
		if err != nil {
			return nil, err
		}
		shapes = append(shapes, f.Geometry)
	default:
		g, err := geojson.UnmarshalGeometry(text)
		if err != nil {
			return nil, err
		}
		shapes = append(shapes, g.Geometry())
	}
	for _, shape := range shapes {
		switch g := shape.(type) {
		case orb.Polygon:
			area = append(area, g)
		case orb.MultiPolygon:
			area = append(area, g...)
		default:
			return nil, errors.New("has a geometry that is neither a Polygon nor a MultiPolygon")
		}
	}
	if len(area) == 0 || area.Bound().IsEmpty() {
		return nil, errors.New("has no area")
	}
	return area, nil
}

// readPeople reads a CSV file with the columns lat, lon and people, in any order and beside
// others.
func readPeople(in io.Reader) (*report.Set, error) {
	r := csv.NewReader(in)
	header, err := r.Read()
	if err != nil {
		return nil, fmt.Errorf("has no header: %w", err)
	}
	column := map[string]int{"lat": -1, "lon": -1, "people": -1}
	for i, name := range header {
		if name = strings.ToLower(strings.Trim(name, "\ufeff \t")); column[name] == -1 {
			column[name] = i
		}
	}
	for name, at := range column {
		if at < 0 {
			return nil, fmt.Errorf("has no column %s", name)
		}
	}
	set := &report.Set{Name: report.People}
	for {
		row, err := r.Read()
		if errors.Is(err, io.EOF) {
			return set, nil
		}
		if err != nil {
			return nil, err
		}
		line, _ := r.FieldPos(0)
		if len(set.Points) == report.MostPoints {
			return nil, fmt.Errorf("has more than %d rows", report.MostPoints)
		}
		var v [3]float64
		for i, limit := range []struct {
			name     string
			low, top float64
		}{{"lat", -90, 90}, {"lon", -180, 180}, {"people", 0, 1e7}} {
			text := strings.TrimSpace(row[column[limit.name]])
			if v[i], err = strconv.ParseFloat(text, 64); err != nil || !(v[i] >= limit.low && v[i] <= limit.top) {
				return nil, fmt.Errorf("line %d: %s %q is no number from %g to %g", line, limit.name, text, limit.low, limit.top)
			}
		}
		set.Points = append(set.Points, report.Point{At: geo.Point{Lat: v[0], Lon: v[1]}, Weight: v[2]})
	}
}

// progress shows how many stops are measured, on a terminal.
func progress(out *os.File) func(done, all int) {
	if !term.IsTerminal(int(out.Fd())) {
		return nil
	}
	bar := progressbar.NewOptions(1, progressbar.OptionSetWriter(out), progressbar.OptionSetDescription("stops"), progressbar.OptionShowCount(), progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionClearOnFinish())
	return func(done, all int) {
		bar.ChangeMax(all)
		_ = bar.Set(done)
	}
}

// readable is a failure as a line for people.
func readable(err error) error {
	var f *fault.Error
	if !errors.As(err, &f) {
		return err
	}
	bad := f.Violations()
	if len(bad) == 0 {
		return errors.New(f.Detail)
	}
	flag := bad[0].Location
	if flag == "polygon" {
		flag = "area"
	}
	return fmt.Errorf("--%s: %s", flag, bad[0].Message)
}
