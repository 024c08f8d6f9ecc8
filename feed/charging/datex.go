package charging

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/waygate/waygate/feed"
)

// onTheWay are members of DATEX II that lead to sites.
func onTheWay(name string) bool {
	for _, end := range []string{"messageContainer", "payload", "InfrastructureTablePublication", "InfrastructureStatusPublication", "InfrastructureTable"} {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return false
}

const (
	siteName   = "energyInfrastructureSite"
	statusName = "energyInfrastructureSiteStatus"
)

// datexJSON reads a publication of stations or of states, site by site.
func (r *reader) datexJSON() error {
	return feed.EachJSON(r.in, feed.Walk{
		Way: onTheWay, Lists: []string{siteName, statusName},
		Each: func(raw json.RawMessage) error {
			if bytes.Count(raw, []byte(",")) > maxNodes {
				return errLarge
			}
			var n any
			if err := json.Unmarshal(raw, &n); err != nil {
				return err
			}
			r.node(n)
			return nil
		},
		Other: func(name string, raw json.RawMessage) error {
			if strings.HasSuffix(name, "publicationTime") {
				var when any
				_ = json.Unmarshal(raw, &when) // it is well-formed
				r.in.Report.Published(timeOf(text(when)))
			}
			return nil
		},
	})
}

// datexXML reads the same as XML.
func (r *reader) datexXML() error {
	d := feed.NewXML(r.in)
	sites := 0
	for {
		t, err := d.Token()
		if errors.Is(err, io.EOF) {
			if sites == 0 {
				return errors.New("it has no site of DATEX II")
			}
			return nil
		}
		if err != nil {
			return fmt.Errorf("it is no XML as expected: %w", err)
		}
		start, ok := t.(xml.StartElement)
		if !ok {
			continue
		}
		switch start.Name.Local {
		case "publicationTime":
			nodes := 0
			when, err := element(d, start, 0, &nodes)
			if err != nil {
				return err
			}
			r.in.Report.Published(timeOf(text(when)))
		case siteName, statusName:
			nodes := 0
			n, err := element(d, start, 0, &nodes)
			if err != nil {
				return fmt.Errorf("it is no XML as expected: %w", err)
			}
			sites++
			r.node(n)
		}
	}
}

// node takes a site, or the states of one.
func (r *reader) node(n any) {
	status := child(n, "energyInfrastructureStationStatus")
	if status == nil {
		r.site(n)
		return
	}
	for _, station := range each(status) {
		for _, p := range each(child(station, "refillPointStatus")) {
			if inner := child(p, "RefillPointStatus", "ElectricChargingPointStatus"); inner != nil {
				p = inner
			}
			reference := child(p, "reference")
			id := text(child(reference, "idG", "id"))
			if id == "" {
				r.in.Report.Reject("state of no point", "%.80v", p)
				continue
			}
			r.state(id, text(child(p, "status")), timeOf(text(child(p, "lastUpdated"))))
		}
	}
}

// site takes the stations of a site; a station without a place is at that of the
// site.
func (r *reader) site(n any) {
	here, placed := placeOf(child(n, "locationReference"))
	for _, station := range each(child(n, "energyInfrastructureStation")) {
		s := Station{ID: text(child(station, "idG", "id")), Name: text(child(station, "name")), At: here, Updated: timeOf(text(child(station, "lastUpdated")))}
		location := child(station, "locationReference")
		at, own := placeOf(location)
		if own {
			s.At = at
		}
		if !own && !placed {
			r.in.Report.Reject("no place", "%s", s.ID)
			continue
		}
		if deep(location, "postcode") == nil {
			location = child(n, "locationReference")
		}
		if s.Name == "" {
			s.Name = text(child(n, "name"))
		}
		if s.Name == "" {
			s.Name = text(child(n, "additionalInformation"))
		}
		s.Postcode, s.Country = text(deep(location, "postcode")), text(deep(location, "countryCode"))
		s.Address = joined(text(deep(deep(location, "addressLine"), "text")), text(deep(location, "city")))
		s.Operator = text(deep(child(station, "operator"), "name"))
		if s.Operator == "" {
			s.Operator = text(deep(child(n, "operator"), "name"))
		}
		s.Always = deep(child(station, "operatingHours"), "OpenAllHours") != nil || deep(child(n, "operatingHours"), "OpenAllHours") != nil
		for _, p := range each(child(station, "refillPoint")) {
			if inner := child(p, "ElectricChargingPoint"); inner != nil {
				p = inner
			}
			point := Point{ID: text(child(p, "externalIdentifier"))}
			if id := text(child(p, "idG", "id")); point.ID == "" || strings.Contains(id, "*") {
				point.ID = id
			}
			for _, c := range each(child(p, "connector")) {
				watts := numeric(child(c, "maxPowerAtSocket"))
				if watts == 0 {
					watts = numeric(first(child(p, "availableChargingPower")))
				}
				kw, estimated := power(watts, numeric(child(c, "voltage")), numeric(child(c, "maximumCurrent")), 3)
				point.Connectors = append(point.Connectors, Connector{
					Standard: r.standard(text(child(c, "connectorType"))), KW: kw, Estimated: estimated, Count: 1,
					Cable: strings.HasPrefix(text(child(c, "connectorFormat")), "cable"),
				})
			}
			s.Points = append(s.Points, point)
		}
		r.add(s)
	}
}

func first(n any) any {
	if list := each(n); len(list) > 0 {
		return list[0]
	}
	return nil
}
