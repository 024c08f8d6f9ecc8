// Package traffic describes the live traffic on roads as GeoJSON. It takes the roads and
// the sources as values, since the regions in service are the business of its caller.
package traffic

import (
	"encoding/json"
	"math"
	"strconv"
	"time"

	"github.com/waygate/waygate/feed"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/wire/null"
)

// Answer is the live traffic on some roads.
type Answer struct {
	Type     string   `json:"type" enum:"FeatureCollection"`
	Features []Road   `json:"features" nullable:"false"`
	More     bool     `json:"more" doc:"there are roads that the answer has no room for"`
	Sources  []Source `json:"sources" nullable:"false"`
	Caveat   string   `json:"caveat"`
}

// Road is one direction of a road.
type Road struct {
	Type       string     `json:"type" enum:"Feature"`
	Geometry   Line       `json:"geometry"`
	Properties Properties `json:"properties"`
}

// Line is a line of GeoJSON.
type Line struct {
	Type        string          `json:"type" enum:"LineString"`
	Coordinates json.RawMessage `json:"coordinates" doc:"[lon, lat] of each position"`
}

// Properties is the traffic on one direction of a road.
type Properties struct {
	SpeedKph *int     `json:"speed_kph" doc:"null where the road is closed"`
	FreeKph  int      `json:"free_kph" doc:"of free traffic, by the map"`
	Ratio    *float64 `json:"ratio" minimum:"0" maximum:"1" decimals:"2" doc:"of the two; null where the road is closed"`
	Closed   bool     `json:"closed"`
	Class    string   `json:"class"`
}

// Source is a feed and its age.
type Source struct {
	Source      string     `json:"source"`
	Name        string     `json:"name"`
	Kind        string     `json:"kind" enum:"traffic,incidents"`
	UpdatedAt   *time.Time `json:"updated_at"`
	AgeS        *float64   `json:"age_s" decimals:"0"`
	Stale       bool       `json:"stale"`
	OnRoads     int        `json:"on_roads" doc:"places it reports that are on roads of the region"`
	NotOnRoads  int        `json:"not_on_roads" doc:"places it reports that are on none: elsewhere, on roads that the map lacks, or wrong"`
	Licence     *string    `json:"licence"`
	Attribution *string    `json:"attribution"`
}

// LiveRoad is the traffic on one direction of a road. Speeds are in km/h, and that of a closed road
// does not count.
type LiveRoad struct {
	Line        []geo.Point
	Speed, Free int
	Closed      bool
	Class       string
}

// LiveSource is a feed, and how much of its newest document lies on the roads of a region.
type LiveSource struct {
	Feed    *feed.Source
	Kind    string
	At      *time.Time // when the document was made; nil without a document
	Stale   bool
	OnRoads int
	Missed  int // places elsewhere
}

// New returns an answer without roads and sources. more reports that there are roads that it
// has no room for.
func New(more bool) *Answer {
	return &Answer{Type: "FeatureCollection", Features: []Road{}, More: more, Sources: []Source{}, Caveat: "A road that is not in the answer is not a clear one: nothing is known of it."}
}

// AddRoad adds a road.
func (a *Answer) AddRoad(r LiveRoad) {
	f := Road{Type: "Feature", Geometry: Line{"LineString", positions(r.Line)}, Properties: Properties{FreeKph: r.Free, Closed: r.Closed, Class: r.Class}}
	if !r.Closed {
		ratio := min(1, float64(r.Speed)/math.Max(1, float64(r.Free)))
		f.Properties.SpeedKph, f.Properties.Ratio = &r.Speed, &ratio
	}
	a.Features = append(a.Features, f)
}

// AddSource adds a source with its age at a time.
func (a *Answer) AddSource(s LiveSource, now time.Time) {
	out := Source{Source: s.Feed.ID, Name: s.Feed.Title(), Kind: s.Kind, Stale: s.Stale, OnRoads: s.OnRoads, NotOnRoads: s.Missed, Licence: null.IfZero(s.Feed.Licence), Attribution: null.IfZero(s.Feed.Attribution)}
	if s.At != nil {
		at, age := s.At.UTC(), math.Max(0, now.Sub(*s.At).Seconds())
		out.UpdatedAt, out.AgeS = &at, &age
	}
	a.Sources = append(a.Sources, out)
}

// positions writes a line with six digits.
func positions(line []geo.Point) json.RawMessage {
	text := []byte{'['}
	for i, p := range line {
		if i > 0 {
			text = append(text, ',')
		}
		text = strconv.AppendFloat(append(text, '['), math.Round(p.Lon*1e6)/1e6, 'f', -1, 64)
		text = append(strconv.AppendFloat(append(text, ','), math.Round(p.Lat*1e6)/1e6, 'f', -1, 64), ']')
	}
	return append(text, ']')
}
