package geocode

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"reflect"
	"slices"
	"time"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/api/problem"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/feature/geocode"
	"github.com/waygate/waygate/feature/geocode/geocoded"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/wire/native"
	"github.com/waygate/waygate/wire/schema"
)

// batchQuery is one question of a batch.
type batchQuery struct {
	Q     *string          `json:"q,omitempty" minLength:"1" maxLength:"500" doc:"what to look for; or lat and lon, for what is there"`
	Lat   *float64         `json:"lat,omitempty" minimum:"-90" maximum:"90" unit:"degrees"`
	Lon   *float64         `json:"lon,omitempty" minimum:"-180" maximum:"180" unit:"degrees"`
	Limit int              `json:"limit,omitempty" minimum:"1" maximum:"10" default:"1"`
	Lang  string           `json:"lang,omitempty" maxLength:"35" doc:"as of GET /geocode"`
	Bias  *native.Position `json:"bias,omitempty" doc:"beside q: what is near comes earlier"`
	BBox  []float64        `json:"bbox,omitempty" minItems:"4" maxItems:"4" of:"numbers" doc:"beside q: minLon, minLat, maxLon, maxLat"`
	Kinds []string         `json:"kinds,omitempty" minItems:"1" maxItems:"6" of:"kinds" enum:"address,street,locality,poi,postcode,area" doc:"beside lat and lon"`

	bounds *geo.Bounds
}

// Check checks what depends on several members.
func (q *batchQuery) Check(c *schema.Context) {
	forward, reverse := q.Q != nil, q.Lat != nil || q.Lon != nil
	switch {
	case forward && reverse:
		c.Refuse("q", nil, "stands beside lat or lon: a query is by text or by place")
	case !forward && !reverse:
		c.Refuse("q", nil, "is missing, and so are lat and lon: one of both says what to look for")
	case reverse && q.Lat == nil:
		c.Refuse("lat", nil, "is missing: lat and lon stand together")
	case reverse && q.Lon == nil:
		c.Refuse("lon", nil, "is missing: lat and lon stand together")
	case reverse && q.Bias != nil:
		c.Refuse("bias", nil, "is of queries by text")
	case reverse && q.BBox != nil:
		c.Refuse("bbox", nil, "is of queries by text")
	case forward && q.Kinds != nil:
		c.Refuse("kinds", nil, "is of queries by place")
	case q.BBox != nil:
		b, err := bounds(q.BBox)
		if err != nil {
			c.Refuse("bbox", nil, "%v", err)
		}
		q.bounds = &b
	}
}

// asked returns the question.
func (q *batchQuery) asked() geocode.Query {
	if q.Q == nil {
		set, _ := geocode.KindsOf(q.Kinds) // which were read as words of these
		return geocode.Query{Reverse: &geocode.Reverse{At: geo.Point{Lon: *q.Lon, Lat: *q.Lat}, Kinds: set, Limit: q.Limit, Lang: q.Lang}}
	}
	f := &geocode.Forward{Text: *q.Q, Limit: q.Limit, Lang: q.Lang, Box: q.bounds}
	if q.Bias != nil {
		at := q.Bias.Point()
		f.Bias = &at
	}
	return geocode.Query{Forward: f}
}

// queryList is the questions of a batch as they came: one that is wrong fails by
// itself.
type queryList []json.RawMessage

// DecodeJSON parts them.
func (l *queryList) DecodeJSON(c *schema.Context, raw json.RawMessage) {
	d := json.NewDecoder(bytes.NewReader(raw))
	if first, err := d.Token(); err != nil || first != json.Delim('[') {
		c.Refuse("", raw, "must be a list")
		return
	}
	for d.More() {
		var one json.RawMessage
		if d.Decode(&one) != nil {
			return
		}
		if *l = append(*l, one); len(*l) > geocode.MostQueries {
			c.Refuse("", nil, "has more than the %d queries that it may have", geocode.MostQueries)
			return
		}
	}
	if len(*l) == 0 {
		c.Refuse("", nil, "is empty: at least one is needed")
	}
}

// Describe describes them.
func (queryList) Describe(doc *schema.Document) *schema.Schema {
	least, most := 1, geocode.MostQueries
	return &schema.Schema{Type: schema.Array, MinItems: &least, MaxItems: &most, Items: doc.Open(doc.Schema(reflect.TypeFor[batchQuery]()))}
}

type batchIn struct {
	Warnings schema.Warnings
	Body     struct {
		Queries queryList `json:"queries"`
	}
}

