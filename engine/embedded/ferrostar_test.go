package embedded_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/realdata"
	"github.com/waygate/waygate/road/search/searchtest"
)

// These are the members that Ferrostar's parser of OSRM answers requires, as of its models of
// 2025 (common/ferrostar/src/routing_adapters/osrm/models.rs): a pointer must be there, an
// integer must be one, and the words of a banner must be of its lists. Its serde models fail
// on anything else.

type ferrostarAnswer struct {
	Code      *string
	Routes    *[]ferrostarRoute
	Waypoints *[]struct {
		Name     *string
		Distance *float64
		Location *[2]float64
	}
}

type ferrostarRoute struct {
	Locale             string `json:"voiceLocale"` // which Ferrostar has no use for
	Duration, Distance *float64
	Geometry           *string
	Legs               *[]struct {
		Annotation         *ferrostarAnnotation
		Duration, Distance *float64
		Steps              *[]ferrostarStep
		Via                []struct {
			Distance *float64 `json:"distance_from_start"`
			Geometry *float64 `json:"geometry_index"`
			Waypoint *uint    `json:"waypoint_index"`
		} `json:"via_waypoints"`
	}
}

type ferrostarAnnotation struct {
	Duration, Distance *[]float64
	Speed              []float64
	MaxSpeed           []map[string]any
}

type ferrostarStep struct {
	Distance, Duration *float64
	Geometry           *string
	Name, Ref, Mode    *string
	Maneuver           *struct {
		Location    *[2]float64
		Before      *uint16 `json:"bearing_before"`
		After       *uint16 `json:"bearing_after"`
		Type        *string
		Modifier    *string
		Instruction *string
	}
	Intersections *[]struct {
		Location *[2]float64
		Bearings *[]uint16
		Classes  []string
		Entry    *[]bool
		In, Out  *uint
		Lanes    []struct {
			Indications *[]string
			Valid       *bool
		}
	}
	Exits   *string
	Side    *string `json:"driving_side"`
	Banners []struct {
		At        *float64 `json:"distanceAlongGeometry"`
		Primary   *ferrostarBanner
		Secondary *ferrostarBanner
		Sub       *ferrostarBanner
	} `json:"bannerInstructions"`
	Voice []struct {
		Announcement *string
		SSML         *string  `json:"ssmlAnnouncement"`
		At           *float64 `json:"distanceAlongGeometry"`
	} `json:"voiceInstructions"`
}

type ferrostarBanner struct {
	Text           *string
	Type, Modifier *string
	Degrees        *uint16
}

var (
	ferrostarTypes = []string{
		"turn", "new name", "depart", "arrive", "merge", "on ramp", "off ramp", "fork", "end of road", "continue", "roundabout", "rotary",
		"roundabout turn", "notification", "exit roundabout", "exit rotary",
	}
	ferrostarModifiers = []string{"uturn", "sharp right", "right", "slight right", "straight", "slight left", "left", "sharp left"}
)

// ferrostar reads an answer as strictly as Ferrostar does and gives its route.
func ferrostar(body []byte) (*ferrostarRoute, error) {
	var a ferrostarAnswer
	d := json.NewDecoder(bytes.NewReader(body))
	if err := d.Decode(&a); err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("something follows the answer")
	}
	if a.Code == nil || *a.Code != "Ok" || a.Routes == nil || len(*a.Routes) == 0 || a.Waypoints == nil {
		return nil, errors.New("no code, routes or waypoints")
	}
	for _, w := range *a.Waypoints {
		if w.Location == nil {
			return nil, errors.New("a waypoint without a location")
		}
	}
	for i := range *a.Routes {
		if err := (*a.Routes)[i].check(); err != nil {
			return nil, fmt.Errorf("routes[%d]: %w", i, err)
		}
	}
	return &(*a.Routes)[0], nil
}

func (r *ferrostarRoute) check() error {
	if r.Duration == nil || r.Distance == nil || r.Geometry == nil || r.Legs == nil {
		return errors.New("no duration, distance, geometry or legs")
	}
	for i, l := range *r.Legs {
		if l.Duration == nil || l.Distance == nil || l.Steps == nil {
			return fmt.Errorf("legs[%d] has no duration, distance or steps", i)
		}
		if a := l.Annotation; a != nil && (a.Duration == nil || a.Distance == nil) {
			return fmt.Errorf("legs[%d] is annotated without duration or distance", i)
		}
		for j := range *l.Steps {
			if err := (*l.Steps)[j].check(); err != nil {
				return fmt.Errorf("legs[%d].steps[%d]: %w", i, j, err)
			}
		}
	}
	return nil
}

