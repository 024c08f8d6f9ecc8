package charging

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/waygate/waygate/feed"
	"github.com/waygate/waygate/feed/lenient"
	"github.com/waygate/waygate/geo"
)

// word and number are values of JSON as sources write them.
type (
	word       = lenient.Word
	jsonNumber = lenient.Number
)

type coordinates struct {
	Lat jsonNumber `json:"latitude"`
	Lon jsonNumber `json:"longitude"`
}

func (c *coordinates) point() geo.Point {
	return geo.Point{Lon: c.Lon.Value, Lat: c.Lat.Value}
}

// location is one of OCPI.
type location struct {
	ID          word        `json:"id"`
	Country     word        `json:"country"`
	Code        word        `json:"country_code"`
	Party       word        `json:"party_id"`
	Publish     *bool       `json:"publish"`
	Name        word        `json:"name"`
	Address     word        `json:"address"`
	City        word        `json:"city"`
	Postcode    word        `json:"postal_code"`
	Coordinates coordinates `json:"coordinates"`
	Updated     time.Time   `json:"-"`
	UpdatedText word        `json:"last_updated"`
	Operator    *struct {
		Name word `json:"name"`
	} `json:"operator"`
	Opening *struct {
		Always bool `json:"twentyfourseven"`
	} `json:"opening_times"`
	EVSEs []struct {
		UID        word `json:"uid"`
		ID         word `json:"evse_id"`
		Status     word `json:"status"`
		Updated    word `json:"last_updated"`
		Connectors []struct {
			Standard word       `json:"standard"`
			Format   word       `json:"format"`
			Type     word       `json:"power_type"`
			Volts    jsonNumber `json:"max_voltage"`
			Amperes  jsonNumber `json:"max_amperage"`
			Watts    jsonNumber `json:"max_electric_power"`
			Volts2   jsonNumber `json:"voltage"`  // 2.1.1
			Amperes2 jsonNumber `json:"amperage"` // 2.1.1
		} `json:"connectors"`
	} `json:"evses"`
}

// ocpi reads locations, page after page.
func (r *reader) ocpi(ctx context.Context) error {
	read := map[string]bool{r.in.URL: true}
	page := r.in
	for {
		if err := r.locations(page); err != nil {
			return err
		}
		next := nextPage(page)
		if page != r.in {
			if err := page.Close(); err != nil {
				return err
			}
		}
		if next == "" {
			return nil
		}
		if read[next] {
			return errNoLink
		}
		read[next] = true
		var err error
		if page, err = r.in.Open(ctx, next); err != nil {
			return fmt.Errorf("page %d: %w", len(read), err)
		}
	}
}

func (r *reader) locations(in *feed.Input) error {
	return feed.EachJSON(in, feed.Walk{Lists: []string{"data", "items", "locations"}, Each: func(raw json.RawMessage) error {
		var l location
		if err := json.Unmarshal(raw, &l); err != nil {
			r.in.Report.Reject("no record as expected", "%v", err)
			return nil
		}
		if l.Publish != nil && !*l.Publish {
			return nil
		}
		s := Station{
			ID: string(l.ID), Name: string(l.Name), Address: joined(string(l.Address), string(l.City)), Postcode: string(l.Postcode), Country: string(l.Country), At: l.Coordinates.point(),
			Always: l.Opening != nil && l.Opening.Always, Operator: string(l.Party), Updated: timeOf(string(l.UpdatedText)),
		}
		if l.Code != "" {
			s.Country = string(l.Code)
		}
		if l.Operator != nil && l.Operator.Name != "" {
			s.Operator = string(l.Operator.Name)
		}
		for _, e := range l.EVSEs {
			status := statusOf(string(e.Status))
			if status == gone {
				continue
			}
			p := Point{ID: string(e.ID), Status: status, StatusAt: timeOf(string(e.Updated))}
			if p.ID == "" {
				p.ID = string(e.UID)
			}
			for _, c := range e.Connectors {
				phases := 1
				if strings.HasPrefix(string(c.Type), "AC_3") {
					phases = 3
				}
				kw, estimated := power(c.Watts.Value, max(c.Volts.Value, c.Volts2.Value), max(c.Amperes.Value, c.Amperes2.Value), phases)
				p.Connectors = append(p.Connectors, Connector{Standard: r.standard(string(c.Standard)), KW: kw, Estimated: estimated, Count: 1, Cable: c.Format == "CABLE"})
			}
			s.Points = append(s.Points, p)
		}
		if len(l.EVSEs) > 0 && len(s.Points) == 0 {
			return nil // all of them are gone
		}
		r.add(s)
		return nil
	}})
}

