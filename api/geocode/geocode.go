package geocode

import (
	"context"
	"net/http"
	"unicode/utf8"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/feature/geocode"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/wire/schema"
)

// typed has the typed text, and how to search for it.
type typed struct {
	Q     string  `query:"q" required:"true" maxLength:"500" doc:"what to look for: an address, a street, a place, a postcode, or coordinates (51.58, -2.99 or 51°34'48\"N 2°59'24\"W), which are answered with what is there. What is written in Greek, Cyrillic, Armenian, Georgian, Hebrew, Arabic, Devanagari, Thai or Hangul letters is found by any usual Latin transcription, and the reverse"`
	Limit int     `query:"limit" minimum:"1" maximum:"10" default:"5"`
	Lang  string  `query:"lang" maxLength:"35" doc:"BCP 47 tag of the language of names; without it, or where a place has no name in it, the local one"`
	Bias  *lonLat `query:"bias" doc:"lon,lat: what is near comes earlier, and nothing is left out for being far"`
	BBox  *box    `query:"bbox" doc:"minLon,minLat,maxLon,maxLat: what lies outside is left out; minLon above maxLon crosses the antimeridian"`
	Open  bool    `query:"open_now" doc:"an extension: leaves out points of interest that are shut at the moment by their opening hours as mapped, as words in q such as open now beside a kind of places do. Those that are not known to be open come later. Of first-party indexes only"`
}

// asked returns the question behind it.
func (t *typed) asked(typing bool) *geocode.Forward {
	q := &geocode.Forward{Text: t.Q, Limit: t.Limit, Lang: t.Lang, Typing: typing, Open: t.Open}
	if t.Bias != nil {
		q.Bias = &t.Bias.Point
	}
	if t.BBox != nil {
		q.Box = &t.BBox.Bounds
	}
	return q
}

type forwardIn struct {
	Warnings schema.Warnings
	typed
}

const absent = " 501 geocoding-not-enabled on a deployment without an index of places and without a proxy."

var forwardDoc = edge.Doc{
	Summary: "Find places by a typed text", Tags: []string{"geocoding"}, Fails: []int{http.StatusNotImplemented, http.StatusBadGateway},
	Description: "GeoJSON, the best first. q is an address as it is written anywhere, with the part of a building before or after it (Flat 3), the name of anything, a postcode; a kind of places alone or with a place (petrol station in Newport), in the languages of narration; two streets that meet (Dock Street & Long Lane); or coordinates: degrees in any form, a geo: address, a link of a map site, a grid reference of Ordnance Survey, a plus code. The name of a city or town alone, without a comma, is followed by its transport hubs: at most three that are named for it, airports with an IATA code within 60 km first, then stations within 25 km. " +
		"All regions in service are asked, unless bbox leaves them out." + absent,
}

func (g geocoder) forward(ctx context.Context, in *forwardIn) (*Geocoded, error) {
	on, err := g.on(ctx)
	if err != nil {
		return nil, err
	}
	a, err := on.Search(ctx, in.asked(false))
	if err != nil {
		return nil, err
	}
	return collection(a, in.Warnings, false), nil
}

var suggestDoc = edge.Doc{
	Summary: "Suggest places while a text is typed", Tags: []string{"geocoding"}, Fails: []int{http.StatusNotImplemented, http.StatusBadGateway},
	Description: "As GET /geocode, but that each word may be the beginning of one, in any order, and details are left out: GET /geocode/retrieve has them. The places that the key picked last come first where it has them remembered (PUT /geocode/recent). kinds has the kinds of places that q begins. Every row has its coordinates. There are no sessions: " +
		"5,000 suggestions a UTC day are free over all verified keys of an account, and for each key by itself until its e-mail address is confirmed; each beyond costs a standard call; X-Svc-Quota-Units says which. Without a key there is no allowance. " +
		"It needs a first-party index (501 otherwise).",
}

func (g geocoder) suggest(ctx context.Context, in *forwardIn) (*Geocoded, error) {
	on, err := g.on(ctx)
	if err != nil {
		return nil, err
	}
	asked := in.asked(true)
	if key := edge.CallOf(ctx).Key(); key != nil && g.selections != nil {
		if asked.Recent, _, err = g.selections.Recent(ctx, key.ID); err != nil {
			return nil, err
		}
	}
	a, err := on.Search(ctx, asked)
	if err != nil {
		return nil, err
	}
	return collection(a, in.Warnings, true), nil
}

