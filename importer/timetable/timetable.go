// Package timetable makes the timetable of a region from GTFS feeds and from NaPTAN, the
// register of Great Britain's stops.
package timetable

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/waygate/waygate/gtfs"
	"github.com/waygate/waygate/index/timetable"
)

// Options say what to make a timetable of.
type Options struct {
	Feeds    []string // GTFS: zip archives or folders
	Stops    []string // NaPTAN: CSV files, plain or packed with gzip
	Out      string   // the section's file
	Progress func(done, size int64)
}

// Result counts the contents of a timetable.
type Result struct {
	Counts map[string]int64
	// Faults lists what was wrong with the feeds, one kind a line with its number and its
	// first example, the most frequent first.
	Faults []string
	Facts  map[string]string // first_day, last_day, and on_demand: the names of lines on demand
}

// Build reads the feeds and writes the section.
func Build(ctx context.Context, o Options) (*Result, error) {
	b := &builder{Builder: timetable.NewBuilder(), counts: map[string]int64{}, register: map[string]registered{}, ids: map[string]int{}, codes: map[string]int{}, near: map[nameCell][]int{}, visited: map[int32]bool{}}
	for _, path := range o.Stops {
		if err := b.readRegister(ctx, path); err != nil {
			return nil, err
		}
	}
	for i, path := range o.Feeds {
		if o.Progress != nil {
			o.Progress(int64(i), int64(len(o.Feeds)))
		}
		f, err := gtfs.Open(path)
		if err != nil {
			return nil, err
		}
		err = b.readFeed(ctx, f)
		b.faults.Merge(f.Name, f.Faults)
		if err = errors.Join(err, f.Close()); err != nil {
			return nil, fmt.Errorf("timetable %s: %w", f.Name, err)
		}
	}
	b.countRetired()
	x, made := b.Build()
	for name, n := range map[string]int{
		"stops": made.Stops, "lines": made.Lines, "patterns": made.Patterns, "trips": made.Trips, "calls": made.Calls, "repeated_trips": made.Repeated,
		"transfers": made.Transfers, "walks": made.Walks, "continuations": made.Continuations,
	} {
		b.counts["timetable_"+name] = int64(n)
	}
	b.counts["timetable_patterns_off_their_shape"] = int64(made.OffShape)
	if made.Wide > 0 {
		b.faults.Add("transfers.txt: rules between stations of too many stops", fmt.Sprint(made.Wide))
	}
	facts := map[string]string{"first_day": made.First.String(), "last_day": made.Last.String()}
	if len(b.demanded) > 0 {
		facts["on_demand"] = strings.Join(b.demanded, ", ")
	}
	return &Result{Counts: b.counts, Faults: listFaults(&b.faults), Facts: facts}, x.Write(o.Out)
}

// listFaults writes a line for each kind of fault.
func listFaults(f *gtfs.Faults) []string {
	kinds := slices.Collect(maps.Keys(f.Count))
	slices.SortFunc(kinds, func(a, b string) int {
		if f.Count[a] != f.Count[b] {
			return int(f.Count[b] - f.Count[a])
		}
		return strings.Compare(a, b)
	})
	lines := make([]string, len(kinds))
	for i, k := range kinds {
		lines[i] = fmt.Sprintf("%s: %d times, first %s", k, f.Count[k], f.Example[k])
	}
	return lines
}

// builder adds feeds to a timetable one after the other.
type builder struct {
	*timetable.Builder
	counts    map[string]int64
	register  map[string]registered // NaPTAN's stops by their ATCO code
	ids       map[string]int        // stops by id
	near      map[nameCell][]int    // stops by name and place
	codes     map[string]int        // stops that have vehicles, by code
	stops     []timetable.Stop      // as they were added
	lineNames []string              // of the lines as they were added
	demanded  []string              // names of lines on demand
	visited   map[int32]bool        // stops at which vehicles call
	faults    gtfs.Faults
}

// reader reads one feed.
type reader struct {
	*builder
	*gtfs.Feed
	number    int // of the feed
	zone      string
	names     map[translated][]timetable.Name
	agencies  map[string]int
	lines     map[string]int
	stop      map[string]int
	firstStop int // of those that it adds
	services  map[string]int
	places    map[string]*stationNode // of stations, where the feed has pathways
	trips     map[string]int          // in list
	added     map[string]int          // trips, by their numbers in the timetable
	onDemand  map[int]bool            // of list
	list      []timetable.Trip
	shapeOf   []string  // the id of the shape of each of list
	order     [][]int32 // the stop_sequence of each visit of list
}

