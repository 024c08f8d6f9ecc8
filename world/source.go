package world

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/chosen"
	"github.com/waygate/waygate/engine/counted"
	"github.com/waygate/waygate/engine/embedded"
	"github.com/waygate/waygate/feature/landmarks"
	"github.com/waygate/waygate/feature/tiles"
	"github.com/waygate/waygate/feature/transit"
	"github.com/waygate/waygate/index/boundary"
	"github.com/waygate/waygate/index/coverage"
	"github.com/waygate/waygate/index/heritage"
	"github.com/waygate/waygate/index/landmark"
	"github.com/waygate/waygate/index/place"
	"github.com/waygate/waygate/index/place/find"
	"github.com/waygate/waygate/index/roadside"
	"github.com/waygate/waygate/index/stopwalk"
	"github.com/waygate/waygate/index/surroundings"
	"github.com/waygate/waygate/index/tileset"
	"github.com/waygate/waygate/index/timetable"
	"github.com/waygate/waygate/index/zone"
	"github.com/waygate/waygate/parallel"
	"github.com/waygate/waygate/region"
)

// ExamplesName is a file beside a region's manifest with the example journeys of the
// explorer, a JSON list.
const ExamplesName = "examples.json"

// source is one part of a Region.
type source struct {
	name     string   // for errors
	sections []string // the sections that it reads, if any
	optional bool     // routes can do without it
	// open sets the part in r, whose files are open. It leaves r as it is where the region
	// lacks the part.
	open func(r *Region, o *Options) error
	// verify reads the whole part and returns the first error; nil where open does so.
	verify func(r *Region) error
}

// sources returns all parts of regions, for serving and for verifying.
func sources() []source {
	return []source{
		{name: "engine", sections: embedded.Sections(), open: openEngine, verify: verifyEngine},
		{name: "boundaries", optional: true, sections: []string{boundary.SectionName}, open: openBoundaries},
		{name: "landmarks", optional: true, sections: []string{landmark.SectionName}, open: openLandmarks},
		{name: "places", optional: true, sections: []string{place.SectionName}, open: openPlaces},
		{name: "coverage", optional: true, sections: []string{coverage.SectionName}, open: openCoverage},
		{name: "heritage", optional: true, sections: []string{heritage.SectionName}, open: openHeritage},
		{name: "zones", optional: true, sections: []string{zone.SectionName}, open: openZones},
		{name: "roadside", optional: true, sections: []string{roadside.SectionName}, open: openRoadside},
		{name: "timetable", optional: true, sections: []string{timetable.SectionName}, open: openTimetable},
		{name: "stopwalks", optional: true, sections: []string{stopwalk.SectionName}, open: openStopWalks},
		{name: "map", optional: true, sections: []string{tileset.SectionName}, open: openMap, verify: verifyMap},
		{name: "examples", optional: true, open: openExamples},
	}
}

// open makes a Region of a region's files. A part that routes can do without and that
// cannot be opened is lost: the Region is as if it had been built without.
func open(files *region.Region, o *Options) (*Region, error) {
	r := describe(files.Manifest)
	r.files = files
	for _, s := range sources() {
		try := func() error { return parallel.Try(func() error { return s.open(r, o) }) }
		err := try()
		if err != nil && s.optional {
			r.lost = append(r.lost, lossOf(s.name, err))
			if files.HideSections(s.sections...); len(s.sections) == 0 {
				continue
			}
			err = try()
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.name, err)
		}
	}
	return r, nil
}

// verify reads all parts that were opened and returns the first error of each.
func (r *Region) verify() error {
	var all error
	for _, s := range sources() {
		if s.verify != nil {
			all = errors.Join(all, parallel.Try(func() error { return s.verify(r) }))
		}
	}
	return all
}

// describe returns a Region with the facts of its manifest.
func describe(m *region.Manifest) *Region {
	return &Region{
		ID: m.ID, Name: m.Name, Bounds: m.Bounds, Attribution: m.Attribution,
		Elevation: m.Facts[region.ElevationFact], Country: m.Facts[region.CountryFact], OSMTimestamp: m.OSMTimestamp, Engine: engine.Unimplemented{}, Landmarks: &landmarks.Service{},
	}
}

// Verify reads all of the region in dir, with the checksums and the contents of each part,
// and returns its manifest, or all errors joined, or the error of the context.
func Verify(ctx context.Context, dir string) (m *region.Manifest, err error) {
	if err := region.Verify(ctx, dir); err != nil {
		return nil, err
	}
	files, err := region.Open(dir)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, files.Close()) }()
	r := describe(files.Manifest)
	r.files = files
	var all error
	for _, s := range sources() {
		all = errors.Join(all, parallel.Try(func() error {
			if err := s.open(r, &Options{}); err != nil || s.verify == nil {
				return err
			}
			return s.verify(r)
		}))
	}
	return files.Manifest, all
}

