// Package regions has the commands that build regions, check them, and write heritage
// into them.
package regions

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/waygate/waygate/cmd/waygate/files"
	"github.com/waygate/waygate/cmd/waygate/version"
	"github.com/waygate/waygate/importer"
	"github.com/waygate/waygate/parallel"
	"github.com/waygate/waygate/region"
)

// Import is waygate import.
type Import struct {
	Out        string   `required:"" help:"Folder of the region; created if missing." type:"path" placeholder:"DIR"`
	ID         string   `group:"Region" name:"id" help:"The region's identifier in tile addresses: lower-case letters, digits, hyphens. By default from the extract's name." placeholder:"ID"`
	Name       string   `group:"Region" help:"Display name of the region. By default made from the identifier." placeholder:"NAME"`
	Country    string   `group:"Data of the map" help:"Country code (ISO 3166-1 alpha-2) of roads outside every country, such as those of an invented island." placeholder:"GB"`
	NoMap      bool     `group:"Data of the map" help:"Build no basemap, only routing."`
	Elevation  []string `group:"Data of the map" sep:"none" help:"Heights for bicycles and walkers: SRTM tiles (.hgt, .hgt.gz, .hgt.zip, named like N51W003.hgt), GeoTIFF files, terrain tiles (.pmtiles), or a folder of them. May be given several times." placeholder:"DIR_OR_FILE"`
	Terrain    string   `group:"Data of the map" name:"elevation-source" help:"Source of the heights, shown in attributions; by default SRTM." placeholder:"NAME"`
	Places     []string `group:"Data of the map" sep:"none" type:"existingfile" help:"More places or postcodes: Code-Point Open, or any CSV whose header names coordinates (lat and lon), plain or .gz. May be given several times." placeholder:"FILE.csv"`
	GTFS       []string `group:"Public transport" name:"gtfs" sep:"none" help:"Timetables: GTFS, a zip archive, a folder or an address. May be given several times." placeholder:"FILE_OR_URL"`
	NaPTAN     []string `group:"Public transport" name:"naptan" sep:"none" help:"Stops of Great Britain with their indicators and localities: NaPTAN as CSV, plain or .gz, a file or an address. May be given several times." placeholder:"FILE_OR_URL"`
	Heritage   []string `group:"Data of the map" sep:"none" type:"existingfile" help:"Heritage corridors: files that waygate heritage check has passed. May be given several times. Without any, a region that is there keeps its own." placeholder:"FILE.json"`
	NoHeritage bool     `group:"Data of the map" help:"Leave out the heritage corridors that the region has."`
	Extracts   []string `arg:"" name:"extract" help:"OpenStreetMap extracts, as files or addresses: .osm.pbf, .osm, .osm.gz, .osm.bz2, or Overpass answers (XML or JSON)."`
}

// Run builds the region.
func (c *Import) Run(ctx context.Context) error {
	if c.NoHeritage && len(c.Heritage) > 0 {
		return errors.New("give either --heritage or --no-heritage")
	}
	return Build(ctx, os.Stderr, importer.Options{Dir: c.Out, Sources: c.Extracts, ID: c.ID, Name: c.Name, Country: c.Country, NoMap: c.NoMap, Heights: c.Elevation, Places: c.Places, Terrain: c.Terrain, Timetables: c.GTFS, StopRegisters: c.NaPTAN, Heritage: c.Heritage, NoHeritage: c.NoHeritage})
}

// Build runs an import, and shows its progress and result.
func Build(ctx context.Context, w io.Writer, o importer.Options) error {
	p := NewProgress(w)
	o.Builder, o.Report = version.Number, p.Report
	began := time.Now()
	s, err := runImport(ctx, o)
	p.Finish()
	if err != nil && ctx.Err() != nil {
		return fmt.Errorf("import into %s: interrupted; run the same command again to continue after the last finished stage", o.Dir)
	}
	if err != nil {
		return fmt.Errorf("import into %s: %w", o.Dir, files.WithHint(err, o.Sources...))
	}
	return summarise(w, o.Dir, s, time.Since(began))
}

// patience is how long an interrupted import may take to end by itself.
const patience = time.Second

// runImport runs an import. Once interrupted, it waits no longer than patience for a
// sort or a write: an import that is killed at any time continues where it stopped, so
// the process may exit.
func runImport(ctx context.Context, o importer.Options) (*importer.Summary, error) {
	type outcome struct {
		summary *importer.Summary
		err     error
	}
	done := make(chan outcome, 1)
	parallel.Go(func() {
		s, err := importer.Run(ctx, o)
		done <- outcome{s, err}
	}, func(p *parallel.Panic) { done <- outcome{err: fmt.Errorf("%w\n%s", p, p.Stack)} })
	select {
	case x := <-done:
		return x.summary, x.err
	case <-ctx.Done():
	}
	select {
	case x := <-done:
		return x.summary, x.err
	case <-time.After(patience):
		return nil, ctx.Err()
	}
}

