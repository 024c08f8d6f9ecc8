package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/waygate/waygate/api/along"
	"github.com/waygate/waygate/cmd/waygate/files"
	"github.com/waygate/waygate/cmd/waygate/version"
	"github.com/waygate/waygate/feature/along/cameras"
	"github.com/waygate/waygate/feature/along/charging"
	"github.com/waygate/waygate/feature/along/fuel"
	"github.com/waygate/waygate/feature/along/weather"
	"github.com/waygate/waygate/feature/transit"
	"github.com/waygate/waygate/feature/watch"
	"github.com/waygate/waygate/feed"
	forecasts "github.com/waygate/waygate/feed/weather"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/world"
)

// feeds has the live feeds of the process.
type feeds struct {
	set      *feed.Set
	fuel     *fuel.Feeds
	charging *charging.Feeds
	cameras  *cameras.Feeds
	policy   cameras.Policy // nil is the usual one
	weather  *weather.Service
	roads    *world.Roads // traffic and incidents
	vehicles *transit.Feeds
	updates  *transit.UpdateFeeds // of trips

	log     *slog.Logger
	changed chan struct{} // signals a change of traffic or incidents
	updated chan struct{} // signals new updates of trips
}

// recordKind makes feeds for sources of one kind of records, and closes them.
type recordKind struct {
	add    func(feed.Options, feed.Source) (feed.Member, error)
	remove func(id string)
}

// kinds returns the kinds of records that feeds can have.
func (f *feeds) kinds() map[string]recordKind {
	return map[string]recordKind{
		"fuel":         {f.fuel.Add, f.fuel.Remove},
		"charging":     {f.charging.Add, f.charging.Remove},
		"cameras":      {f.cameras.Add, f.cameras.Remove},
		"weather":      {f.addWeather, f.weather.Feeds.Remove},
		"vehicles":     {f.vehicles.Add, f.vehicles.Remove},
		"trip-updates": {f.updates.Add, f.updates.Remove},
		"traffic":      {f.roads.Add, f.roads.Remove},
		"incidents":    {f.roads.Add, f.roads.Remove},
	}
}

// live returns the live data for answers.
func (f *feeds) live(w *watch.Service) along.Live {
	return along.Live{
		Fuel:     &fuel.Service{Feeds: f.fuel, Now: time.Now},
		Charging: &charging.Service{Feeds: f.charging, Now: time.Now},
		Cameras:  &cameras.Service{Feeds: f.cameras, Policy: f.policy},
		Watches:  w,
		Weather:  f.weather,
	}
}

// addWeather makes a feed of a file of forecasts, or of a server of forecasts by place, by
// the source's format or address.
func (f *feeds) addWeather(o feed.Options, s feed.Source) (feed.Member, error) {
	remote := strings.HasPrefix(s.URL, "http://") || strings.HasPrefix(s.URL, "https://")
	if s.Format == "" && remote {
		switch {
		case strings.Contains(s.URL, "/v1/forecast"):
			s.Format = forecasts.OpenMeteo
		case strings.Contains(s.URL, "/locationforecast/"):
			s.Format = forecasts.METNorway
		}
	}
	if !remote || s.Format == "" || s.Format == forecasts.CSV {
		return f.weather.Feeds.Add(o, s)
	}
	c, err := forecasts.NewCells(o, s)
	if err != nil {
		return nil, err
	}
	f.weather.Cells = append(f.weather.Cells, c)
	return c, nil
}

// feedOptions say where feeds are stored, and name the client.
type feedOptions struct {
	dir  string // of data; "" is the user's
	base string // address of this server
	// counts reports whether a place counts as part of a country though it lies
	// elsewhere.
	counts func(country string, p geo.Point) bool
	log    *slog.Logger
}

