package weather

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/waygate/waygate/feed"
	"github.com/waygate/waygate/feed/lenient"
	"github.com/waygate/waygate/geo"
)

// Bounds of one document.
const (
	mostSteps  = 1000
	mostSeries = 100_000
	mostInAll  = 4_000_000 // steps of all places
	mostBytes  = 16 << 20  // of a document that is read as a whole
)

var errMany = fmt.Errorf("it has more than %d places or %d values of time", mostSeries, mostInAll)

// readJSON reads an answer of Open-Meteo, for one place or several, or one of MET
// Norway.
func readJSON(in *feed.Input) ([]Series, error) {
	text, err := io.ReadAll(io.LimitReader(in, mostBytes+1))
	if err != nil {
		return nil, err
	}
	if len(text) > mostBytes {
		return nil, fmt.Errorf("it has more than %d bytes", mostBytes)
	}
	list, err := decode(text, in.Now)
	for i := range list {
		in.Report.Published(list[i].IssuedAt)
	}
	return list, err
}

// decode reads the text of an answer, fetched at a time.
func decode(text []byte, now time.Time) ([]Series, error) {
	var many []json.RawMessage
	if json.Unmarshal(text, &many) != nil {
		many = []json.RawMessage{text}
	}
	if len(many) > mostSeries {
		return nil, errMany
	}
	var list []Series
	steps := 0
	for _, raw := range many {
		var sort struct {
			Type   string          `json:"type"`
			Hourly json.RawMessage `json:"hourly"`
			Reason string          `json:"reason"`
		}
		if err := json.Unmarshal(raw, &sort); err != nil {
			return nil, errors.New("it is no JSON of a forecast")
		}
		var s *Series
		var err error
		switch {
		case sort.Hourly != nil:
			s, err = openMeteo(raw, now)
		case sort.Type == "Feature":
			s, err = metNorway(raw, now)
		case sort.Reason != "":
			err = fmt.Errorf("the server says: %.100s", sort.Reason)
		default:
			err = errors.New("it is a forecast neither of Open-Meteo nor of MET Norway")
		}
		if err != nil {
			return nil, err
		}
		if steps += len(s.Steps); steps > mostInAll {
			return nil, errMany
		}
		list = append(list, *s)
	}
	return list, nil
}

// values is a list of numbers with holes.
type values []*float64

func (v values) at(i int) float64 {
	if i >= len(v) || v[i] == nil {
		return math.NaN()
	}
	return *v[i]
}

// openMeteo reads one place of an answer.
func openMeteo(raw []byte, now time.Time) (*Series, error) {
	var a struct {
		Lat    float64                    `json:"latitude"`
		Lon    float64                    `json:"longitude"`
		Offset int                        `json:"utc_offset_seconds"`
		Units  map[string]string          `json:"hourly_units"`
		Hourly map[string]json.RawMessage `json:"hourly"`
	}
	if err := json.Unmarshal(raw, &a); err != nil {
		return nil, errors.New("it is no forecast of Open-Meteo as expected")
	}
	times, err := hours(a.Hourly["time"], a.Offset)
	if err != nil {
		return nil, err
	}
	s := &Series{Place: geo.Point{Lon: a.Lon, Lat: a.Lat}, IssuedAt: now}
	if !s.Place.Valid() {
		return nil, errors.New("its place is off the globe")
	}
	get := func(name string) values {
		var v values
		if json.Unmarshal(a.Hourly[name], &v) != nil {
			return nil
		}
		return v
	}
	temperature, wind, from, gusts := get("temperature_2m"), get("wind_speed_10m"), get("wind_direction_10m"), get("wind_gusts_10m")
	rain, showers, all, snow, visibility, code := get("rain"), get("showers"), get("precipitation"), get("snowfall"), get("visibility"), get("weather_code")
	speed, warmth, far := speedOf(a.Units["wind_speed_10m"]), a.Units["temperature_2m"] == "°F", lengthOf(a.Units["visibility"])
	for i, t := range times {
		p := unknown(t)
		if p.Temperature = temperature.at(i); warmth {
			p.Temperature = (p.Temperature - 32) / 1.8
		}
		p.Wind, p.From, p.Gusts = wind.at(i)*speed, from.at(i), gusts.at(i)*speed
		p.Visibility = visibility.at(i) * far
		// Precipitation is given for the hour before.
		if p.Rain = rain.at(i+1) + zeroed(showers.at(i+1)); math.IsNaN(p.Rain) && snow == nil {
			p.Rain = all.at(i + 1)
		}
		p.Snow = snow.at(i + 1)
		c := code.at(i)
		p.Freezing = slices.Contains([]float64{48, 56, 57, 66, 67}, c)
		s.Steps = append(s.Steps, p.plausible())
	}
	return s, ordered(s)
}