func openEngine(r *Region, o *Options) error {
	if o.Remote == nil || o.Rules != nil {
		kernel, err := embedded.New(r.files)
		if err != nil {
			return err
		}
		engines, metric := int64(max(1, len(o.Dirs))), kernel.MetricBytes()
		room := o.MetricMemory / engines
		if o.MetricMemory == EnoughMemory {
			room = max(leastMemory/engines, 2*metric)
		}
		kernel.SetMetricMemory(room)
		if 0 < room && room < metric && o.Log != nil {
			o.Log.Warn("there is no room for a metric of this region: what is live, and options that come back, take longer than they have to", "region", r.ID, "metric_mib", metric>>20, "room_mib", room>>20, "setting", "SVC_METRIC_MEMORY")
		}
		if o.Scheduler != nil {
			kernel.SetBackground(o.Scheduler.Background)
		}
		r.embedded = kernel
		r.roads = &regionRoads{joined: map[string]*joinedFeed{}}
	}
	roads := r.embedded
	if o.Remote != nil && o.Rules == nil {
		roads = roadsBeside(r, o)
	}
	r.Engine = o.engineOf(r.ID, r.embedded, roads)
	r.Rules, _ = r.Engine.(*chosen.Engine)
	switch {
	case o.Second != nil:
		r.Second = o.Second
	case r.embedded == nil && roads != nil:
		r.Second = roads
	}
	if r.Second != nil && o.Scheduler != nil {
		r.Second = o.Scheduler.Wrap(r.Second)
	}
	r.plain = r.Engine
	if o.Canary.On {
		r.tally = &tally{}
		r.Engine = counted.New(r.Engine, r.tally.observe)
	}
	return nil
}

// roadsBeside opens the roads of a region by which the routes of a remote engine are judged;
// nil where nothing is left to judge. A region whose roads cannot be opened judges none, and
// no answer says that one was.
func roadsBeside(r *Region, o *Options) *embedded.Engine {
	if can := o.Remote.Can(); can.TunnelCodes && can.Vehicles {
		return nil
	}
	roads, err := embedded.New(r.files)
	if err != nil {
		if o.Log != nil {
			o.Log.Error("the roads of a region cannot be opened: routes of the routing engine are not judged by them", "region", r.ID, "error", err)
		}
		return nil
	}
	roads.SetMetricMemory(0)
	return roads
}

func verifyEngine(r *Region) error {
	if r.embedded == nil {
		return nil
	}
	return r.embedded.Verify()
}

func openBoundaries(r *Region, _ *Options) (err error) {
	r.Boundaries, err = boundary.Open(r.files)
	return err
}

func openLandmarks(r *Region, _ *Options) error {
	index, err := landmark.Open(r.files)
	r.Landmarks = &landmarks.Service{Index: index}
	return err
}

func openPlaces(r *Region, _ *Options) (err error) {
	r.Places, err = find.Open(r.files)
	return err
}

func openCoverage(r *Region, _ *Options) (err error) {
	r.Coverage, err = coverage.Open(r.files)
	return err
}

func openZones(r *Region, o *Options) error {
	mapped, err := zone.Open(r.files)
	r.datasets = zone.NewIndex(o.Zones)
	r.Zones = zone.NewIndex(o.Zones, zone.Place(mapped, true))
	return err
}

func openHeritage(r *Region, _ *Options) (err error) {
	r.Heritage, err = heritage.Open(r.files)
	return err
}

func openTimetable(r *Region, _ *Options) (err error) {
	r.Timetable, err = timetable.Open(r.files)
	return err
}

// openStopWalks opens the walks between the stops of the timetable, which is open, and
// prepares both for searches. Without the walks changes are those of the timetable alone.
func openStopWalks(r *Region, _ *Options) error {
	walks, err := stopwalk.Open(r.files)
	if err != nil || r.Timetable == nil {
		return err
	}
	if walks != nil && walks.Stops() != r.Timetable.Stops() {
		return fmt.Errorf("section %s: it has walks from %d stops and the timetable has %d", stopwalk.SectionName, walks.Stops(), r.Timetable.Stops())
	}
	r.Journeys = transit.Network(r.Timetable, walks)
	return nil
}

func openMap(r *Region, _ *Options) error {
	info, ok := r.files.Manifest.Section(tileset.SectionName)
	if !ok {
		return nil
	}
	data, err := r.files.Bytes(tileset.SectionName, tileset.Version, tileset.Version)
	if err != nil {
		return err
	}
	archive, err := tileset.FromBytes(tileset.SectionName, data)
	if err != nil {
		return err
	}
	r.tiles = &tiles.Territory{ID: r.ID, Name: r.Name, Tiles: tiles.Fixed{Reader: archive}, Bounds: r.Bounds, Attribution: strings.Join(r.Attribution, " · "), Version: info.SHA256}
	r.Surroundings = surroundings.New(archive)
	if r.OSMTimestamp != nil {
		r.tiles.Updated = *r.OSMTimestamp
	}
	return nil
}

func verifyMap(r *Region) error {
	if r.tiles == nil {
		return nil
	}
	return r.Tiles().Verify()
}

func openExamples(r *Region, _ *Options) error {
	path := filepath.Join(r.files.Dir, ExamplesName)
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var list []json.RawMessage
	if err := json.Unmarshal(data, &list); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if list != nil {
		r.Examples = data
	}
	return nil
}