func (s *ferrostarStep) check() error {
	m := s.Maneuver
	if s.Distance == nil || s.Duration == nil || s.Geometry == nil || m == nil || s.Intersections == nil || len(*s.Intersections) == 0 {
		return errors.New("no distance, duration, geometry, maneuver or intersections")
	}
	if m.Location == nil || m.Before == nil || m.After == nil || m.Type == nil || m.Instruction == nil {
		return fmt.Errorf("the maneuver is %+v", *m)
	}
	if !slices.Contains(ferrostarTypes, *m.Type) || m.Modifier != nil && !slices.Contains(ferrostarModifiers, *m.Modifier) {
		return fmt.Errorf("the maneuver is %q %v", *m.Type, m.Modifier)
	}
	for _, x := range *s.Intersections {
		if x.Location == nil || x.Bearings == nil || x.Entry == nil || len(*x.Bearings) != len(*x.Entry) {
			return errors.New("an intersection without location, bearings or entry")
		}
		for _, at := range []*uint{x.In, x.Out} {
			if at != nil && int(*at) >= len(*x.Bearings) {
				return errors.New("an intersection whose in or out is none of its roads")
			}
		}
		for _, l := range x.Lanes {
			if l.Indications == nil || l.Valid == nil {
				return errors.New("a lane without indications or valid")
			}
		}
	}
	for _, b := range s.Banners {
		if b.At == nil || b.Primary == nil {
			return errors.New("a banner without distance or primary")
		}
		for _, c := range []*ferrostarBanner{b.Primary, b.Secondary, b.Sub} {
			if c != nil && (c.Text == nil || c.Type != nil && !slices.Contains(ferrostarTypes, *c.Type) || c.Modifier != nil && !slices.Contains(ferrostarModifiers, *c.Modifier)) {
				return fmt.Errorf("a banner has %+v", *c)
			}
		}
	}
	for _, v := range s.Voice {
		if v.Announcement == nil || v.At == nil {
			return errors.New("something said without announcement or distance")
		}
	}
	return nil
}

// TestFerrostarReads routes real journeys and reads them as Ferrostar does; the
// steps' lines must join into the route's.
func TestFerrostarReads(t *testing.T) {
	searchtest.Sequential(t)
	e := open(t, realdata.File(t, "osm/liechtenstein-bench.osm.pbf"))
	speaks := e.Can().Languages
	for i, p := range pairs(t) {
		if i%5 != 0 {
			continue
		}
		c := costing.All[i/5%7]
		asked := p.guidedRequest(t, c)
		asked.Language, asked.Miles = speaks[i/5%len(speaks)], i%2 == 0
		text, err := written(e, asked)
		if err != nil {
			if engine.Code(err) == 0 {
				t.Fatal(err)
			}
			continue
		}
		r, err := ferrostar(text)
		if err != nil {
			t.Fatalf("pair %d, %s: %v", i, c, err)
		}
		if primary, _, _ := strings.Cut(r.Locale, "-"); !strings.HasPrefix(asked.Language, primary) {
			t.Errorf("asked for %s, answered in %s", asked.Language, r.Locale)
		}
		whole, err := geo.DecodePolyline(*r.Geometry, 6)
		if err != nil {
			t.Fatal(err)
		}
		var joined []geo.Point
		for _, l := range *r.Legs {
			for _, s := range *l.Steps {
				line, err := geo.DecodePolyline(*s.Geometry, 6)
				if err != nil || len(line) < 2 {
					t.Fatalf("pair %d: a step's line is %v: %v", i, line, err)
				}
				for _, at := range line {
					if len(joined) == 0 || joined[len(joined)-1] != at {
						joined = append(joined, at)
					}
				}
			}
			if n := len(*l.Annotation.Distance); n != len(l.Annotation.Speed) || n != len(whole)-1 {
				t.Errorf("pair %d: %d pieces of a line of %d points", i, n, len(whole))
			}
		}
		if d := math.Abs(geo.Length(joined) - geo.Length(whole)); d > 1 {
			t.Errorf("pair %d: the steps' lines differ from the route's by %.1f m", i, d)
		}
	}
}
