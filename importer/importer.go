// Package importer builds a region from OpenStreetMap extracts, in stages that each
// make one section: the graph first, then sections made from the graph (snap index,
// slopes, hierarchy, metrics) and from the extracts (landmarks, basemap). A stage whose
// inputs have not changed since it last finished is skipped: a second import of the
// same extracts does nothing, and one that was killed continues where it stopped. The
// region is sealed when all stages are done.
package importer

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/importer/basemap"
	"github.com/waygate/waygate/importer/boundaries"
	"github.com/waygate/waygate/importer/country"
	counting "github.com/waygate/waygate/importer/coverage"
	"github.com/waygate/waygate/importer/landmarks"
	"github.com/waygate/waygate/importer/network"
	"github.com/waygate/waygate/importer/places"
	"github.com/waygate/waygate/importer/roadside"
	"github.com/waygate/waygate/importer/zones"
	"github.com/waygate/waygate/index/boundary"
	"github.com/waygate/waygate/index/coverage"
	"github.com/waygate/waygate/index/globe"
	"github.com/waygate/waygate/index/height"
	"github.com/waygate/waygate/index/landmark"
	"github.com/waygate/waygate/index/place"
	roadsides "github.com/waygate/waygate/index/roadside"
	"github.com/waygate/waygate/index/tileset"
	"github.com/waygate/waygate/index/zone"
	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/region"
	"github.com/waygate/waygate/road/cch"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/guide"
	"github.com/waygate/waygate/road/island"
	"github.com/waygate/waygate/road/profile"
	"github.com/waygate/waygate/road/snap"
)

// Options configure an import.
type Options struct {
	Dir     string   // the region's folder, made if need be
	Sources []string // extracts: local paths or http(s) URLs, one or more
	ID      string   // lower-case letters, digits and hyphens; by default from the first source's name
	Name    string   // for people; by default from the ID
	Country string   // ISO 3166-1 alpha-2 of places that lie in no country, such as an invented island; "" is unknown
	NoMap   bool     // leave out the basemap
	Heights []string // SRTM tiles, or folders of them; none leaves the country level
	Places  []string // tables of places or postcodes besides the extracts: CSV, plain or packed with gzip
	Terrain string   // where the heights are from, for people; by default SRTM
	Builder string   // the gateway's version, for the manifest

	Timetables    []string // of public transport: GTFS archives or folders, local paths or http(s) URLs
	StopRegisters []string // NaPTAN's stops: CSV, plain or packed with gzip, local paths or http(s) URLs
	Heritage      []string // files of heritage corridors, local paths; without any, those of the region in Dir stay
	NoHeritage    bool     // leave out the corridors that the region in Dir has

	Report func(Progress) // called from one goroutine; nil is quiet
}

// Progress is one report of a running import.
type Progress struct {
	Stage      string
	Step       string // part of the stage, "" where it has none
	Done, Size int64  // of the stage's own measure; Size is 0 where unknown
	Skipped    bool   // it was already done
	Finished   bool
	Took       time.Duration
}

// Summary counts the contents of an import.
type Summary struct {
	Manifest *region.Manifest
	Took     map[string]time.Duration // by stage, for those that ran

	KeptHeritage bool // no corridors were given, and those of the region before stay
}

type build struct {
	stageRunner

	opt     Options
	heights *height.Set // nil without heights
	paths   []string
	headers []osm.Header

	timetables, stopRegisters []string            // local paths
	corridors                 *region.SectionInfo // of the folder's region, which stay; nil has none
}

