package charging

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/waygate/waygate/feed"
	"github.com/waygate/waygate/feed/lenient"
	"github.com/waygate/waygate/geo"
)

// plain reads our own JSON: {"stations": [{"id", "name", "operator", "lat", "lon",
// "connectors": [{"standard", "power_kw", "count"}], "available": 2}]}, a list of
// these, or GeoJSON with them as properties.
func (r *reader) plain() error {
	return feed.EachJSON(r.in, feed.Walk{Lists: []string{"stations", "features", "data"}, Each: func(raw json.RawMessage) error {
		type record struct {
			ID        word       `json:"id"`
			Name      word       `json:"name"`
			Operator  word       `json:"operator"`
			Address   word       `json:"address"`
			Postcode  word       `json:"postcode"`
			Country   word       `json:"country"`
			Lat       jsonNumber `json:"lat"`
			Lon       jsonNumber `json:"lon"`
			Hours     word       `json:"opening_hours"`
			Updated   word       `json:"updated_at"`
			Available *int       `json:"available"`
			Broken    int        `json:"out_of_order"`

			Connectors []struct {
				Standard word       `json:"standard"`
				KW       jsonNumber `json:"power_kw"`
				Count    *int       `json:"count"`
				Cable    bool       `json:"cable"`
			} `json:"connectors"`
		}
		var f struct {
			record
			Geometry *struct {
				Coordinates []float64 `json:"coordinates"`
			} `json:"geometry"`
			Properties *record `json:"properties"`
		}
		if err := json.Unmarshal(raw, &f); err != nil {
			r.in.Report.Reject("no record as expected", "%v", err)
			return nil
		}
		c := f.record
		if f.Properties != nil {
			if c = *f.Properties; f.Geometry != nil && len(f.Geometry.Coordinates) >= 2 {
				c.Lon, c.Lat = jsonNumber{Value: f.Geometry.Coordinates[0], Known: true}, jsonNumber{Value: f.Geometry.Coordinates[1], Known: true}
			}
		}
		s := Station{
			ID: string(c.ID), Name: string(c.Name), Operator: string(c.Operator), Address: string(c.Address), Postcode: string(c.Postcode), Country: string(c.Country),
			At: geo.Point{Lon: c.Lon.Value, Lat: c.Lat.Value}, Hours: string(c.Hours), Always: c.Hours == "24/7", Updated: timeOf(string(c.Updated)),
		}
		n := 0
		for _, one := range c.Connectors {
			count := 1
			if one.Count != nil {
				count = *one.Count
			}
			if count < 1 || count > mostPoints-n {
				r.in.Report.Reject("count of connectors out of range", "%s: %d", s.ID, count)
				continue
			}
			for range count {
				p := Point{Connectors: []Connector{{Standard: r.standard(string(one.Standard)), KW: one.KW.Value, Count: 1, Cable: one.Cable}}}
				if c.Available != nil {
					p.StatusAt = s.Updated
					switch {
					case n < *c.Available:
						p.Status = Available
					case n < *c.Available+c.Broken:
						p.Status = OutOfOrder
					default:
						p.Status = Occupied
					}
				}
				s.Points = append(s.Points, p)
				n++
			}
		}
		r.add(s)
		return nil
	}})
}

// one is a kind of connector in a table of our own: ccs2:150x2.
var one = regexp.MustCompile(`^\s*([A-Za-z0-9 _-]+?)\s*(?::\s*([0-9.]+))?\s*(?:[xX*]\s*([0-9]+))?\s*$`)

// row is a row of our own table (id, name, operator, lat, lon, connectors), or of
// the United Kingdom's register.
func (r *reader) row(row feed.Row) error {
	if row.Has("chargedeviceid") {
		r.registered(row)
		return nil
	}
	s := Station{
		ID: row.Get("id"), Name: row.Get("name"), Operator: row.Get("operator"), Address: row.Get("address"), Postcode: row.Get("postcode"), Country: row.Get("country"),
		At: pointOf(row.Get("lat", "latitude"), row.Get("lon", "lng", "longitude")), Hours: row.Get("opening_hours"), Always: row.Get("opening_hours") == "24/7", Updated: timeOf(row.Get("updated_at")),
	}
	for text := range strings.SplitSeq(row.Get("connectors"), ";") {
		m := one.FindStringSubmatch(text)
		if m == nil {
			if strings.TrimSpace(text) != "" {
				r.in.Report.Reject("connector that cannot be read", "%s: %s", s.ID, text)
			}
			continue
		}
		kw := lenient.ParseNumber(m[2]).Value
		count, _ := strconv.Atoi(m[3])
		for range min(max(count, 1), mostPoints+1-len(s.Points)) { // one more than may be is rejected
			s.Points = append(s.Points, Point{Connectors: []Connector{{Standard: r.standard(m[1]), KW: kw, Count: 1}}})
		}
	}
	r.add(s)
	return nil
}

// mostConnectors is how many columns of connectors the register has.
const mostConnectors = 8

// registered takes a row of the United Kingdom's register. What is out of service
// or planned is left out.
func (r *reader) registered(row feed.Row) {
	status := strings.ToLower(row.Get("chargedevicestatus"))
	if statusOf(status) == gone {
		return
	}
	s := Station{
		ID: row.Get("chargedeviceid"), Name: row.Get("name"), Operator: row.Get("devicecontrollername", "deviceownername"), Address: joined(row.Get("street"), row.Get("town")),
		Postcode: row.Get("postcode"), Country: "GB", At: pointOf(row.Get("latitude"), row.Get("longitude")), Always: row.Get("access24hours") == "1",
	}
	for n := 1; n <= mostConnectors; n++ {
		column := func(name string) string { return row.Get(fmt.Sprintf("connector%d%s", n, name)) }
		if column("type") == "" {
			continue
		}
		kw := lenient.ParseNumber(column("ratedoutputkw")).Value
		p := Point{Connectors: []Connector{{Standard: r.standard(column("type")), KW: kw, Count: 1, Cable: column("tetheredcable") == "1"}}}
		if statusOf(column("status")) == OutOfOrder {
			p.Status = OutOfOrder
		}
		s.Points = append(s.Points, p)
	}
	if statusOf(status) == OutOfOrder {
		if len(s.Points) == 0 {
			s.Points = []Point{{}}
		}
		for i := range s.Points {
			s.Points[i].Status = OutOfOrder
		}
	}
	r.add(s)
}