// feeds makes the feeds that the settings list. Nothing is fetched yet.
func (s *feedSettings) feeds(o feedOptions) (*feeds, error) {
	f := &feeds{
		set: &feed.Set{}, fuel: fuel.NewFeeds(), charging: charging.NewFeeds(), cameras: cameras.NewFeeds(), vehicles: transit.NewFeeds(),
		weather: &weather.Service{Feeds: weather.NewFeeds(), Now: time.Now},
		roads:   world.NewRoads(o.log), changed: make(chan struct{}, 1), updated: make(chan struct{}, 1), log: o.log,
	}
	f.updates = transit.NewUpdateFeeds(func() { signalTo(f.updated) })
	f.roads.History = s.History
	f.roads.OnChange(func(*world.Region) { signalTo(f.changed) })
	list, folders, err := s.listed()
	if err == nil {
		f.policy, err = s.policy()
	}
	if err != nil {
		return nil, err
	}
	if len(list)+len(folders) == 0 {
		return f, nil
	}
	if o.dir == "" {
		if o.dir, err = files.UserDataFolder(); err != nil {
			return nil, fmt.Errorf("no folder for the feeds' data was found; set SVC_DATA_DIR: %w", err)
		}
	}
	options := feed.Options{Dir: filepath.Join(o.dir, "feeds"), Agent: fmt.Sprintf("waygate/%s %s", version.Number, o.base), Log: o.log, Counts: o.counts}
	kinds := f.kinds()
	for _, source := range list {
		kind, known := kinds[source.Kind]
		if !known {
			return nil, fmt.Errorf("feed %s: kind %q is not supported by this build", source.ID, source.Kind)
		}
		m, err := kind.add(options, source)
		if err != nil {
			return nil, err
		}
		f.set.Add(m)
	}
	for _, d := range folders {
		kind := kinds[d.Kind]
		d.Add, d.Remove, d.Log = func(s feed.Source) (feed.Member, error) { return kind.add(options, s) }, kind.remove, o.log
		if err := f.set.Follow(d); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// listed returns the sources of all settings, and the folders whose files they include.
func (s *feedSettings) listed() (list []feed.Source, folders []*feed.Folder, err error) {
	for _, plain := range []struct {
		kind, name string
		places     []string
	}{
		{"fuel", "SVC_FUEL_PRICES", s.FuelPrices},
		{"charging", "SVC_CHARGING_DIR", s.Charging},
		{"cameras", "SVC_CAMERAS", s.Cameras},
		{"weather", "SVC_WEATHER", s.Weather},
		{"vehicles", "SVC_VEHICLES", s.Vehicles},
		{"trip-updates", "SVC_TRIP_UPDATES", s.TripUpdates},
		{"traffic", "SVC_TRAFFIC", s.Traffic},
		{"incidents", "SVC_INCIDENTS", s.Incidents},
	} {
		single := slices.DeleteFunc(slices.Clone(plain.places), func(place string) bool {
			at, err := os.Stat(place)
			if err != nil || !at.IsDir() {
				return false
			}
			folders = append(folders, &feed.Folder{Kind: plain.kind, Dir: place})
			return true
		})
		sources, err := feed.Listed(plain.kind, single...)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", plain.name, files.WithHint(err, single...))
		}
		list = append(list, sources...)
	}
	if s.Feeds == "" {
		return list, folders, nil
	}
	file, err := os.Open(s.Feeds)
	if err != nil {
		return nil, nil, fmt.Errorf("SVC_FEEDS: %w", err)
	}
	defer func() { _ = file.Close() }()
	more, err := feed.ReadList(file, filepath.Dir(s.Feeds), os.LookupEnv)
	if err != nil {
		return nil, nil, fmt.Errorf("SVC_FEEDS: %s: %w", filepath.Base(s.Feeds), err)
	}
	return append(list, more...), folders, nil
}

// policy returns the countries in which cameras may be reported; nil is the built-in
// table.
func (s *feedSettings) policy() (cameras.Policy, error) {
	if s.CameraPolicy == "" {
		return nil, nil //nolint:nilnil // no policy is no failure
	}
	file, err := os.Open(s.CameraPolicy)
	if err != nil {
		return nil, fmt.Errorf("SVC_CAMERA_POLICY: %w", err)
	}
	defer func() { _ = file.Close() }()
	p, err := cameras.ReadPolicy(file)
	if err != nil {
		return nil, fmt.Errorf("SVC_CAMERA_POLICY: %w", err)
	}
	return p, nil
}

// profile loads the usual speeds of the setting.
func (s *feedSettings) profile(r *world.Roads, log *slog.Logger) (err error) {
	if s.Profile == "" {
		return nil
	}
	file, err := os.Open(s.Profile)
	if err != nil {
		return fmt.Errorf("SVC_TRAFFIC_PROFILE: %w", err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	p, rejected, err := world.ReadProfile(file)
	if err != nil {
		return fmt.Errorf("SVC_TRAFFIC_PROFILE: %w", err)
	}
	if rejected > 0 {
		log.Warn("some usual speeds cannot be read", "lines", rejected)
	}
	r.SetProfile(p)
	return nil
}

// How often watched routes are checked: after each change, but not more often than
// watchLeast, and at least every watchMost, since live data fades.
const (
	watchApart = 5 * time.Second
	watchEvery = time.Minute
)

// watch checks watched routes until ctx ends.
func (f *feeds) watch(ctx context.Context, w *watch.Service, s *world.Set) {
	for ctx.Err() == nil {
		if err := w.Sweep(ctx, s.Look); err != nil && ctx.Err() == nil {
			f.log.Warn("watched routes could not be checked", "error", err)
		}
		if !pause(ctx, watchApart, nil) || !pause(ctx, watchEvery, f.changed) {
			return
		}
	}
}

// signalTo signals, unless a signal waits already.
func signalTo(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// joinUpdates joins new updates of trips to the timetables in service until ctx ends, so that
// no request waits for that.
func (f *feeds) joinUpdates(ctx context.Context, s *world.Set) {
	service := &transit.Service{Updates: f.updates, Now: time.Now}
	for {
		select {
		case <-ctx.Done():
			return
		case <-f.updated:
		}
		w, release := s.Acquire()
		if w != nil {
			for _, x := range w.Timetables() {
				service.Overlay(x)
			}
		}
		release()
	}
}

// pause waits for d, or until woken; it returns false if ctx has ended.
func pause(ctx context.Context, d time.Duration, woken <-chan struct{}) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-woken:
	case <-timer.C:
	}
	return true
}

// besideRoads is how far from the roads of a region a place may lie to belong to it, in
// degrees.
const besideRoads = 0.05

// countsAs returns a function that reports whether a place lies in a served region that
// was imported as part of a country which does not contain it, such as an invented
// island.
func countsAs(regions *world.Set) func(country string, p geo.Point) bool {
	return func(country string, p geo.Point) bool {
		w, release := regions.Acquire()
		defer release()
		return w != nil && slices.ContainsFunc(w.Regions(), func(r *world.Region) bool {
			beside := geo.Bounds{
				Min: geo.Point{Lon: p.Lon - besideRoads, Lat: p.Lat - besideRoads},
				Max: geo.Point{Lon: p.Lon + besideRoads, Lat: p.Lat + besideRoads},
			}
			return r.Country == country && r.Bounds.Intersects(beside)
		})
	}
}
