// Package camera reads where cameras enforce rules of the road: tables and
// GeoJSON that operators and publishers have, with their licence and source.
package camera

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/waygate/waygate/feed"
	"github.com/waygate/waygate/feed/lenient"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/geo/corridor"
)

// Kinds of cameras.
const (
	Fixed      = "fixed"
	Average    = "average"
	RedLight   = "redlight"
	MobileSite = "mobile_site" // where mobile cameras stand at times
	Unknown    = "unknown"
)

// Kinds lists them.
func Kinds() []string { return []string{Fixed, Average, RedLight, MobileSite, Unknown} }

// Where a limit is from.
const (
	Official = "official"
	OSM      = "osm"
	OfRoad   = "inferred_from_road"
)

// Camera is one, or a section whose average speed is measured.
type Camera struct {
	ID         string
	At         geo.Point  // where a section begins
	To         *geo.Point // where it ends; nil for a place
	Kind       string
	Limit      int    // km/h; 0 where it is not known
	Confidence string // in the limit: where it is from; "" where that is not known
	Travel     *int   // direction of travel that is watched, in degrees; nil where it is not known
	Country    string // ISO 3166-1 alpha-2; "" where it is not known
}

// Listed is a camera with the source it is from.
type Listed struct {
	Camera
	Source      string // id
	Licence     string
	Attribution string
}

// Index is cameras to be compared with routes: places by themselves, sections by
// where they begin. It is immutable.
type Index struct {
	Cameras []Listed
	Near    *corridor.Index
}

// NewIndex makes an index of cameras.
func NewIndex(list []Listed) *Index {
	points := make([]geo.Point, len(list))
	for i := range list {
		points[i] = list[i].At
	}
	return &Index{list, corridor.PointIndex(points)}
}

// Join makes the index of what all sources have in force.
func Join(all []*feed.Snapshot[[]Camera]) *Index {
	var list []Listed
	for _, s := range all {
		for _, c := range s.Value {
			list = append(list, Listed{c, s.Source.ID, s.Source.Licence, s.Source.Attribution})
		}
	}
	return NewIndex(list)
}

// Kind describes feeds of cameras.
func Kind() feed.Kind[[]Camera] {
	return feed.Kind[[]Camera]{
		Read: read, Every: time.Hour, StaleAfter: 30 * 24 * time.Hour,
		Check: func(s *feed.Source) error {
			if all := []string{"", "csv", "geojson"}; !slices.Contains(all, s.Format) {
				return fmt.Errorf("format %q is none of csv, geojson", s.Format)
			}
			for _, o := range s.Options {
				if o != Official {
					return fmt.Errorf("option %q is not known: %s says that who enforces the limits publishes them", o, Official)
				}
			}
			return nil
		},
	}
}

func read(_ context.Context, in *feed.Input, _ []Camera) ([]Camera, int, error) {
	r := &reader{in: in, seen: map[string]bool{}}
	var err error
	if in.Sniff() == feed.JSON {
		err = feed.EachJSON(in, feed.Walk{Lists: []string{"features"}, Each: r.feature})
	} else {
		err = feed.EachRow(in, func(row feed.Row) error {
			r.take(func(name string) string { return row.Get(name) })
			return nil
		})
	}
	return r.all, len(r.all), err
}

type reader struct {
	in   *feed.Input
	all  []Camera
	seen map[string]bool
}

// feature reads a Feature: a point, or a line from where a section begins to
// where it ends.
func (r *reader) feature(raw json.RawMessage) error {
	var f struct {
		ID       any `json:"id"`
		Geometry *struct {
			Type        string          `json:"type"`
			Coordinates json.RawMessage `json:"coordinates"`
		} `json:"geometry"`
		Properties map[string]any `json:"properties"`
	}
	if err := json.Unmarshal(raw, &f); err != nil || f.Geometry == nil {
		r.in.Report.Reject("no record as expected", "%.80s", raw)
		return nil //nolint:nilerr // the record is rejected and counted, and the next is read
	}
	fields := map[string]string{}
	for name, v := range f.Properties {
		switch v := v.(type) {
		case string:
			fields[strings.ToLower(name)] = v
		case float64:
			fields[strings.ToLower(name)] = strconv.FormatFloat(v, 'f', -1, 64)
		}
	}
	if f.ID != nil && fields["id"] == "" {
		fields["id"] = fmt.Sprint(f.ID)
	}
	var point []float64
	var line [][]float64
	put := func(lat, lon string, at []float64) {
		if len(at) >= 2 {
			fields[lon], fields[lat] = strconv.FormatFloat(at[0], 'f', -1, 64), strconv.FormatFloat(at[1], 'f', -1, 64)
		}
	}
	switch f.Geometry.Type {
	case "Point":
		_ = json.Unmarshal(f.Geometry.Coordinates, &point) // without a point it has no place
		put("lat", "lon", point)
	case "LineString":
		_ = json.Unmarshal(f.Geometry.Coordinates, &line) // as above
		if len(line) >= 2 {
			put("lat", "lon", line[0])
			put("to_lat", "to_lon", line[len(line)-1])
		}
	}
	r.take(func(name string) string { return fields[name] })
	return nil
}

