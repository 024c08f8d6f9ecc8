// Package geocode finds places by what people type and by where they are: in the
// place indexes of regions, or at a Photon elsewhere.
package geocode

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/hours"
	"github.com/waygate/waygate/index/place"
	"github.com/waygate/waygate/index/place/lexicon"
)

// Limits of a question.
const (
	LongestText   = 500 // characters of what is looked for
	MostResults   = 10
	MostElsewhere = 100 // results of questions in the forms of other geocoders, with those that they leave out again
)

// Forward is a search for places by a typed text.
type Forward struct {
	Text   string
	Limit  int         // 1 to MostElsewhere
	Lang   string      // BCP 47; "" is the local name
	Bias   *geo.Point  // what is near comes earlier; nothing is left out for being far
	Box    *geo.Bounds // what lies outside is left out; it crosses the antimeridian where its west is east of its east
	Typing bool        // the last word may be the beginning of one
	Open   bool        // points of interest that are shut at the moment are left out
	Only   place.Only  // leaves sorts of places out, of first-party indexes only; nil leaves out none

	Recent []string // ids of places that come first where they are found, the first of them before the others

	opens func(tag string, at geo.Point, country, state string) place.Opening
	kinds place.Kinds // that are looked for; none stands for all
	parts bool        // the text is put together of parts, so that no hubs follow a city
}

// Reverse is a search for places by position.
type Reverse struct {
	At    geo.Point
	Kinds Kinds // of first-party indexes only
	Limit int   // 1 to MostElsewhere
	Lang  string

	Only   place.Only // as of Forward
	Metres float64    // how far it is looked, of first-party indexes; 0 is until something is found within 25 km
}

// Kinds are kinds of places; none stands for all.
type Kinds = place.Kinds

// KnownKinds lists the kinds that KindsOf reads.
const KnownKinds = "address, street, locality, poi, postcode, area"

// KindsOf reads kinds. ok is false where one is not known.
func KindsOf(names []string) (set Kinds, ok bool) {
	for _, name := range names {
		kind, known := place.KindOf(strings.TrimSpace(name))
		if !known {
			return 0, false
		}
		set |= place.Of(kind)
	}
	return set, true
}

// Result is a place that was found, the best first.
type Result struct {
	place.Place
	OpenNow     bool          // it is open by its opening hours, where the query wants open places
	Coordinates bool          // it is not a place, but the coordinates that were typed, with the address there
	Score       *float64      // 0 to 1; nil where nobody says
	Match       []place.Match // which part of the text met which of the place
	Unmet       []string      // words of the text that met nothing of the place; of those that were not parted, and not for an unfinished text
	Parts       *Parts        // how it meets each part of an address; nil where that is unknown, and for an unfinished text
	Gap         *float64      // by which its score is above that of the next; nil where there is none
	Unit        string        // the part of the building that the text names, as typed; "" for none
	words       []place.Word
	Metres      *float64 // from the point that was asked for
	Recent      bool     // it was picked before
	HubOf       string   // id of the city that it is listed for
	order       float64  // of what Reverse found, by which it is in order
}

// Answer has the places that were found, and whose data it is.
type Answer struct {
	Results     []Result
	Attribution []string
	Kinds       []KindWord // that the text is or begins, of an unfinished text
	Notes       []string   // what of the question had no effect
}

// KindWord is a kind of places that a text is, or begins.
type KindWord = lexicon.KindWord

// MostKinds is how many kinds are suggested.
const MostKinds = 3

// backend answers questions: the indexes here, or a Photon.
type backend interface {
	search(ctx context.Context, q *Forward) (*Answer, error)
	reverse(ctx context.Context, q *Reverse) (*Answer, error)
}