func zeroed(v float64) float64 {
	if math.IsNaN(v) {
		return 0
	}
	return v
}

// hours reads times, written as numbers of seconds or as local times.
func hours(raw json.RawMessage, offset int) ([]time.Time, error) {
	var unix []int64
	var text []string
	var list []time.Time
	switch {
	case json.Unmarshal(raw, &unix) == nil:
		for _, n := range unix {
			list = append(list, time.Unix(n, 0).UTC())
		}
	case json.Unmarshal(raw, &text) == nil:
		for _, t := range text {
			at, err := time.Parse("2006-01-02T15:04", t)
			if err != nil {
				return nil, fmt.Errorf("its time %.40q cannot be read", t)
			}
			list = append(list, at.Add(-time.Duration(offset)*time.Second))
		}
	}
	if len(list) == 0 || len(list) > mostSteps {
		return nil, fmt.Errorf("it has %d times, and may have 1 to %d", len(list), mostSteps)
	}
	return list, nil
}

// speedOf returns a unit of speed in metres a second.
func speedOf(unit string) float64 {
	switch unit {
	case "m/s":
		return 1
	case "mp/h", "mph":
		return 0.44704
	case "kn":
		return 0.514444
	}
	return 1 / 3.6 // km/h, which is what Open-Meteo has unless requested otherwise
}

func lengthOf(unit string) float64 {
	if unit == "ft" {
		return 0.3048
	}
	return 1
}

// metNorway reads a forecast of Locationforecast 2.0.
func metNorway(raw []byte, now time.Time) (*Series, error) {
	type part struct {
		Summary struct {
			Symbol string `json:"symbol_code"`
		} `json:"summary"`
		Details map[string]*float64 `json:"details"`
	}
	var a struct {
		Geometry struct {
			Coordinates []float64 `json:"coordinates"`
		} `json:"geometry"`
		Properties struct {
			Meta struct {
				Updated time.Time `json:"updated_at"`
			} `json:"meta"`
			Series []struct {
				Time time.Time `json:"time"`
				Data struct {
					Instant part  `json:"instant"`
					One     *part `json:"next_1_hours"`
					Six     *part `json:"next_6_hours"`
				} `json:"data"`
			} `json:"timeseries"`
		} `json:"properties"`
	}
	if err := json.Unmarshal(raw, &a); err != nil || len(a.Geometry.Coordinates) < 2 {
		return nil, errors.New("it is no forecast of MET Norway as expected")
	}
	s := &Series{Place: geo.Point{Lon: a.Geometry.Coordinates[0], Lat: a.Geometry.Coordinates[1]}, IssuedAt: a.Properties.Meta.Updated}
	if s.IssuedAt.IsZero() {
		s.IssuedAt = now
	}
	if n := len(a.Properties.Series); !s.Place.Valid() || n == 0 || n > mostSteps {
		return nil, fmt.Errorf("its place is off the globe, or it has no times or more than %d", mostSteps)
	}
	for _, t := range a.Properties.Series {
		p := unknown(t.Time.UTC())
		get := func(m map[string]*float64, name string) float64 {
			if v := m[name]; v != nil {
				return *v
			}
			return math.NaN()
		}
		d := t.Data.Instant.Details
		p.Temperature, p.Wind, p.From, p.Gusts = get(d, "air_temperature"), get(d, "wind_speed"), get(d, "wind_from_direction"), get(d, "wind_speed_of_gust")
		if fog := get(d, "fog_area_fraction"); fog >= 50 {
			p.Visibility = 1000 // what fog is: less than a kilometre
		}
		next, over := t.Data.One, 1.0
		if next == nil {
			next, over = t.Data.Six, 6
		}
		if next != nil {
			amount := get(next.Details, "precipitation_amount") / over
			switch symbol := next.Summary.Symbol; {
			case strings.Contains(symbol, "sleet"):
				p.Rain, p.Snow = amount/2, amount/2
			case strings.Contains(symbol, "snow"):
				p.Rain, p.Snow = 0, amount // a millimetre of water is a centimetre of snow
			default:
				p.Rain, p.Snow = amount, 0
			}
		}
		s.Steps = append(s.Steps, p.plausible())
	}
	return s, ordered(s)
}