// Run builds the region. The folder keeps its old region, if it had one, until the new
// one is sealed; an error or a kill leaves the old one unchanged.
func Run(ctx context.Context, opt Options) (s *Summary, err error) {
	if len(opt.Sources) == 0 {
		return nil, errors.New("no extract to import: name at least one .osm.pbf, .osm, .osm.gz or .osm.bz2")
	}
	if opt.ID == "" {
		opt.ID = IDFrom(opt.Sources[0])
	}
	if !validID.MatchString(opt.ID) {
		return nil, fmt.Errorf("region id %q: want 1 to 60 lower-case letters, digits and hyphens", opt.ID)
	}
	if opt.Name == "" {
		opt.Name = NameFrom(opt.ID)
	}
	if _, err := country.New(opt.Country); err != nil {
		return nil, err
	}
	b := &build{opt: opt, stageRunner: stageRunner{
		dir: opt.Dir, work: filepath.Join(opt.Dir, workFolder), progress: opt.Report,
		done: map[string]record{}, took: map[string]time.Duration{}, freed: allocated(),
	}}
	if len(opt.Heights) > 0 {
		if b.heights, err = height.Find(opt.Heights...); err != nil {
			return nil, err
		}
	}
	if err := os.MkdirAll(b.work, 0o755); err != nil {
		return nil, err
	}
	unlock, err := lock(b.work)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	if err := b.openSources(ctx); err != nil {
		return nil, err
	}
	if err := b.openTimetables(ctx); err != nil {
		return nil, err
	}
	if b.large() && os.Getenv("GOGC") == "" {
		// A smaller heap growth between collections costs a seventh more processor
		// time in all.
		defer debug.SetGCPercent(debug.SetGCPercent(25))
	}
	b.findCorridors()
	stages := b.stages()
	for i := range stages {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := b.finish(ctx, &stages[i]); err != nil {
			return nil, err
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return b.seal(stages)
}

// large reports whether the extracts are of the size of a country, whose roads must be
// built with little else in memory.
func (b *build) large() bool {
	size := int64(0)
	for _, s := range b.sources {
		size += s.Size
	}
	return size > 256<<20
}

var validID = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,58}[a-z0-9])?$`)

// IDFrom makes a region id from the name of an extract: its base without
// extensions, "-latest" and dates.
func IDFrom(source string) string {
	base := filepath.Base(source)
	if u, err := url.Parse(source); err == nil && u.Path != "" {
		base = filepath.Base(u.Path)
	}
	base, _, _ = strings.Cut(strings.ToLower(base), ".")
	base = regexp.MustCompile(`-(latest|\d{6,8})$`).ReplaceAllString(base, "")
	base = strings.Trim(regexp.MustCompile(`[^a-z0-9]+`).ReplaceAllString(base, "-"), "-")
	if len(base) > 60 {
		base = strings.Trim(base[:60], "-")
	}
	if base == "" {
		return "region"
	}
	return base
}

// NameFrom makes a name for people from an id: "isle-of-man" is "Isle Of Man".
func NameFrom(id string) string {
	words := strings.Split(id, "-")
	for i, w := range words {
		if w != "" {
			words[i] = strings.ToUpper(w[:1]) + w[1:]
		}
	}
	return strings.Join(words, " ")
}

// Sections names the sections that an import can make of a region.
func Sections() []string {
	var names []string
	whole := &build{heights: &height.Set{}, opt: Options{Timetables: []string{""}, Heritage: []string{""}}}
	for _, s := range whole.stages() {
		if s.section != "" {
			names = append(names, s.section)
		}
	}
	return names
}

func (b *build) stages() []stage {
	list := []stage{
		{
			name: "graph", version: 8, settings: "country=" + b.opt.Country, section: graph.SectionName, format: graph.Version,
			run: func(ctx context.Context, path string, report func(done, size int64)) (finding, error) {
				r, bounds, err := network.Build(ctx, network.Options{Sources: b.paths, Out: path, Country: b.opt.Country, Progress: report})
				facts := map[string]string{"bounds": boundsText(bounds)}
				maps.Copy(facts, r.Named)
				return finding{Counts: r.Counts, Facts: facts}, err
			},
		},
		{
			name: "snap", version: 1, needs: []string{"graph"}, section: snap.SectionName, format: snap.Version,
			run: b.ofGraph(func(_ context.Context, g *graph.Graph, path string) error { return snap.Build(g).Write(path) }),
		},
		{
			name: "islands", version: 2, needs: []string{"graph"}, settings: optionsOf(costing.Default), section: island.Section, format: island.Version,
			run: b.ofGraph(island.Write),
		},
		{
			name: "onward", version: 2, needs: []string{"graph"}, section: graph.ContinuationSection, format: graph.ContinuationVersion,
			run: b.ofGraph(func(ctx context.Context, g *graph.Graph, path string) error {
				onward, err := guide.Continuations(ctx, g)
				if err != nil {
					return err
				}
				return graph.WriteContinuations(path, onward)
			}),
		},
		{
			name: "junctions", version: 2, needs: []string{"graph"}, section: graph.JunctionSection, format: graph.JunctionVersion,
			run: b.ofGraph(func(ctx context.Context, g *graph.Graph, path string) error {
				junctions, err := profile.Junctions(ctx, g)
				if err != nil {
					return err
				}
				return graph.WriteJunctions(path, junctions)
			}),
		},
		{
			name: "hierarchy", version: 2, needs: []string{"graph"}, section: cch.TopologySection, format: cch.TopologyVersion,
			run: b.contract,
		},
		{
			name: "metrics", version: 6, needs: []string{"graph", "hierarchy", "heights", "junctions"}, settings: optionsOf(costing.Default), section: cch.MetricsSection, format: cch.MetricsVersion,
			run: b.customise,
		},
		{
			name: "bounds", version: 5, needs: []string{"graph", "hierarchy", "heights", "junctions"}, settings: optionsOf(profile.Cheapest), section: cch.BoundsSection, format: cch.BoundsVersion,
			run: b.customiseLeast,
		},
	}
	if b.heights != nil {
		list = slices.Insert(list, 1, (&terrain{b}).stage())
	}
	list = append(list, stage{
		name: "boundaries", version: 1, section: boundary.SectionName, format: boundary.Version,
		run: func(ctx context.Context, path string, report func(done, size int64)) (finding, error) {
			counts, err := boundaries.Build(ctx, boundaries.Options{Sources: b.paths, Out: path, Progress: report})
			return finding{Counts: counts}, err
		},
	}, stage{
		name: "landmarks", version: 1, section: landmark.SectionName, format: landmark.Version,
		run: func(ctx context.Context, path string, report func(done, size int64)) (finding, error) {
			counts, err := landmarks.Build(ctx, landmarks.Options{Sources: b.paths, Out: path, Progress: report})
			return finding{Counts: counts}, err
		},
	}, b.placesStage(), stage{
		name: "roadside", version: 1, settings: "country=" + b.opt.Country, section: roadsides.SectionName, format: roadsides.Version,
		run: func(ctx context.Context, path string, report func(done, size int64)) (finding, error) {
			counts, err := roadside.Build(ctx, roadside.Options{Sources: b.paths, Country: b.opt.Country, Out: path, Progress: report})
			return finding{Counts: counts}, err
		},
	}, stage{
		name: "coverage", version: 1, needs: []string{"graph"}, section: coverage.SectionName, format: coverage.Version,
		run: func(ctx context.Context, path string, report func(done, size int64)) (found finding, err error) {
			err = b.withGraph(func(g *graph.Graph) error {
				found.Counts, err = counting.Build(ctx, counting.Options{Sources: b.paths, Graph: g, Out: path, Progress: report})
				return err
			})
			return found, err
		},
	}, stage{
		name: "zones", version: 1, section: zone.SectionName, format: zone.SectionVersion,
		run: func(ctx context.Context, path string, report func(done, size int64)) (finding, error) {
			counts, err := zones.Build(ctx, zones.Options{Sources: b.paths, Out: path, Progress: report})
			return finding{Counts: counts}, err
		},
	})
	if !b.opt.NoMap {
		list = append(list, b.mapStage())
	}
	if len(b.opt.Timetables) > 0 {
		list = append(list, b.transitStage(), b.walksStage())
	}
	if len(b.opt.Heritage) > 0 || b.corridors != nil {
		list = append(list, b.heritageStage())
	}
	return list
}

// mapStage draws the basemap, with relief if there are heights.
func (b *build) mapStage() stage {
	s := stage{
		name: "basemap", version: 12, settings: "name=" + b.opt.Name, section: tileset.SectionName, format: tileset.Version,
		run: b.basemap,
	}
	if b.heights != nil {
		s.needs, s.reads = []string{"graph"}, (&terrain{b}).sumTiles
	}
	return s
}

func (b *build) placesStage() stage {
	return stage{
		name: "places", version: 4, needs: []string{"boundaries"}, settings: "country=" + b.opt.Country, section: place.SectionName, format: place.Version,
		reads: func(ctx context.Context) (string, error) { return sums(ctx, b.opt.Places) },
		run: func(ctx context.Context, path string, report func(done, size int64)) (found finding, err error) {
			err = region.WithSection(b.dir, *b.done["boundaries"].Output, func(s *region.Section) error {
				areas, err := boundary.Read(s)
				if err != nil {
					return err
				}
				found.Counts, err = places.Build(ctx, places.Options{Sources: b.paths, Tables: b.opt.Places, Out: path, Country: b.opt.Country, Areas: areas, Progress: report})
				return err
			})
			return found, err
		},
	}
}

// sums identifies the contents of files.
func sums(ctx context.Context, files []string) (string, error) {
	var all strings.Builder
	for _, path := range files {
		_, sum, err := region.Sum(ctx, path)
		if err != nil {
			return "", err
		}
		fmt.Fprintln(&all, sum)
	}
	return all.String(), nil
}

// basemap draws the basemap.
func (b *build) basemap(ctx context.Context, path string, _ func(done, size int64)) (finding, error) {
	world, err := globe.Open()
	if err != nil {
		return finding{}, err
	}
	s, err := basemap.Build(ctx, basemap.Options{
		Sources: b.paths, Out: path, Name: b.opt.Name, Terrain: b.heights, World: world,
		Progress: func(what string, done, total int64) {
			b.report(Progress{Stage: "basemap", Step: what, Done: done, Size: total})
		},
	})
	if err != nil {
		return finding{}, err
	}
	counts := map[string]int64{
		"map_tiles": int64(s.Tiles.Addressed), "map_dropped_features": int64(s.Dropped), "map_missing_members": int64(s.Dangling),
		"map_broken_areas": int64(s.Broken), "map_open_coastlines": int64(s.LooseEnds), "map_relief_tiles": int64(s.Relief),
	}
	for layer, n := range s.Features {
		counts["map_"+layer] = int64(n)
	}
	return finding{Counts: counts, Facts: map[string]string{"map_bounds": boundsText(s.Bounds)}}, nil
}

// ofGraph returns the run function of a stage that makes its section from the finished
// graph alone.
func (b *build) ofGraph(write func(ctx context.Context, g *graph.Graph, path string) error) func(context.Context, string, func(done, size int64)) (finding, error) {
	return func(ctx context.Context, path string, _ func(done, size int64)) (finding, error) {
		return finding{}, b.withGraph(func(g *graph.Graph) error { return write(ctx, g, path) })
	}
}

// withGraph calls use with the finished graph of an earlier stage.
func (b *build) withGraph(use func(*graph.Graph) error) error {
	out := b.done["graph"].Output
	return region.WithSection(b.dir, *out, func(s *region.Section) error {
		g, err := graph.Read(s)
		if err != nil {
			return err
		}
		return use(g)
	})
}

func boundsText(b geo.Bounds) string {
	return fmt.Sprintf("%.7f,%.7f,%.7f,%.7f", b.Min.Lon, b.Min.Lat, b.Max.Lon, b.Max.Lat)
}

func readBounds(text string) (b geo.Bounds, err error) {
	_, err = fmt.Sscanf(text, "%g,%g,%g,%g", &b.Min.Lon, &b.Min.Lat, &b.Max.Lon, &b.Max.Lat)
	return b, err
}

func (b *build) seal(stages []stage) (*Summary, error) {
	m := &region.Manifest{
		ID: b.opt.ID, Name: b.opt.Name, Built: time.Now().UTC().Truncate(time.Second), Builder: b.opt.Builder,
		Attribution: b.attribution(), Sources: b.sources,
		Counts: map[string]int64{}, Facts: map[string]string{},
	}
	for i := range stages {
		r := b.done[stages[i].name]
		if r.Output != nil {
			m.Sections = append(m.Sections, *r.Output)
		}
		for k, v := range r.Finding.Counts {
			m.Counts[k] = v
		}
		for k, v := range r.Finding.Facts {
			m.Facts[k] = v
		}
	}
	for _, s := range b.sources {
		if s.Timestamp != nil && (m.OSMTimestamp == nil || s.Timestamp.After(*m.OSMTimestamp)) {
			m.OSMTimestamp = s.Timestamp
		}
	}
	var err error
	if m.Bounds, err = readBounds(m.Facts["bounds"]); err != nil {
		return nil, err
	}
	delete(m.Facts, "bounds")
	if b.opt.Country != "" {
		m.Facts[region.CountryFact] = b.opt.Country
	}
	if old, err := region.ReadManifest(b.dir); err == nil && sameRegion(old, m) {
		return &Summary{Manifest: old, Took: b.took, KeptHeritage: b.corridors != nil}, nil
	}
	b.report(Progress{Stage: "seal"})
	if err := region.Seal(b.dir, m); err != nil {
		return nil, err
	}
	b.report(Progress{Stage: "seal", Finished: true})
	return &Summary{Manifest: m, Took: b.took, KeptHeritage: b.corridors != nil}, nil
}

// sameRegion reports whether sealing m over old would change nothing but the build
// time: then a server need not swap.
func sameRegion(old, m *region.Manifest) bool {
	if old.ID != m.ID || old.Name != m.Name || old.Builder != m.Builder || old.Facts[region.CountryFact] != m.Facts[region.CountryFact] || !slices.Equal(old.Attribution, m.Attribution) || !slices.Equal(old.Sections, m.Sections) {
		return false
	}
	// If the same roads come from another extract, the region's data sources and dates
	// must follow.
	return slices.EqualFunc(old.Sources, m.Sources, func(x, y region.Source) bool { return x.Name == y.Name && x.SHA256 == y.SHA256 })
}