// Service is the geocoder of a deployment. The zero value has only the indexes of
// the regions in service.
type Service struct {
	Own          []Source // that answer for all, in place of those of the regions in service
	Proxy        *Photon  // nil is none
	ForwardProxy bool     // the proxy answers Search though there are indexes

	// Zone is the time zone of a place, nil where it is not known, and Holidays are the public
	// ones of a country and a state of it. Without them opening hours are not judged.
	Zone     func(geo.Point) *time.Location
	Holidays func(country, state string) hours.Holidays
	Now      func() time.Time // nil is the clock
}

// Geocoder is a Service for one request.
type Geocoder struct {
	service *Service
	indexes indexes
}

// With returns the geocoder with the indexes of the regions in service.
func (s *Service) With(regions []Source) *Geocoder {
	if len(s.Own) > 0 {
		regions = s.Own
	}
	return &Geocoder{s, regions}
}

// Name returns what answers; "" where nothing does.
func (g *Geocoder) Name() string {
	here, proxy := len(g.indexes) > 0, g.service.Proxy != nil
	switch {
	case here && proxy && g.service.ForwardProxy:
		return "proxy, first-party in reverse"
	case here:
		return "first-party"
	case proxy:
		return "proxy"
	}
	return ""
}

// capability is the name of the capability that a deployment without a geocoder lacks.
const capability = "geocoding"

var errNone = fault.NotEnabled(capability, "geocoding is not enabled here: no region in service has an index of places, and there is no proxy (SVC_GEOCODE_DIR, SVC_GEOCODER_PROXY_URL)")

// FirstParty fails where there are no indexes: what needs them is named.
func (g *Geocoder) FirstParty(what string) error {
	switch {
	case len(g.indexes) > 0:
		return nil
	case g.service.Proxy != nil:
		return fault.NotEnabled(capability, "%s needs an index of places, which no region in service has: the proxy here cannot do it", what)
	}
	return errNone
}

// backend returns the backend that answers; forward is whether the question is a text.
func (g *Geocoder) backend(forward bool) (backend, error) {
	proxy := g.service.Proxy
	switch {
	case len(g.indexes) > 0 && !(forward && g.service.ForwardProxy && proxy != nil):
		return g.indexes, nil
	case proxy != nil:
		return proxy, nil
	}
	return nil, errNone
}

// filtering is backend for a question that leaves places out, which only indexes can.
func (g *Geocoder) filtering(forward bool, only place.Only) (backend, error) {
	if only == nil {
		return g.backend(forward)
	}
	return g.indexes, g.FirstParty("a filter by tags, layers or countries")
}

// Suggests reports whether indexes answer searches by text, so that the last word may be the
// beginning of one.
func (g *Geocoder) Suggests() bool {
	b, err := g.backend(true)
	_, here := b.(indexes)
	return err == nil && here
}

// Search finds places by what was typed. Coordinates are answered with the places
// there.
func (g *Geocoder) Search(ctx context.Context, q *Forward) (*Answer, error) {
	with := *q
	var err error
	if with.Text, err = checked(q.Text); err != nil {
		return nil, err
	}
	if at, ok := Coordinates(with.Text, with.Lang); ok && !with.outside(at) {
		return g.at(ctx, at, &with)
	}
	if short, ok := readShort(with.Text); ok {
		if at, ok, err := g.plusNear(ctx, short, &with); err != nil || ok {
			if err != nil {
				return nil, err
			}
			return g.at(ctx, at, &with)
		}
	}
	with.opens = g.service.Opens()
	if with.Typing {
		if err := g.FirstParty("suggesting"); err != nil {
			return nil, err
		}
		return g.indexes.search(ctx, &with)
	}
	b, err := g.filtering(true, q.Only)
	if err != nil {
		return nil, err
	}
	a, err := b.search(ctx, &with)
	if _, elsewhere := b.(*Photon); elsewhere && err == nil && q.Open {
		a.Notes = append(a.Notes, "open_now had no effect: the geocoder here knows no opening hours")
	}
	return a, err
}

