// Package feeds has the invented feeds of the county: the timetable of its buses, and prices,
// weather, traffic, incidents and vehicles at a time.
package feeds

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"slices"
	"time"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/sample"
)

// Live has the live data of the county at a time: the prices at its filling stations,
// who charges at its charging points, its weather, the traffic on its roads, its buses. All of
// it follows from the time.
type Live struct {
	stations, chargers []site
	stretches          []stretch
	closing            int // of stretches: the one that is closed and opened again
	box                geo.Bounds
	lines              []sample.BusLine
	stops              []sample.Stop
	places             []geo.Point // of stops
}

// site is a place of the map with live data.
type site struct {
	id   string
	at   geo.Point
	tags osm.Tags
}

// NewLive returns the county's live data.
func NewLive(s *sample.Sample) *Live {
	l := &Live{box: geo.NoBounds(), lines: s.Buses, stops: s.Stops, places: stopPlaces(s)}
	places := make(map[int64]geo.Point, len(s.Data.Nodes))
	take := func(id string, at geo.Point, tags osm.Tags) {
		switch tags.Get("amenity") {
		case "fuel":
			l.stations = append(l.stations, site{id, at, tags})
		case "charging_station":
			l.chargers = append(l.chargers, site{id, at, tags})
		}
	}
	for i := range s.Data.Nodes {
		n := &s.Data.Nodes[i]
		p := geo.Fixed{Lon: n.Lon, Lat: n.Lat}.Point()
		places[n.ID] = p
		l.box = l.box.Extend(p)
		take(fmt.Sprintf("n%d", n.ID), p, n.Tags)
	}
	for i := range s.Data.Ways {
		w := &s.Data.Ways[i]
		if len(w.Nodes) == 0 {
			continue
		}
		box := geo.NoBounds()
		for _, n := range w.Nodes {
			box = box.Extend(places[n])
		}
		take(fmt.Sprintf("w%d", w.ID), box.Centre(), w.Tags)
	}
	l.roads(s, places)
	return l
}

// chance returns a number from 0 to 1 that is always the same for the same words.
func chance(words ...any) float64 {
	h := fnv.New64a()
	_, _ = fmt.Fprint(h, words...)
	// The last step of a 64-bit mixer, for words that differ little.
	x := h.Sum64()
	x ^= x >> 31
	x *= 0x9E3779B97F4A7C15
	x ^= x >> 29
	return float64(x>>11) / (1 << 53)
}

// Prices writes a table of prices in pence: each station changes them at an hour
// of its own, the dearest are on the motorway.
func (l *Live) Prices(w io.Writer, now time.Time) error {
	if _, err := fmt.Fprintln(w, "id,name,brand,lat,lon,opening_hours,e10,e5,b7,lpg,updated_at"); err != nil {
		return err
	}
	for _, s := range l.stations {
		changed := now.Truncate(time.Hour).Add(-time.Duration(chance(s.id, "hour", now.YearDay())*8) * time.Hour)
		base := 132 + 9*chance(s.id) + 1.5*math.Sin(2*math.Pi*float64(changed.Hour())/24)
		if s.tags.Get("brand") == "Wayfarer" {
			base += 18
		}
		price := func(above float64) float64 { return math.Floor(base+above) + 0.9 }
		lpg := ""
		if s.tags.Get("fuel:lpg") == "yes" {
			lpg = fmt.Sprint(price(-58))
		}
		if _, err := fmt.Fprintf(w, "%s,%s,%s,%.6f,%.6f,%s,%g,%g,%g,%s,%s\n", s.id, s.tags.Get("name"), s.tags.Get("brand"), s.at.Lat, s.at.Lon, s.tags.Get("opening_hours"), price(0), price(9), price(6.5), lpg, changed.UTC().Format(time.RFC3339)); err != nil {
			return err
		}
	}
	return nil
}