// Price returns a standard call for each query.
func (in *batchIn) Price() edge.Price { return edge.Price{Times: len(in.Body.Queries)} }

// Expected returns the mean of the queries, by the words of their text.
func (in *batchIn) Expected() engine.Estimate {
	var mean engine.Estimate
	for _, raw := range in.Body.Queries {
		mean = mean.Plus(geocode.Effort(raw))
	}
	mean.Work /= time.Duration(max(1, len(in.Body.Queries)))
	return mean
}

// GeocodedBatch has the results of many queries.
type GeocodedBatch struct {
	Results     []GeocodedOutcome      `json:"results" nullable:"false" doc:"in the order of the queries"`
	Failed      int                    `json:"failed" doc:"how many of them have a problem"`
	Attribution []string               `json:"attribution" nullable:"false" doc:"whose data the places are; show it beside them"`
	Warnings    []native.AnswerWarning `json:"warnings,omitempty"`
}

// GeocodedOutcome is the result of one query: features, or a problem.
type GeocodedOutcome struct {
	Status   int                `json:"status" doc:"200, or that of the problem"`
	Type     string             `json:"type,omitempty" enum:"FeatureCollection"`
	Features []geocoded.Feature `json:"features,omitzero"`
	Problem  *problem.Problem   `json:"problem,omitempty" doc:"as the query by itself would have been refused"`
}

var batchDoc = edge.Doc{
	Summary: "Geocode many queries", Tags: []string{"geocoding"}, Fails: []int{http.StatusNotImplemented, http.StatusBadGateway},
	Example: `{"queries":[{"q":"Quay Street"},{"lat":49.326622,"lon":-7.267471}]}`,
	Description: "Up to 1,000, by text (q) or by place (lat and lon). A query that fails has its problem in its place, and the others are answered. " +
		"Two batches are answered at once, and others wait. Each query that is answered, whether with places or without, costs a standard call; those that fail cost nothing." + absent,
}

// queryPlan reads one query.
var queryPlan = schema.Of[batchQuery]()

func (g geocoder) batch(ctx context.Context, in *batchIn) (*GeocodedBatch, error) {
	on, err := g.on(ctx)
	if err != nil {
		return nil, err
	}
	warnings := []engine.Warning(slices.Clone(in.Warnings))
	queries := make([]geocode.Query, len(in.Body.Queries))
	for i, raw := range in.Body.Queries {
		if raw[0] != '{' {
			queries[i].Err = fault.Invalid(fault.Violation{Location: "query", Message: "must be a JSON object"})
			continue
		}
		var q batchQuery
		warned, err := queryPlan.Read(ctx, raw, &q, schema.Options{Unknown: schema.Warn})
		if f := (*fault.Error)(nil); err != nil && !errors.As(err, &f) {
			return nil, err
		}
		for _, w := range warned {
			warnings = schema.AppendWarning(warnings, w.Code, "queries[%d]: %s", i, w.Text)
		}
		if queries[i].Err = err; err == nil {
			queries[i] = q.asked()
		}
	}
	select {
	case g.batches <- struct{}{}:
		defer func() { <-g.batches }()
	case <-ctx.Done():
		return nil, fault.New(fault.UpstreamUnavailable, "other batches are being answered; try again shortly").With("retry_after", 5)
	}
	outcomes, err := on.Batch(ctx, queries)
	if err != nil {
		return nil, err
	}
	out := &GeocodedBatch{Results: make([]GeocodedOutcome, len(outcomes)), Attribution: []string{}}
	for i, o := range outcomes {
		if o.Err != nil {
			p := problem.Of(o.Err)
			out.Results[i] = GeocodedOutcome{Status: p.Status, Problem: p}
			out.Failed++
			continue
		}
		out.Results[i] = GeocodedOutcome{Status: http.StatusOK, Type: "FeatureCollection", Features: geocoded.Features(o.Answer, false)}
		for _, note := range o.Answer.Notes {
			warnings = schema.AppendWarning(warnings, schema.WithoutEffect, "queries[%d]: %s", i, note)
		}
		for _, whose := range o.Answer.Attribution {
			if !slices.Contains(out.Attribution, whose) {
				out.Attribution = append(out.Attribution, whose)
			}
		}
	}
	out.Warnings = native.AnswerWarnings(warnings...)
	if c := edge.CallOf(ctx); c != nil {
		c.Use(len(outcomes) - out.Failed)
	}
	return out, nil
}
