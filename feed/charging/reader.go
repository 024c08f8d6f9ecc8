package charging

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/waygate/waygate/feed"
	"github.com/waygate/waygate/feed/lenient"
	"github.com/waygate/waygate/geo"
)

// reader gathers what one document says, or several.
type reader struct {
	in     *feed.Input
	out    *Document
	seen   map[string]int // index of stations, by id
	titles map[int]string // of operators of Open Charge Map, by id
	plugs  int            // connectors and points of all stations, in out or not
}

func read(ctx context.Context, in *feed.Input, _ *Document) (*Document, int, error) {
	r := &reader{in: in, out: &Document{States: map[string]State{}}, seen: map[string]int{}}
	var err error
	switch in.Sniff() {
	case feed.HTML:
		err = feed.ErrPage
	case feed.XML:
		err = r.datexXML()
	case feed.JSON:
		err = r.json(ctx)
	default:
		err = feed.EachRow(in, r.row)
	}
	if err == nil && r.plugs > mostPlugs {
		err = fmt.Errorf("it has more than %d charging points and connectors", mostPlugs)
	}
	if err != nil {
		return nil, 0, err
	}
	return r.out, len(r.out.Stations) + len(r.out.States), nil
}

// json distinguishes the formats of JSON by a word that stands near the beginning
// of each.
func (r *reader) json(ctx context.Context) error {
	format := r.in.Source.Format
	if format == "" {
		head := r.in.Reads(32 << 10)
		for _, sign := range []struct{ word, format string }{
			{"nergyInfrastructure", DATEX}, {`"EVSEData"`, OICP}, {`"EVSEStatuses"`, OICP}, {`"AddressInfo"`, OpenChargeMap}, {`"chargingStations"`, BNetzA}, {`"evses"`, OCPI}, {`"EVSEDataRecord"`, OICP},
		} {
			if bytes.Contains(head, []byte(sign.word)) {
				format = sign.format
				break
			}
		}
	}
	switch format {
	case DATEX:
		return r.datexJSON()
	case OICP:
		return r.oicp()
	case OpenChargeMap:
		return r.openChargeMap(ctx)
	case BNetzA:
		return r.bnetza()
	case OCPI:
		return r.ocpi(ctx)
	}
	return r.plain()
}

// add takes a station. One without a place is no use; one that was there before
// is the same again, or brings more of its points.
func (r *reader) add(s Station) {
	s.Country = alpha2(s.Country)
	if s.Country == "" {
		s.Country = r.in.Source.Country
	}
	if s.Name == "" {
		s.Name = s.Address
	}
	if s.ID == "" {
		r.in.Report.Reject("no id", "%s", s.Name)
		return
	}
	if _, repeated := r.seen[s.ID]; repeated {
		r.in.Report.Reject("id is there twice", "%s", s.ID)
		return
	}
	if !r.bounded(&s) {
		return
	}
	if why := r.in.Misplaced(s.Country, s.At); why != "" {
		r.in.Report.Reject(why, "%s at lat %g, lon %g", s.ID, s.At.Lat, s.At.Lon)
		return
	}
	for i := range s.Points {
		for j := range s.Points[i].Connectors {
			c := &s.Points[i].Connectors[j]
			if c.KW < 0 || c.KW > mostKW {
				r.in.Report.Reject("power out of range", "%s: %g kW, allowed are 0 to %d", s.ID, c.KW, mostKW)
				c.KW, c.Estimated = 0, false
			}
		}
	}
	r.seen[s.ID] = len(r.out.Stations)
	r.out.Stations = append(r.out.Stations, s)
}

// Bounds of charging points.
const (
	mostPoints = 500       // of one station
	mostPlugs  = 5_000_000 // points and connectors of all stations of a source
)

// bounded reports whether a station has no more than it may. It is rejected where it
// has.
func (r *reader) bounded(s *Station) bool {
	long, plugs := feed.TooLong(s.ID, s.Name, s.Operator, s.Address, s.Postcode, s.Country, s.Hours), len(s.Points)
	for i := range s.Points {
		long = long || feed.TooLong(s.Points[i].ID)
		plugs += len(s.Points[i].Connectors)
	}
	switch {
	case long:
		r.in.Report.Reject(feed.LongText, "%s", s.ID)
	case len(s.Points) > mostPoints || plugs > 4*mostPoints:
		r.in.Report.Reject("more charging points than a station has", "%s: %d, with %d connectors; allowed are %d", s.ID, len(s.Points), plugs-len(s.Points), mostPoints)
	default:
		r.plugs += plugs
		return r.plugs <= mostPlugs
	}
	return false
}

// join adds a point to a station that was read before.
func (r *reader) join(s *Station, p Point) {
	switch {
	case feed.TooLong(p.ID):
		r.in.Report.Reject(feed.LongText, "%s", p.ID)
	case len(s.Points) >= mostPoints || len(p.Connectors) > mostPoints:
		r.in.Report.Reject("more charging points than a station has", "%s; allowed are %d", s.ID, mostPoints)
	default:
		if r.plugs += 1 + len(p.Connectors); r.plugs <= mostPlugs {
			s.Points = append(s.Points, p)
		}
	}
}

// state takes that of a point.
func (r *reader) state(id, word string, at time.Time) {
	if feed.TooLong(id) {
		r.in.Report.Reject(feed.LongText, "%s", id)
		return
	}
	status := statusOf(word)
	if status == gone {
		return
	}
	r.out.States[id] = State{status, at}
}

// standard reads a kind of connector; words that are not known are counted.
func (r *reader) standard(word string) Standard {
	if word != "" && !IsStandard(word) {
		r.in.Report.Reject("kind of connector not known, taken as other", "%s", word)
	}
	return Named(word)
}

// timeOf reads a time of RFC 3339 in UTC; the zero time is not known.
func timeOf(text string) time.Time { return lenient.Time(text).UTC() }

// pointOf reads coordinates; the zero point is not known.
func pointOf(lat, lon string) geo.Point {
	if p, ok := lenient.Point(lat, lon); ok {
		return p
	}
	return geo.Point{}
}

func joined(parts ...string) string {
	var all []string
	for _, p := range parts {
		if p = strings.TrimSpace(p); p != "" {
			all = append(all, p)
		}
	}
	return strings.Join(all, ", ")
}

// alpha2 shortens the codes of countries with three letters that sources use.
func alpha2(code string) string {
	code = strings.ToUpper(strings.TrimSpace(code))
	if len(code) != 3 {
		return code
	}
	return map[string]string{
		"AUT": "AT", "BEL": "BE", "CHE": "CH", "CZE": "CZ", "DEU": "DE", "DNK": "DK", "ESP": "ES", "FIN": "FI", "FRA": "FR", "GBR": "GB", "IRL": "IE", "ITA": "IT",
		"LIE": "LI", "LUX": "LU", "NLD": "NL", "NOR": "NO", "POL": "PL", "PRT": "PT", "SWE": "SE", "HUN": "HU", "SVK": "SK", "SVN": "SI", "HRV": "HR", "ROU": "RO",
	}[code]
}

var errNoLink = errors.New("its next page links back to one that was read")

// following is the address of the next page in a Link header.
var following = regexp.MustCompile(`<([^>]*)>\s*;[^,]*rel="?next"?`)

func nextPage(in *feed.Input) string {
	for _, link := range in.Header.Values("Link") {
		if m := following.FindStringSubmatch(link); m != nil {
			return m[1]
		}
	}
	return ""
}