type reverseIn struct {
	Warnings schema.Warnings
	Lon      float64 `query:"lon" required:"true" minimum:"-180" maximum:"180"`
	Lat      float64 `query:"lat" required:"true" minimum:"-90" maximum:"90"`
	Kinds    kinds   `query:"kinds" doc:"some of address, street, locality, poi and postcode, with commas between them; area too, as an extension. Of first-party indexes only (501 otherwise)"`
	Limit    int     `query:"limit" minimum:"1" maximum:"10" default:"5" doc:"an extension"`
	Lang     string  `query:"lang" maxLength:"35" doc:"as of GET /geocode"`
}

var reverseDoc = edge.Doc{
	Summary: "Find what is at a place", Tags: []string{"geocoding"}, Fails: []int{http.StatusNotImplemented, http.StatusBadGateway},
	Description: "GeoJSON, the nearest first, each with its distance_m, which is 0 within a building, a park, a station or whatever else the point lies in. Of several that hold the point the small comes first; a large one comes after what is nearer than a tenth of its width, at most 50 m. " +
		"With kinds of locality, area and postcode alone, what holds the point comes before all else: the hamlet by its own ground, the municipality by its border. It is looked for within 250 m, and where there is nothing within 2.5 km and 25 km. No features is an answer." + absent,
}

func (g geocoder) reverse(ctx context.Context, in *reverseIn) (*Geocoded, error) {
	on, err := g.on(ctx)
	if err != nil {
		return nil, err
	}
	a, err := on.Reverse(ctx, &geocode.Reverse{At: geo.Point{Lon: in.Lon, Lat: in.Lat}, Kinds: in.Kinds.set, Limit: in.Limit, Lang: in.Lang})
	if err != nil {
		return nil, err
	}
	return collection(a, in.Warnings, false), nil
}

type retrieveIn struct {
	Warnings schema.Warnings
	ID       string `query:"id" required:"true" maxLength:"200" doc:"of a place of an answer of GET /geocode or /geocode/suggest"`
	Lang     string `query:"lang" maxLength:"35" doc:"as of GET /geocode"`
}

var retrieveDoc = edge.Doc{
	Summary: "All of one place", Tags: []string{"geocoding"}, Fails: []int{http.StatusNotFound, http.StatusNotImplemented, http.StatusBadGateway},
	Description: "One feature with its details, by the id of a suggestion. 404 where no region in service has a place of this id. It needs a first-party index (501 otherwise).",
}

func (g geocoder) retrieve(ctx context.Context, in *retrieveIn) (*Geocoded, error) {
	on, err := g.on(ctx)
	if err != nil {
		return nil, err
	}
	a, err := on.Retrieve(in.ID, in.Lang)
	if err != nil {
		return nil, err
	}
	return collection(a, in.Warnings, false), nil
}

type selectionIn struct {
	Warnings schema.Warnings
	ID       string `query:"id" required:"true" maxLength:"200" doc:"of the suggestion that was picked"`
	Q        string `query:"q" maxLength:"500" doc:"what had been typed; only how long it was is kept"`
	Position int    `query:"position" minimum:"1" maximum:"10" doc:"the suggestion's row, from 1"`
}

var selectionDoc = edge.Doc{
	Summary: "Tell which suggestion was picked", Tags: []string{"geocoding"}, Fails: []int{http.StatusNotFound, http.StatusNotImplemented, http.StatusBadGateway},
	Description: "Free. It is counted by day, place and row, for the operator to see how good suggestions are: what was typed, by whom and from where is not kept, and the counts are deleted after 30 days. A key that asked for it with PUT /geocode/recent has its last 50 picks remembered beside. " +
		"404 where no region in service has a place of this id. It needs a first-party index (501 otherwise).",
}

func (g geocoder) selection(ctx context.Context, in *selectionIn) (*struct{}, error) {
	on, err := g.on(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := on.Retrieve(in.ID, ""); err != nil {
		return nil, err
	}
	if g.selections == nil {
		return nil, fault.New(fault.Internal, "selections are not counted")
	}
	g.selections.Add(in.ID, in.Position, utf8.RuneCountInString(in.Q))
	if key := edge.CallOf(ctx).Key(); key != nil {
		g.selections.Picked(key.ID, in.ID)
	}
	return nil, nil //nolint:nilnil // 204
}
