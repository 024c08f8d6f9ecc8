package place

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"reflect"
	"time"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/feature/places"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/wire/native"
	"github.com/waygate/waygate/wire/schema"

	wire "github.com/waygate/waygate/wire/json"
)

// DefaultMaxOwn is how many bytes an upload of places may have where nothing else
// is set: 4 KiB for each of the most places.
const DefaultMaxOwn = places.MostPlaces * 4096

// own is the places that callers have uploaded.
type own struct{ service *places.Service }

// keyOf returns the id of the key that a call's places belong to.
func keyOf(ctx context.Context) (string, error) {
	if k := edge.CallOf(ctx).Key(); k != nil {
		return k.ID, nil
	}
	return "", fault.New(fault.Unauthorized, "own places belong to an API key; send it as Authorization: Bearer KEY or as the query parameter api_key")
}

type ownPutIn struct {
	Body struct {
		Places places.Upload `json:"places"`
	}
}

var ownPutDoc = edge.Doc{
	Summary: "Replace the key's own places", Tags: []string{"places"}, Fails: []int{http.StatusUnprocessableEntity},
	Example: `{"places":[{"id":"depot-1","name":"Harbour depot","lat":49.326622,"lon":-7.267471,"categories":["depot"],"properties":{"gate":"B"}}]}`,
	Description: "The places of a key are one set, which this replaces at once: at most 10,000 (413 places-too-many), in a body of at most 40 MiB where the deployment does not say otherwise. " +
		"They belong to the key and not to its account: another key, such as one that takes its place, uploads its own. A place that is not valid, or has the id of another, is a 422 invalid-places, " +
		"which lists the first 100 problems and changes nothing; a member that is not known is a 400. They are deleted within an hour after the key was revoked or has expired.",
}

// ownNanos is about what it takes to read places, for each byte.
const ownNanos = 50

func (o own) put(ctx context.Context, in *ownPutIn) (*places.Meta, error) {
	key, err := keyOf(ctx)
	if err != nil {
		return nil, err
	}
	size := in.Body.Places.Size()
	effort := engine.Estimate{Kind: "places", Work: time.Duration(size) * ownNanos, Bytes: 4 * int64(size), Cores: 1}
	list, err := engine.WorkFor(ctx, effort, in.Body.Places.Read)
	if err != nil {
		return nil, err
	}
	return o.service.Put(ctx, key, list)
}

// OwnPlaces are all places of a key.
type OwnPlaces struct {
	places.Meta
	Places   []places.Place         `json:"places" nullable:"false" doc:"in the order of the upload"`
	Warnings []native.AnswerWarning `json:"warnings,omitempty"`
}

type ownIn struct{ Warnings schema.Warnings }

var ownGetDoc = edge.Doc{
	Summary: "The key's own places", Tags: []string{"places"}, Fails: []int{http.StatusNotFound}, Answers: []edge.Answer{{Type: reflect.TypeFor[OwnPlaces]()}},
	Description: "All of them. 404 where the key has uploaded none.",
}

// ownGetEffort is about what it takes to read thousands of places and to write them.
var ownGetEffort = engine.Estimate{Kind: "places get", Work: time.Millisecond, Bytes: 4 << 20, Cores: 1}

func (o own) get(w http.ResponseWriter, r *http.Request, in *ownIn) error {
	key, err := keyOf(r.Context())
	if err != nil {
		return err
	}
	var meta *places.Meta
	list, err := engine.WorkFor(r.Context(), ownGetEffort, func(ctx context.Context) (list []byte, err error) {
		meta, list, err = o.service.Get(ctx, key)
		return list, err
	})
	if err != nil {
		return err
	}
	var out wire.Writer
	out.Open('{')
	rest, err := whole(&out, meta, in.Warnings)
	if err != nil {
		return err
	}
	// The list, which may be long, is sent as it is between the other members.
	rest[0] = ','
	head := fmt.Appendf(nil, `{"count":%d,"places":`, meta.Count)
	return edge.Send(w, head, list, rest)
}

// whole completes an answer.
func whole(out *wire.Writer, m *places.Meta, warnings schema.Warnings) ([]byte, error) {
	out.String("updated_at", m.UpdatedAt.Format(time.RFC3339Nano))
	if len(warnings) > 0 {
		out.Any("warnings", native.AnswerWarnings(warnings...))
	}
	out.Close('}')
	body, err := out.Bytes()
	return append(body, '\n'), err
}

type ownDeleteIn struct{}

var ownDeleteDoc = edge.Doc{
	Summary: "Delete the key's own places", Tags: []string{"places"},
	Description: "204 whether there were any or not.",
}

func (o own) remove(ctx context.Context, _ *ownDeleteIn) (*struct{}, error) {
	key, err := keyOf(ctx)
	if err != nil {
		return nil, err
	}
	return nil, o.service.Delete(ctx, key)
}