// Chargers writes the charging stations with what their points are doing, which
// changes every few minutes.
func (l *Live) Chargers(w io.Writer, now time.Time) error {
	type connector struct {
		Standard string  `json:"standard"`
		KW       float64 `json:"power_kw"`
		Count    int     `json:"count"`
	}
	type station struct {
		ID         string      `json:"id"`
		Name       string      `json:"name"`
		Operator   string      `json:"operator"`
		Lat        float64     `json:"lat"`
		Lon        float64     `json:"lon"`
		Hours      string      `json:"opening_hours"`
		Updated    time.Time   `json:"updated_at"`
		Available  int         `json:"available"`
		Broken     int         `json:"out_of_order"`
		Connectors []connector `json:"connectors"`
	}
	list := []station{}
	for i, s := range l.chargers {
		rapid := []float64{50, 150, 300}[i%3]
		one := station{
			ID: s.id, Name: s.tags.Get("name"), Operator: s.tags.Get("operator"), Lat: s.at.Lat, Lon: s.at.Lon, Hours: "24/7", Updated: now.UTC().Truncate(time.Second),
			Connectors: []connector{{"ccs2", rapid, 2}, {"type2", 22, 2}},
		}
		for p := range 4 {
			// Each point turns over at a rhythm of its own.
			phase := now.Add(time.Duration(chance(s.id, p) * float64(20*time.Minute))).Truncate(20 * time.Minute)
			switch d := chance(s.id, p, phase.Unix()); {
			case d < 0.06:
				one.Broken++
			case d < 0.55:
				one.Available++
			}
		}
		list = append(list, one)
	}
	return json.NewEncoder(w).Encode(map[string]any{"stations": list})
}

// Bounds of the county's forecast.
const (
	forecastHours = 48
	gridSide      = 5
)

// Weather writes the forecast of the next two days: a front crosses the county
// from the west every day and a half, with wind before it, rain on it and cold air
// behind it.
func (l *Live) Weather(w io.Writer, now time.Time) error {
	if _, err := fmt.Fprintln(w, "lat,lon,time,temperature_c,wind_ms,wind_from_deg,gust_ms,rain_mm_h,snow_cm_h,visibility_m,made_at"); err != nil {
		return err
	}
	made := now.UTC().Truncate(time.Hour)
	for _, x := range spread(l.box.Min.Lon, l.box.Max.Lon) {
		for _, y := range spread(l.box.Min.Lat, l.box.Max.Lat) {
			for hour := -1; hour <= forecastHours; hour++ {
				t := made.Add(time.Duration(hour) * time.Hour)
				share := (x - l.box.Min.Lon) / max(1e-9, l.box.Max.Lon-l.box.Min.Lon)
				// Where the hour stands between two fronts, 0 to 1.
				_, phase := math.Modf((float64(t.Unix())/3600 - 3*share) / 36)
				season := math.Cos(2 * math.Pi * float64(t.YearDay()-200) / 365)
				day := math.Cos(2 * math.Pi * (float64(t.Hour()) - 14) / 24)
				front := math.Exp(-math.Pow((phase-0.5)/0.08, 2))
				temperature := 9 + 7*season + 3*day - 4*phase
				wind := 3 + 9*front + 2*phase
				rain := math.Max(0, 6*front-0.3)
				snow := 0.0
				if temperature < 0.5 {
					rain, snow = 0, rain
				}
				if _, err := fmt.Fprintf(w, "%.3f,%.3f,%s,%.1f,%.1f,%.0f,%.1f,%.1f,%.1f,%.0f,%s\n", y, x, t.Format(time.RFC3339), temperature, wind, math.Mod(200+110*phase, 360), wind*1.6, rain, snow, 30_000-26_000*front, made.Format(time.RFC3339)); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// spread returns places from one end to another.
func spread(from, to float64) []float64 {
	var list []float64
	for i := range gridSide {
		list = append(list, from+(to-from)*float64(i)/(gridSide-1))
	}
	return slices.Compact(list)
}
