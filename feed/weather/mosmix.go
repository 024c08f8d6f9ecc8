package weather

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/text/encoding/charmap"

	"github.com/waygate/waygate/feed"
	"github.com/waygate/waygate/feed/lenient"
	"github.com/waygate/waygate/geo"
)

// Elements of MOSMIX that are taken, in units of the SI.
const (
	temperature = "TTT"   // kelvin
	wind        = "FF"    // metres a second
	from        = "DD"    // degrees
	gusts       = "FX1"   // metres a second, of the hour before
	falls       = "RR1c"  // kilograms a square metre, of the hour before
	snowfall    = "RRS1c" // of that, as snow
	visibility  = "VV"    // metres
	significant = "ww"    // code of the weather
)

var mosmixElements = []string{temperature, wind, from, gusts, falls, snowfall, visibility, significant}

// mosmix reads stations of the German weather service's MOSMIX one by one: KML with
// the times of all forecasts first, and then a place with a list of values for each
// element.
type mosmix struct {
	in     *feed.Input
	issued time.Time
	none   string // stands for a value that is not there
	times  []time.Time
	list   []Series

	name   string // of the station
	place  geo.Point
	values map[string]values
	fault  string // why the station is not taken
}

// readMOSMIX reads a document.
func readMOSMIX(in *feed.Input) ([]Series, error) {
	m := &mosmix{in: in, none: "-"}
	d := feed.NewXML(in)
	d.CharsetReader = func(charset string, r io.Reader) (io.Reader, error) {
		if strings.EqualFold(charset, "iso-8859-1") {
			return charmap.ISO8859_1.NewDecoder().Reader(r), nil
		}
		return nil, fmt.Errorf("it is written in %.20q", charset)
	}
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		switch t := token.(type) {
		case xml.StartElement:
			err = m.begin(d, &t)
		case xml.EndElement:
			if t.Name.Local == "Placemark" {
				err = m.station()
			}
		}
		if err != nil {
			return nil, err
		}
	}
	if len(m.times) == 0 {
		return nil, errors.New("it has no times of a forecast: this is no KML of MOSMIX")
	}
	in.Report.Published(m.issued)
	return m.list, nil
}

// begin takes the elements that mean something.
func (m *mosmix) begin(d *feed.XMLReader, t *xml.StartElement) error {
	text := func() (s string, err error) {
		err = d.DecodeElement(&s, t)
		return strings.TrimSpace(s), err
	}
	switch t.Name.Local {
	case "IssueTime", "TimeStep":
		s, err := text()
		at, bad := time.Parse(time.RFC3339, s)
		switch {
		case err != nil:
			return err
		case bad != nil:
			return fmt.Errorf("its time %.40q cannot be read", s)
		case t.Name.Local == "IssueTime":
			m.issued = at.UTC()
		case len(m.times) >= mostSteps:
			return fmt.Errorf("it has more than %d times", mostSteps)
		case len(m.times) > 0 && !at.After(m.times[len(m.times)-1]):
			return errors.New("its times go back")
		default:
			m.times = append(m.times, at.UTC())
		}
	case "DefaultUndefSign":
		s, err := text()
		m.none = s
		return err
	case "Placemark":
		m.name, m.place, m.values, m.fault = "", geo.Point{Lat: math.NaN()}, map[string]values{}, ""
	case "name":
		s, err := text()
		m.name = s
		return err
	case "Forecast":
		return m.forecast(d, t)
	case "coordinates":
		s, err := text()
		words := strings.Split(s, ",")
		if err != nil || len(words) < 2 {
			return err
		}
		if p, ok := lenient.Point(words[1], words[0]); ok {
			m.place = p
		}
	}
	return nil
}

// forecast takes the values of one element, as many as there are times.
func (m *mosmix) forecast(d *feed.XMLReader, t *xml.StartElement) error {
	name := ""
	for _, a := range t.Attr {
		if a.Name.Local == "elementName" {
			name = a.Value
		}
	}
	if m.values == nil || !slices.Contains(mosmixElements, name) {
		return d.Skip()
	}
	var text struct {
		Value string `xml:"value"`
	}
	if err := d.DecodeElement(&text, t); err != nil {
		return err
	}
	words := strings.Fields(text.Value)
	if len(words) != len(m.times) {
		m.fault = "not as many values as times"
		return nil
	}
	list := make(values, len(words))
	for i, w := range words {
		if v, err := strconv.ParseFloat(w, 64); err == nil && w != m.none {
			list[i] = &v
		}
	}
	m.values[name] = list
	return nil
}

// station ends one.
func (m *mosmix) station() error {
	switch {
	case !m.place.Valid():
		m.fault = "no place"
	case len(m.values) == 0 && m.fault == "":
		m.fault = "no forecast"
	}
	if m.fault != "" {
		m.in.Report.Reject(m.fault, "station %s", m.name)
		m.values = nil
		return nil
	}
	if len(m.list) >= mostSeries || len(m.list)*len(m.times) >= mostInAll {
		return errMany
	}
	s := Series{Place: m.place, IssuedAt: m.issued, Steps: make([]Step, 0, len(m.times))}
	if s.IssuedAt.IsZero() {
		s.IssuedAt = m.in.Now
	}
	get := func(name string, i int) float64 { return m.values[name].at(i) }
	for i, at := range m.times {
		p := unknown(at)
		p.Temperature = get(temperature, i) - 273.15
		p.Wind, p.From, p.Gusts, p.Visibility = get(wind, i), get(from, i), get(gusts, i), get(visibility, i)
		// Precipitation is given for the hour before; a kilogram of snow is a centimetre of it.
		p.Rain, p.Snow = get(falls, i+1)-zeroed(get(snowfall, i+1)), get(snowfall, i+1)
		if p.Rain < 0 { // both are rounded
			p.Rain = 0
		}
		p.Freezing = slices.Contains([]float64{48, 49, 56, 57, 66, 67}, get(significant, i))
		s.Steps = append(s.Steps, p.plausible())
	}
	m.list, m.values = append(m.list, s), nil
	return nil
}