// readTable reads a table of our own: lat, lon, time, temperature_c, wind_ms,
// wind_from_deg, gust_ms, rain_mm_h, snow_cm_h, visibility_m, freezing, made_at.
func readTable(in *feed.Input) ([]Series, error) {
	at := map[geo.Point]int{}
	var list []Series
	err := feed.EachRow(in, func(r feed.Row) error {
		number := func(name string) float64 {
			if n := lenient.ParseNumber(r.Get(name)); n.Known {
				return n.Value
			}
			return math.NaN()
		}
		p := geo.Point{Lon: number("lon"), Lat: number("lat")}
		t := lenient.Time(r.Get("time"))
		if !p.Valid() || t.IsZero() {
			in.Report.Reject("no place or no time", "line %d", r.Line)
			return nil
		}
		i, there := at[p]
		if !there {
			if len(list) >= mostSeries {
				return errMany
			}
			i = len(list)
			at[p] = i
			list = append(list, Series{Place: p, IssuedAt: in.Now})
		}
		s := &list[i]
		if made := lenient.Time(r.Get("made_at")); !made.IsZero() {
			s.IssuedAt = made.UTC()
			in.Report.Published(s.IssuedAt)
		}
		if len(s.Steps) >= mostSteps {
			in.Report.Reject("more times than a forecast has", "line %d", r.Line)
			return nil
		}
		s.Steps = append(s.Steps, Step{
			At: t.UTC(), Temperature: number("temperature_c"), Wind: number("wind_ms"), From: number("wind_from_deg"), Gusts: number("gust_ms"),
			Rain: number("rain_mm_h"), Snow: number("snow_cm_h"), Visibility: number("visibility_m"), Freezing: r.Get("freezing") == "true",
		}.plausible())
		return nil
	})
	for i := range list {
		slices.SortStableFunc(list[i].Steps, func(a, b Step) int { return a.At.Compare(b.At) })
	}
	return list, err
}

// ordered refuses times that go back.
func ordered(s *Series) error {
	if !slices.IsSortedFunc(s.Steps, func(a, b Step) int { return a.At.Compare(b.At) }) {
		return errors.New("its times go back")
	}
	return nil
}

// plausible takes what cannot be as not known.
func (p Step) plausible() Step {
	for _, v := range []struct {
		at          *float64
		least, most float64
	}{{&p.Temperature, -90, 60}, {&p.Wind, 0, 120}, {&p.From, 0, 360}, {&p.Gusts, 0, 150}, {&p.Rain, 0, 500}, {&p.Snow, 0, 100}, {&p.Visibility, 0, 500_000}} {
		if !(*v.at >= v.least && *v.at <= v.most) {
			*v.at = math.NaN()
		}
	}
	return p
}