// openChargeMap reads points of interest. Operators are named in full records,
// else by the reference data that the option reference=FILE names.
func (r *reader) openChargeMap(ctx context.Context) error {
	for _, o := range r.in.Source.Options {
		if ref, ok := strings.CutPrefix(o, "reference="); ok {
			if err := r.reference(ctx, ref); err != nil {
				return fmt.Errorf("reference data: %w", err)
			}
		}
	}
	return feed.EachJSON(r.in, feed.Walk{Lists: []string{"data"}, Each: func(raw json.RawMessage) error {
		var p struct {
			UUID     word `json:"UUID"`
			ID       word `json:"ID"`
			Operator *struct {
				Title word `json:"Title"`
			} `json:"OperatorInfo"`
			OperatorID int  `json:"OperatorID"`
			UsageType  int  `json:"UsageTypeID"`
			Status     int  `json:"StatusTypeID"`
			Updated    word `json:"DateLastStatusUpdate"`
			Address    *struct {
				Title    word       `json:"Title"`
				Line     word       `json:"AddressLine1"`
				Town     word       `json:"Town"`
				Postcode word       `json:"Postcode"`
				Lat      jsonNumber `json:"Latitude"`
				Lon      jsonNumber `json:"Longitude"`
				Country  *struct {
					Code word `json:"ISOCode"`
				} `json:"Country"`
			} `json:"AddressInfo"`
			Connections []struct {
				Type     int        `json:"ConnectionTypeID"`
				Status   int        `json:"StatusTypeID"`
				KW       jsonNumber `json:"PowerKW"`
				Volts    jsonNumber `json:"Voltage"`
				Amperes  jsonNumber `json:"Amps"`
				Current  int        `json:"CurrentTypeID"`
				Quantity int        `json:"Quantity"`
			} `json:"Connections"`
		}
		if err := json.Unmarshal(raw, &p); err != nil || p.Address == nil {
			r.in.Report.Reject("no record as expected", "%.80s", raw)
			return nil //nolint:nilerr // the record is rejected and counted, and the next is read
		}
		if p.Status >= 150 {
			return nil // planned, or removed
		}
		a := p.Address
		s := Station{
			ID: string(p.ID), Name: string(a.Title), Operator: r.titles[p.OperatorID], Address: joined(string(a.Line), string(a.Town)), Postcode: string(a.Postcode),
			At: geo.Point{Lon: a.Lon.Value, Lat: a.Lat.Value}, Private: p.UsageType == 2 || p.UsageType == 6, Updated: timeOf(string(p.Updated)),
		}
		if p.Operator != nil {
			s.Operator = string(p.Operator.Title)
		}
		if a.Country != nil {
			s.Country = string(a.Country.Code)
		}
		for _, c := range p.Connections {
			if c.Status >= 150 {
				continue
			}
			phases := 1
			if c.Current == 20 {
				phases = 3
			}
			kw, estimated := power(1000*c.KW.Value, c.Volts.Value, c.Amperes.Value, phases)
			standard, known := openChargeMap[c.Type]
			if !known {
				standard = Other
			}
			point := Point{Connectors: []Connector{{Standard: standard, KW: kw, Estimated: estimated, Count: c.Quantity}}}
			if c.Status == 100 {
				point.Status = OutOfOrder
			}
			s.Points = append(s.Points, point)
		}
		r.add(s)
		return nil
	}})
}

func (r *reader) reference(ctx context.Context, ref string) error {
	in, err := r.in.Open(ctx, ref)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	r.titles = map[int]string{}
	return feed.EachJSON(in, feed.Walk{Lists: []string{"Operators"}, Each: func(raw json.RawMessage) error {
		var o struct {
			ID    int  `json:"ID"`
			Title word `json:"Title"`
		}
		if err := json.Unmarshal(raw, &o); err != nil {
			return err
		}
		r.titles[o.ID] = string(o.Title)
		return nil
	}})
}

// operator matches the beginning of the ids of one operator's points.
var operator = regexp.MustCompile(`^[A-Z]{2}\*?[A-Z0-9]{3}`)