// plusNear returns the place of a short plus code: near the place that is named behind it, else
// near the bias, else near the middle of the first region. ok is false where none of them is.
func (g *Geocoder) plusNear(ctx context.Context, c shortCode, q *Forward) (at geo.Point, ok bool, err error) {
	var near geo.Point
	switch {
	case c.near != "":
		b, err := g.backend(true)
		if err != nil {
			return at, false, err
		}
		a, err := b.search(ctx, &Forward{Text: c.near, Limit: 1, Bias: q.Bias})
		if err != nil || len(a.Results) == 0 {
			return at, false, err
		}
		near = a.Results[0].At
	case q.Bias != nil:
		near = *q.Bias
	case len(g.indexes) > 0:
		near = g.indexes[0].Bounds.Centre()
	default:
		return at, false, nil
	}
	at, ok = c.by(near)
	return at, ok && !q.outside(at), nil
}

// outside reports whether a point is outside of the box, where there is one.
func (q *Forward) outside(p geo.Point) bool { return q.Box != nil && !q.Box.Contains(p) }

// at answers with coordinates themselves, and with what is there.
func (g *Geocoder) at(ctx context.Context, at geo.Point, q *Forward) (*Answer, error) {
	a, err := g.Reverse(ctx, &Reverse{At: at, Limit: max(q.Limit, MostResults), Lang: q.Lang, Only: q.Only})
	if err != nil {
		return nil, err
	}
	at = geo.Point{Lon: math.Round(at.Lon*1e6) / 1e6, Lat: math.Round(at.Lat*1e6) / 1e6}
	here := Result{Coordinates: true, Place: place.Place{At: at, Name: decimalText(at.Lat) + ", " + decimalText(at.Lon)}}
	var by *Result
	for i := range a.Results {
		r := &a.Results[i]
		if r.Metres != nil && *r.Metres <= addressed && (by == nil || by.Kind != place.Address && r.Kind == place.Address) {
			by = r
		}
	}
	if by != nil {
		here.Street, here.Locality, here.Postcode, here.State, here.CountryCode = by.Street, by.Locality, by.Postcode, by.State, by.CountryCode
	}
	a.Results = append([]Result{here}, a.Results...)
	a.Results = a.Results[:min(len(a.Results), q.Limit)]
	return a, nil
}

// addressed is the distance in metres within which coordinates lie where a place
// does: the nearest address, or else the nearest of any kind.
const addressed = 100

// Reverse finds places by where they are, the nearest first, as place.Index.Reverse has it.
func (g *Geocoder) Reverse(ctx context.Context, q *Reverse) (*Answer, error) {
	if q.Kinds != 0 {
		if err := g.FirstParty("kinds"); err != nil {
			return nil, err
		}
	}
	b, err := g.filtering(false, q.Only)
	if err != nil {
		return nil, err
	}
	return b.reverse(ctx, q)
}

// plainSpace makes a space of a tab and of the end of a line, as pasted text has them.
func plainSpace(r rune) rune {
	if r == '\t' || r == '\n' || r == '\r' {
		return ' '
	}
	return r
}

// checked returns a text trimmed, or what is wrong with it.
func checked(text string) (string, error) {
	trimmed := strings.TrimSpace(strings.Map(plainSpace, text))
	bad := func(format string, args ...any) error {
		return fault.Invalid(fault.Violation{Location: "q", Value: strings.ToValidUTF8(text, "�"), Message: fmt.Sprintf(format, args...)})
	}
	n := utf8.RuneCountInString(trimmed)
	switch {
	case !utf8.ValidString(text):
		return "", bad("is not UTF-8")
	case trimmed == "":
		return "", bad("is empty: name what to look for")
	case n > LongestText:
		return "", bad("has %d characters and may have %d", n, LongestText)
	case strings.ContainsFunc(trimmed, unicode.IsControl):
		return "", bad("has control characters")
	}
	return trimmed, nil
}