func (b *builder) readFeed(ctx context.Context, f *gtfs.Feed) error {
	r := &reader{builder: b, Feed: f, firstStop: len(b.stops), names: map[translated][]timetable.Name{}, agencies: map[string]int{}, lines: map[string]int{}, stop: map[string]int{}, services: map[string]int{}, places: map[string]*stationNode{}, trips: map[string]int{}, added: map[string]int{}, onDemand: map[int]bool{}}
	for _, step := range []func(context.Context) error{r.readInfo, r.readTranslations, r.readAgencies, r.readStops, r.readPathways, r.readLines, r.readServices, r.readTrips, r.readShapes, r.readHeadways, r.readCalls, r.readTransfers, r.countRest} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (r *reader) readInfo(ctx context.Context) error {
	info := timetable.Feed{Name: r.Name}
	err := r.Read(ctx, "feed_info.txt", []string{"feed_publisher_name", "feed_publisher_url", "feed_version"}, func(row *gtfs.Row) {
		info.Publisher, info.Link, info.Version = row.Text(0), row.Text(1), row.Text(2)
	})
	if err != nil {
		return err
	}
	err = r.Read(ctx, "attributions.txt", []string{"organization_name", "is_producer", "is_authority"}, func(row *gtfs.Row) {
		if name := row.Text(0); name != "" && !strings.Contains(info.Licence, name) && len(info.Licence) < 300 {
			info.Licence = strings.TrimPrefix(info.Licence+", "+name, ", ")
		}
	})
	r.number = r.AddFeed(info)
	return err
}

func (r *reader) readAgencies(ctx context.Context) error {
	err := r.Read(ctx, "agency.txt", []string{"agency_id", "agency_name", "agency_url", "agency_timezone", "agency_noc"}, func(row *gtfs.Row) {
		a := timetable.Agency{ID: row.Text(0), Name: row.Text(1), Link: row.Text(2), Zone: row.Text(3), Code: row.Text(4), Feed: r.number}
		if _, repeated := r.agencies[a.ID]; repeated {
			r.Faults.Add("agency.txt: an agency twice", a.ID)
			return
		}
		if a.Code == "" {
			a.Code = a.ID
		}
		n, err := r.AddAgency(a)
		if err != nil {
			r.Faults.Add("agency.txt: a time zone that is not known", a.Zone)
			return
		}
		r.agencies[a.ID] = n
		if r.zone == "" {
			r.zone = a.Zone
		}
	})
	if err == nil && len(r.agencies) == 0 {
		err = errors.New("agency.txt: no agency has a known time zone")
	}
	return err
}

// agency finds an agency by its id; a feed with one may leave it out.
func (r *reader) agency(id string) (int, bool) {
	n, there := r.agencies[id]
	if !there && id == "" && len(r.agencies) == 1 {
		for _, n = range r.agencies {
			return n, true
		}
	}
	return n, there
}

func (r *reader) readLines(ctx context.Context) error {
	return r.Read(ctx, "routes.txt", []string{"route_id", "agency_id", "route_short_name", "route_long_name", "route_type", "route_color", "route_text_color"}, func(row *gtfs.Row) {
		id := row.Text(0)
		agency, ok := r.agency(row.Text(1))
		if !ok {
			r.Faults.Add("routes.txt: a route of no agency", id)
			return
		}
		kind, ok := row.Int(4, 2000, 3)
		if !ok {
			r.Faults.Add("routes.txt: a route_type that is none", id)
		}
		if _, repeated := r.lines[id]; repeated || id == "" {
			r.Faults.Add("routes.txt: a route twice, or without an id", id)
			return
		}
		short, long := row.Text(2), row.Text(3)
		r.lineNames = append(r.lineNames, cmp.Or(short, long, id))
		r.lines[id] = r.AddLine(timetable.Line{ID: id, ShortName: short, LongName: long, ShortIn: r.namesOf(lineShort, id, "", short), LongIn: r.namesOf(lineLong, id, "", long), Agency: agency, Mode: timetable.ModeOfType(kind), Colour: colour(row.Bytes(5)), Ink: colour(row.Bytes(6))})
	})
}

// colour reads six hexadecimal digits.
func colour(text []byte) uint32 {
	text = []byte(strings.TrimPrefix(string(text), "#"))
	if len(text) != 6 {
		return timetable.None
	}
	n := uint32(0)
	for _, c := range text {
		at := strings.IndexByte("0123456789abcdef", c|0x20)
		if at < 0 {
			return timetable.None
		}
		n = n<<4 | uint32(at)
	}
	return n
}