// summarise prints the contents of a region and what of the extracts was left out.
func summarise(w io.Writer, dir string, s *importer.Summary, took time.Duration) error {
	m := s.Manifest
	var b strings.Builder
	fmt.Fprintf(&b, "region %s (%s) is in %s after %s\n", m.ID, m.Name, dir, took.Round(time.Millisecond))
	fmt.Fprintf(&b, "  roads: %d nodes, %d edges from %d ways, %d turn restrictions\n", m.Counts["nodes"], m.Counts["edges"], m.Counts["ways"], m.Counts["restrictions"])
	if n, ok := m.Counts["elevation_segments"]; ok {
		fmt.Fprintf(&b, "  heights: %s, known on %d of %d segments\n", m.Facts[region.ElevationFact], n, n+m.Counts["elevation_unknown_segments"])
	}
	if missing := m.Facts[importer.MissingFact]; missing != "" {
		fmt.Fprintf(&b, "  taken to be level, as there is no tile: %s\n", missing)
	}
	if n, ok := m.Counts["map_tiles"]; ok {
		fmt.Fprintf(&b, "  map: %d tiles, %d buildings, %d places of interest\n", n, m.Counts["map_buildings"], m.Counts["map_pois"])
	}
	if n, ok := m.Counts["places_addresses"]; ok {
		fmt.Fprintf(&b, "  places: %d addresses, %d streets, %d localities, %d postcodes, %d points of interest\n", n, m.Counts["places_streets"], m.Counts["places_localities"], m.Counts["places_postcodes"], m.Counts["places_pois"])
	}
	if n, ok := m.Counts["timetable_trips"]; ok {
		fmt.Fprintf(&b, "  timetable: %d stops, %d lines, %d trips from %s to %s\n", m.Counts["timetable_stops"], m.Counts["timetable_lines"], n, m.Facts["timetable_first_day"], m.Facts["timetable_last_day"])
	}
	if n, ok := m.Counts["heritage_entries"]; ok {
		kept := ""
		if s.KeptHeritage {
			kept = ", kept from the region before (--no-heritage leaves them out)"
		}
		fmt.Fprintf(&b, "  heritage: %d entries of %d corridors%s\n", n, m.Counts["heritage_corridors"], kept)
	}
	if faults := m.Facts[importer.TimetableFaults]; faults != "" {
		fmt.Fprintf(&b, "  wrong in the timetables:\n    %s\n", strings.ReplaceAll(faults, "\n", "\n    "))
	}
	for _, name := range slices.Sorted(maps.Keys(m.Counts)) {
		if what, ok := leftOut[name]; ok && m.Counts[name] > 0 {
			fmt.Fprintf(&b, "  left out: %d %s", m.Counts[name], what)
			if first := m.Facts[name]; first != "" {
				fmt.Fprintf(&b, ": %s", first)
			}
			b.WriteByte('\n')
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// leftOut describes the counts of what an import could not use.
var leftOut = map[string]string{
	"missing_nodes":                      "references of ways to nodes that the extracts lack",
	"dropped_ways_without_access":        "ways that nobody may use",
	"dropped_ways_without_line":          "ways of fewer than two nodes",
	"dropped_degenerate_rings":           "rings too small to be roads",
	"dropped_restrictions_incomplete":    "turn restrictions without from, via or to",
	"dropped_restrictions_unknown":       "turn restrictions of an unknown kind",
	"dropped_restrictions_ambiguous":     "turn restrictions that could mean several turns",
	"dropped_restrictions_unconnected":   "turn restrictions whose ways do not meet or are not there",
	"dropped_connectivity_incomplete":    "connections of lanes without one from, one to and a via",
	"dropped_connectivity_unreadable":    "connections of lanes whose value says nothing",
	"dropped_connectivity_unconnected":   "connections of lanes whose ways do not meet or are not there",
	"dropped_connectivity_ambiguous":     "connections of lanes that several courses would fit",
	"skipped_nodes_off_globe":            "nodes that lie off the globe (180 degrees of longitude, 90 of latitude)",
	"skipped_long_tags":                  "tags longer than the 255 characters that OpenStreetMap allows",
	"skipped_tags_of_many":               "objects' tags beyond the 5000 that OpenStreetMap allows an object",
	"dropped_pieces_at_crowded_nodes":    "pieces of ways at nodes where 64 others end already",
	"dropped_restrictions_beyond_limits": "turn restrictions with more members, courses or others at their node than the limits allow (64, 64, 200)",
	"dropped_connectivity_beyond_limits": "connections of lanes with more courses than the limit of 64 allows",
	"unknown_access_words":               "tags of access with words that are not known, whose roads are a last resort to motor traffic",
	"timetable_trips_on_demand":          "trips on demand (GTFS-Flex), which are not served",
	"timetable_patterns_off_their_shape": "series of stops that their shape does not lead past, drawn straight",
	"timetable_transfers_of_no_trip":     "rules of changing between trips that are not there",
	"timetable_trips_of_one_stop":        "trips that call at one stop only",
	"timetable_trips_without_a_day":      "trips of services without a day",
	"timetable_repeated_trips":           "trips that another of the same operator and line repeats",
	"map_broken_areas":                   "areas whose rings do not close, or are too many to sort out",
	"map_missing_members":                "members of areas that the extracts lack",
	"map_open_coastlines":                "coastlines that end inside the map",
	"map_dropped_features":               "map features from tiles that would be too large, or from zooms where they would be in too many",
}