// oicp reads points of operators, and joins those that stand together; or states.
func (r *reader) oicp() error {
	return feed.EachJSON(r.in, feed.Walk{
		Way:   func(name string) bool { return name == "EVSEData" || name == "EVSEStatuses" },
		Lists: []string{"EVSEDataRecord", "EVSEStatusRecord"},
		Each: func(raw json.RawMessage) error {
			var e struct {
				ID       word `json:"EvseID"`
				Status   word `json:"EVSEStatus"`
				Operator word `json:"OperatorName"`
				Updated  word `json:"lastUpdate"`
				Station  word `json:"ChargingStationId"`
				Always   bool `json:"IsOpen24Hours"`
				Names    []struct {
					Value word `json:"value"`
				} `json:"ChargingStationNames"`
				Address *struct {
					Country  word `json:"Country"`
					City     word `json:"City"`
					Street   word `json:"Street"`
					House    word `json:"HouseNum"`
					Postcode word `json:"PostalCode"`
				} `json:"Address"`
				Geo *struct {
					Google word `json:"Google"`
				} `json:"GeoCoordinates"`
				Plugs      []word `json:"Plugs"`
				Facilities []struct {
					KW      jsonNumber `json:"power"`
					Volts   jsonNumber `json:"Voltage"`
					Amperes jsonNumber `json:"Amperage"`
					Type    word       `json:"powertype"`
				} `json:"ChargingFacilities"`
				Access word `json:"Accessibility"`
			}
			if err := json.Unmarshal(raw, &e); err != nil {
				r.in.Report.Reject("no record as expected", "%v", err)
				return nil
			}
			if e.Geo == nil {
				r.state(string(e.ID), string(e.Status), time.Time{})
				return nil
			}
			var lat, lon float64
			if n, _ := fmt.Sscanf(string(e.Geo.Google), "%f %f", &lat, &lon); n != 2 {
				r.in.Report.Reject("no place", "%s at %s", e.ID, e.Geo.Google)
				return nil
			}
			p := Point{ID: string(e.ID)}
			for i, plug := range e.Plugs {
				c := Connector{Standard: r.standard(string(plug)), Count: 1, Cable: strings.Contains(string(plug), "Cable Attached")}
				if len(e.Facilities) > 0 {
					f := e.Facilities[min(i, len(e.Facilities)-1)]
					phases := 1
					if strings.HasPrefix(string(f.Type), "AC_3") {
						phases = 3
					}
					c.KW, c.Estimated = power(1000*f.KW.Value, f.Volts.Value, f.Amperes.Value, phases)
				}
				p.Connectors = append(p.Connectors, c)
			}
			// Points of one operator in one place are one station.
			id := fmt.Sprintf("%.5f,%.5f", lat, lon)
			if e.Operator == "" {
				e.Operator = word(operator.FindString(string(e.ID)))
			}
			id += " " + string(e.Operator)
			if i, there := r.seen[id]; there {
				r.join(&r.out.Stations[i], p)
				return nil
			}
			s := Station{ID: id, Operator: string(e.Operator), At: geo.Point{Lon: lon, Lat: lat}, Points: []Point{p}, Always: e.Always, Private: strings.HasPrefix(string(e.Access), "Restricted"), Updated: timeOf(string(e.Updated))}
			if len(e.Names) > 0 {
				s.Name = string(e.Names[0].Value)
			}
			if a := e.Address; a != nil {
				s.Address, s.Postcode, s.Country = joined(strings.TrimSpace(string(a.Street+" "+a.House)), string(a.City)), string(a.Postcode), string(a.Country)
			}
			r.add(s)
			return nil
		},
	})
}

// bnetza reads Germany's register.
func (r *reader) bnetza() error {
	return feed.EachJSON(r.in, feed.Walk{Lists: []string{"chargingStations"}, Each: func(raw json.RawMessage) error {
		var b struct {
			ID          word        `json:"id"`
			Coordinates coordinates `json:"coordinates"`
			Street      word        `json:"street"`
			House       word        `json:"house_no"`
			City        word        `json:"city"`
			Postcode    word        `json:"postal_code"`
			Operator    *struct {
				Company word `json:"companyName"`
				Display word `json:"displayName"`
			} `json:"operator"`
			Hours word `json:"opening_hours_specification"`
			EVSEs []struct {
				Connectors []struct {
					Type word       `json:"connector_type"`
					KW   jsonNumber `json:"max_electric_power_connector"`
				} `json:"connectors"`
			} `json:"evses"`
		}
		if err := json.Unmarshal(raw, &b); err != nil {
			r.in.Report.Reject("no record as expected", "%v", err)
			return nil
		}
		s := Station{
			ID: string(b.ID), Country: "DE", At: b.Coordinates.point(), Address: joined(strings.TrimSpace(string(b.Street+" "+b.House)), string(b.City)), Postcode: string(b.Postcode),
			Always: strings.HasPrefix(string(b.Hours), "247") || strings.HasPrefix(string(b.Hours), "24/7"),
		}
		if b.Operator != nil {
			if s.Operator = string(b.Operator.Display); s.Operator == "" {
				s.Operator = string(b.Operator.Company)
			}
		}
		for _, e := range b.EVSEs {
			p := Point{}
			for _, c := range e.Connectors {
				// One entry may name several: "AC Typ 2 Steckdose; AC Schuko".
				for name := range strings.SplitSeq(string(c.Type), ";") {
					p.Connectors = append(p.Connectors, Connector{Standard: r.standard(strings.TrimSpace(name)), KW: c.KW.Value, Count: 1, Cable: strings.Contains(name, "upplung")})
				}
			}
			s.Points = append(s.Points, p)
		}
		r.add(s)
		return nil
	}})
}
