package zones

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/timezone"
	"github.com/waygate/waygate/index/zone"
)

// ControlledZones is the result of reading a table of zones in DATEX II 3, as the
// Netherlands' NDW publishes it: the zones, and what was left out and why.
type ControlledZones struct {
	Zones   []zone.Zone
	LeftOut []string
}

// element is an element of XML by its local name: national extensions use the same
// names under other prefixes, and unknown elements are ignored.
type element struct {
	XMLName  xml.Name
	Attrs    []xml.Attr `xml:",any,attr"`
	Text     string     `xml:",chardata"`
	Elements []element  `xml:",any"`
}

// each visits the children of a name.
func (e *element) each(name string, visit func(*element)) {
	for i := range e.Elements {
		if e.Elements[i].XMLName.Local == name {
			visit(&e.Elements[i])
		}
	}
}

// find returns the first element along a path of names; nil where there is none.
func (e *element) find(path ...string) *element {
	for _, name := range path {
		i := slices.IndexFunc(e.Elements, func(x element) bool { return x.XMLName.Local == name })
		if i < 0 {
			return nil
		}
		e = &e.Elements[i]
	}
	return e
}

// text returns what stands at the end of a path; "" where there is none.
func (e *element) text(path ...string) string {
	if e = e.find(path...); e == nil {
		return ""
	}
	return strings.TrimSpace(e.Text)
}

func (e *element) attribute(name string) string {
	for _, a := range e.Attrs {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// mostTable is the most bytes of a table: as a tree it takes 25 times as much. That of
// the Netherlands has less than 1 MiB.
const mostTable = 16 << 20

// ReadControlledZones reads such a table, of at most 16 MiB. The licence is not part of
// it.
func ReadControlledZones(r io.Reader, licence string) (*ControlledZones, error) {
	limited := &io.LimitedReader{R: r, N: mostTable + 1}
	var document element
	if err := xml.NewDecoder(limited).Decode(&document); err != nil {
		if limited.N <= 0 {
			return nil, fmt.Errorf("longer than %d bytes", mostTable)
		}
		return nil, err
	}
	payload := &document
	if p := document.find("payload"); p != nil {
		payload = p
	}
	table := payload.find("controlledZoneTable")
	if table == nil {
		return nil, errors.New("it has no controlledZoneTable: this is no table of zones in DATEX II 3")
	}
	world, err := timezone.World()
	if err != nil {
		return nil, err
	}
	day, _, _ := strings.Cut(payload.text("publicationTime"), "T")
	creator := payload.text("publicationCreator", "nationalIdentifier")
	country := strings.ToUpper(payload.text("publicationCreator", "country"))
	out := &ControlledZones{}
	table.each("urbanVehicleAccessRegulation", func(e *element) {
		z, err := controlled(e, world)
		if err != nil {
			out.LeftOut = append(out.LeftOut, fmt.Sprintf("%s (%s): %v", e.text("name", "values", "value"), e.attribute("id"), err))
			return
		}
		z.Country = country
		publisher := creator
		if issuer := e.text("trafficRegulationOrder", "issuingAuthority", "values", "value"); issuer != "" {
			publisher = issuer + ", by " + creator
		}
		source := zone.Source{Publisher: publisher, URL: z.Website, Licence: licence, Checked: day}
		z.Charges, z.Boundary.Source = &source, source
		out.Zones = append(out.Zones, *z)
	})
	return out, nil
}

var notPlain = regexp.MustCompile(`[^a-z0-9]+`)

// controlled makes a zone of its regulations.
func controlled(e *element, world *timezone.Zones) (*zone.Zone, error) {
	if status := e.text("status"); status != "" && status != "active" {
		return nil, fmt.Errorf("its status is %q", status)
	}
	z := &zone.Zone{
		ID:   "datex-" + strings.Trim(notPlain.ReplaceAllString(strings.ToLower(e.attribute("id")), "-"), "-"),
		Name: e.text("name", "values", "value"), Scheme: e.text("controlledZoneType"), Website: e.text("urlForFurtherInformation"),
	}
	r := regulations{boundary: &zone.Geometry{}}
	var err error
	e.each("trafficRegulationOrder", func(order *element) {
		order.each("trafficRegulation", func(one *element) {
			if kind := one.text("typeOfRegulation", "accessRestrictionType"); kind != "noEntry" {
				err = fmt.Errorf("a regulation of it is %q and not noEntry", kind)
				return
			}
			one.each("condition", func(c *element) { err = errors.Join(err, r.add(c)) })
		})
	})
	switch {
	case err != nil:
		return nil, err
	case len(r.boundary.Polygons) == 0:
		return nil, errors.New("it has no area")
	}
	z.Boundary.Geometry = r.boundary
	names := world.At(r.boundary.Polygons[0][0][0])
	if len(names) == 0 {
		return nil, errors.New("its time zone is not known")
	}
	z.TimeZone = names[0]
	at, err := time.LoadLocation(z.TimeZone)
	if err != nil {
		return nil, err
	}
	z.Rules, err = r.rules(at)
	return z, err
}

// polygons reads the areas of a location. Positions are latitude before longitude.
func polygons(e *element, into *zone.Geometry) error {
	var err error
	ring := func(e *element) (out geo.Ring) {
		words := strings.Fields(e.text("posList"))
		for i := 0; i+1 < len(words); i += 2 {
			lat, err1 := strconv.ParseFloat(words[i], 64)
			lon, err2 := strconv.ParseFloat(words[i+1], 64)
			p := geo.Point{Lon: lon, Lat: lat}
			if err1 != nil || err2 != nil || !p.Valid() {
				err = fmt.Errorf("%s %s is no place", words[i], words[i+1])
				return nil
			}
			out = append(out, p)
		}
		if n := len(out); n > 1 && out[0] == out[n-1] {
			out = out[:n-1]
		}
		return out
	}
	visit := func(p *element) {
		polygon := geo.Polygon{}
		for _, name := range []string{"exterior", "interior"} {
			p.each(name, func(e *element) {
				if r := ring(e); len(r) >= 3 {
					polygon = append(polygon, r)
				}
			})
		}
		if len(polygon) > 0 {
			into.Polygons = append(into.Polygons, polygon)
		}
	}
	e.each("gmlPolygon", visit)
	e.each("gmlMultiPolygon", func(m *element) { m.each("gmlPolygon", visit) })
	return err
}