// mostLimit is more than any limit, in km/h.
const mostLimit = 200

// take adds a record, whose fields it reads by name: id, lat, lon, kind,
// limit_kph or limit_mph, limit_confidence (where that limit is from), bearing (that it
// looks in) or travel_bearing (that is watched), to_lat and to_lon of a section,
// country.
func (r *reader) take(get func(name string) string) {
	c := Camera{ID: get("id"), Kind: strings.ToLower(get("kind")), Country: strings.ToUpper(get("country"))}
	if c.Country == "" {
		c.Country = r.in.Source.Country
	}
	var ok bool
	if c.At, ok = readPoint(get("lat"), get("lon")); !ok {
		r.in.Report.Reject("no place", "%s", c.ID)
		return
	}
	if c.ID == "" {
		c.ID = fmt.Sprintf("%.5f,%.5f", c.At.Lat, c.At.Lon)
	}
	if why := r.in.Misplaced(c.Country, c.At); why != "" {
		r.in.Report.Reject(why, "%s at lat %g, lon %g", c.ID, c.At.Lat, c.At.Lon)
		return
	}
	if feed.TooLong(c.ID, c.Country, c.Kind) {
		r.in.Report.Reject(feed.LongText, "%s", c.ID)
		return
	}
	if r.seen[c.ID] {
		r.in.Report.Reject("id is there twice", "%s", c.ID)
		return
	}
	if to, ok := readPoint(get("to_lat"), get("to_lon")); ok {
		c.To = &to
	}
	if !slices.Contains(Kinds(), c.Kind) {
		if c.Kind != "" {
			r.in.Report.Reject("kind not known, taken as unknown", "%s: %s", c.ID, c.Kind)
		}
		if c.Kind = Unknown; c.To != nil {
			c.Kind = Average
		}
	}
	c.Limit = r.limit(c.ID, get("limit_kph"), get("limit_mph"))
	if c.Limit > 0 {
		c.Confidence = r.confidence(c.ID, strings.ToLower(get("limit_confidence")))
	}
	if looks, ok := wholeBearing(get("bearing")); ok {
		travel := (looks + 180) % 360
		c.Travel = &travel
	}
	if travel, ok := wholeBearing(get("travel_bearing")); ok {
		c.Travel = &travel
	}
	r.seen[c.ID] = true
	r.all = append(r.all, c)
}

// confidence returns where a limit is from: as the record says, else as the source does. A
// file says nothing of it by itself, whoever has written it.
func (r *reader) confidence(id, text string) string {
	switch text {
	case Official, OSM, OfRoad:
		return text
	case "", Unknown:
	default:
		r.in.Report.Reject("limit_confidence not known, left out", "%s: %s", id, text)
	}
	if text == "" && r.in.Source.Has(Official) {
		return Official
	}
	return ""
}

// limit reads one in km/h or miles an hour; 0 where there is none.
func (r *reader) limit(id, kph, mph string) int {
	unit, text := 1.0, kph
	if kph == "" {
		unit, text = 1.609344, mph
	}
	if text == "" {
		return 0
	}
	v := math.Round(lenient.ParseNumber(text).Value * unit)
	if !(v >= 5 && v <= mostLimit) {
		r.in.Report.Reject("limit out of range, left out", "%s: %s", id, text)
		return 0
	}
	return int(v)
}

// readPoint reads coordinates; ok is false where they are no place on the globe.
func readPoint(lat, lon string) (geo.Point, bool) {
	p, ok := lenient.Point(lat, lon)
	return p, ok && p.Valid() && p != geo.Point{}
}

// wholeBearing reads a bearing in whole degrees, 0 to 359.
func wholeBearing(text string) (int, bool) {
	degrees, ok := lenient.Bearing(text)
	return int(math.Round(degrees)) % 360, ok
}