// OwnFound are places of a key that were looked for.
type OwnFound struct {
	Results   []OwnHit               `json:"results" nullable:"false" doc:"the best, or the nearest, first"`
	UpdatedAt time.Time              `json:"updated_at" doc:"when the places were uploaded"`
	Warnings  []native.AnswerWarning `json:"warnings,omitempty"`
}

// OwnHit is a place of a key that was looked for.
type OwnHit struct {
	places.Place
	Score    *float64 `json:"score,omitempty" minimum:"0" maximum:"1" doc:"an extension, of a search: how well it meets q, its importance and its nearness included"`
	Distance *float64 `json:"distance_m,omitempty" minimum:"0" doc:"metres from lat and lon, straight"`
}

type ownSearchIn struct {
	Warnings schema.Warnings
	Q        string   `query:"q" required:"true" maxLength:"200" doc:"what to look for, at most 200 characters and 12 words: all of them must be met by name, alt_names, address or categories, without regard to case and accents; the last may be the beginning of a word, and one of four letters or more may have a letter wrong"`
	Lat      *float64 `query:"lat" minimum:"-90" maximum:"90" doc:"with lon: what is near comes earlier"`
	Lon      *float64 `query:"lon" minimum:"-180" maximum:"180"`
	Limit    int      `query:"limit" minimum:"1" maximum:"50" default:"10"`
	Category string   `query:"category" maxLength:"100" doc:"one that places must have"`
}

var ownSearchDoc = edge.Doc{
	Summary: "Search the key's own places", Tags: []string{"places"}, Fails: []int{http.StatusNotFound}, Answers: []edge.Answer{{Type: reflect.TypeFor[OwnFound]()}},
	Description: "By what they are called. 404 where the key has uploaded none. A change made elsewhere is seen within a second.",
}

func (o own) search(w http.ResponseWriter, r *http.Request, in *ownSearchIn) error {
	near, err := both(in.Lat, in.Lon)
	if err != nil {
		return err
	}
	key, err := keyOf(r.Context())
	if err != nil {
		return err
	}
	hits, m, err := o.service.Search(r.Context(), key, &places.Query{Text: in.Q, Category: in.Category, Near: near, Limit: in.Limit})
	if err != nil {
		return err
	}
	return found(w, hits, m, in.Warnings)
}

// both returns the point of lat and lon, nil without both.
func both(lat, lon *float64) (*geo.Point, error) {
	switch {
	case lat == nil && lon == nil:
		return nil, nil //nolint:nilnil // no point was given
	case lat == nil:
		return nil, fault.Invalid(fault.Violation{Location: "lat", Message: "is missing: lat and lon stand together"})
	case lon == nil:
		return nil, fault.Invalid(fault.Violation{Location: "lon", Message: "is missing: lat and lon stand together"})
	}
	return &geo.Point{Lon: *lon, Lat: *lat}, nil
}

type ownNearestIn struct {
	Warnings schema.Warnings
	Lat      float64 `query:"lat" required:"true" minimum:"-90" maximum:"90"`
	Lon      float64 `query:"lon" required:"true" minimum:"-180" maximum:"180"`
	Limit    int     `query:"limit" minimum:"1" maximum:"50" default:"10"`
}

var ownNearestDoc = edge.Doc{
	Summary: "The nearest of the key's own places", Tags: []string{"places"}, Fails: []int{http.StatusNotFound}, Answers: []edge.Answer{{Type: reflect.TypeFor[OwnFound]()}},
	Description: "In a straight line. 404 where the key has uploaded none. A change made elsewhere is seen within a second.",
}

func (o own) nearest(w http.ResponseWriter, r *http.Request, in *ownNearestIn) error {
	key, err := keyOf(r.Context())
	if err != nil {
		return err
	}
	hits, m, err := o.service.Nearest(r.Context(), key, geo.Point{Lon: in.Lon, Lat: in.Lat}, in.Limit)
	if err != nil {
		return err
	}
	return found(w, hits, m, in.Warnings)
}

// found answers with places, each as it was uploaded and with what the search
// says of it.
func found(w http.ResponseWriter, hits []places.Hit, m *places.Meta, warnings schema.Warnings) error {
	var out wire.Writer
	out.Open('{')
	out.Open('[', "results")
	for i := range hits {
		h := &hits[i]
		out.Open('{')
		out.Append(func(dst []byte) []byte { return append(dst, h.JSON[1:len(h.JSON)-1]...) })
		if h.Score > 0 {
			out.Number("score", h.Score, 4)
		}
		if !math.IsNaN(h.Metres) {
			out.Number("distance_m", h.Metres, 1)
		}
		out.Close('}')
	}
	out.Close(']')
	body, err := whole(&out, m, warnings)
	if err != nil {
		return err
	}
	return edge.Send(w, body)
}
