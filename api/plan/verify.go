package plan

import (
	"context"
	"time"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/feature/geocode"
	"github.com/waygate/waygate/feature/timezone"
	"github.com/waygate/waygate/feature/verify"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/wire/native"
	"github.com/waygate/waygate/wire/native/plan"
	"github.com/waygate/waygate/wire/schema"
	"github.com/waygate/waygate/world"
)

// verifier verifies claims about places.
type verifier struct {
	geocoder func(*world.World) *geocode.Geocoder
	now      func() time.Time
}

type verifyIn struct {
	Warnings schema.Warnings
	Body     plan.VerifyRequest

	claims []verify.Claim // of the body
}

// Price returns a Standard call for each check of a claim and each way between two.
func (in *verifyIn) Price() edge.Price {
	more := false
	if in.claims, more = in.read(); more {
		in.Warnings = schema.AppendWarning(in.Warnings, schema.WithoutEffect, "text names more than the %d places that are looked for; the rest had no effect", verify.MostClaims)
	}
	return edge.Price{Times: len(in.claims) + verify.Legs(in.claims)}
}

// claimNanos is about how long it takes to look for a claim, for each pair of its letters.
const claimNanos = 3000

// Expected returns the mean of the claims, by their letters.
func (in *verifyIn) Expected() engine.Estimate {
	pairs := 0
	for i := range in.claims {
		n := len(in.claims[i].Name) + len(in.claims[i].Locality)
		pairs += n * n
	}
	work := time.Duration(pairs/max(1, len(in.claims)+verify.Legs(in.claims))) * claimNanos
	return engine.Estimate{Kind: "verify", Work: work, Bytes: 1 << 20, Cores: 1, Cheaper: "shorter names, or fewer claims"}
}

// read returns the claims of the body.
func (in *verifyIn) read() (list []verify.Claim, more bool) {
	if in.Body.Text != "" {
		return verify.Extract(in.Body.Text)
	}
	for _, c := range in.Body.Claims {
		claim := verify.Claim{ID: c.ID, Name: c.Name, Locality: c.Locality, Sequence: c.Sequence}
		if t := c.ClaimedTime; t != nil {
			claim.At = &verify.Moment{Time: t.Time, Local: t.Local}
		}
		list = append(list, claim)
	}
	return list, false
}

// VerifyAnswer has the results of checking claims.
type VerifyAnswer struct {
	verify.Answer
	Warnings []native.AnswerWarning `json:"warnings,omitempty"`
}

// DemoVerifyAnswer is the same of the website, which has no headers of a metered
// call. Generated Go code has one type for a body and the headers beside it.
type DemoVerifyAnswer struct{ VerifyAnswer }

const (
	verifyExample = `{"claims":[{"name":"Tredegar House","locality":"Newport","sequence":1,"claimed_time":"2026-09-01T10:00"},{"name":"Tintern Abbey","sequence":2,"claimed_time":"2026-09-01T10:20"}]}`
	verifyText    = "A claim is verified where a place is found whose name and locality share at least 85 % of their tokens with it, and unverified otherwise, which says nothing against it. " +
		"Between claims with rising sequence and claimed_time the way is measured: where it takes longer than the time between them the later one is contradicted, by whichever of several places of one name are nearest to each other. A way that cannot be measured is implausible and no more. "
)

var (
	verifyDoc = edge.Doc{
		Summary: "Verify claims about places", Tags: []string{"analysis"}, Example: verifyExample, Fails: []int{501, 502},
		Description: verifyText + "A Standard call for each claim that is looked for and each way that is measured. 501 on a deployment without a geocoder (geocoding-not-enabled).",
	}
	verifyDemoDoc = edge.Doc{
		Summary: "Verify claims about places, without a key", Tags: []string{"analysis"}, Example: verifyExample, Fails: []int{502, 503},
		Description: verifyText + "Costs nothing, at the rate of the demo lane. 503 where that is closed, and on a deployment without a geocoder.",
	}
)

// forward is the deployment's geocoder, as claims are checked with it.
type forward struct{ *geocode.Geocoder }

// Search finds places; airports and stations that are listed for a city are left
// out.
func (f forward) Search(ctx context.Context, text string, limit int) (places []verify.Place, err error) {
	a, err := f.Geocoder.Search(ctx, &geocode.Forward{Text: text, Limit: limit})
	if err != nil {
		return nil, err
	}
	for i := range a.Results {
		if r := &a.Results[i]; !r.Coordinates && r.HubOf == "" {
			places = append(places, r.Place)
		}
	}
	return places, nil
}

// source names the data of a world, with their dates.
func source(w *world.World) string {
	text := "OpenStreetMap"
	for i, r := range w.Regions() {
		if r.Name != "" {
			text += map[bool]string{true: " of ", false: "; of "}[i == 0] + r.Name
		}
		if r.OSMTimestamp != nil {
			text += ", data of " + r.OSMTimestamp.UTC().Format(time.DateOnly)
		}
	}
	return text
}

var (
	errNoGeocoder = fault.NotEnabled("geocoding", "place verification is not enabled here: the deployment has no index of places")
	errNoDemo     = fault.New(fault.UpstreamUnavailable, "place verification has no geocoder behind it on this deployment")
)

// keyed answers POST /verify.
func (v verifier) keyed(ctx context.Context, in *verifyIn) (*VerifyAnswer, error) {
	a, err := v.verify(ctx, in, errNoGeocoder)
	if err != nil {
		return nil, err
	}
	edge.CallOf(ctx).Use(a.Checks + a.Legs)
	return a, nil
}

// keyless answers the website's demo.
func (v verifier) keyless(ctx context.Context, in *verifyIn) (*DemoVerifyAnswer, error) {
	in.Price()
	a, err := v.verify(ctx, in, errNoDemo)
	if err != nil {
		return nil, err
	}
	return &DemoVerifyAnswer{*a}, nil
}

func (v verifier) verify(ctx context.Context, in *verifyIn, absent error) (*VerifyAnswer, error) {
	current, err := edge.WorldOf(ctx)
	if err != nil {
		return nil, err
	}
	geocoder := v.geocoder(current)
	service := &verify.Service{
		Places: forward{geocoder}, Source: source(current), Now: v.now, Zone: timezone.Location,
		Engine: func(points ...geo.Point) engine.Engine {
			if r, err := current.At(points...); err == nil {
				return r.Engine
			}
			return nil
		},
	}
	switch {
	case geocoder.Name() == "":
		return nil, absent
	case len(in.claims) == 0:
		return nil, fault.Invalid(fault.Violation{Location: "text", Value: in.Body.Text, Message: "names no place that could be looked for: names begin with capitals or stand in quotes"})
	}
	a, err := service.Verify(ctx, in.claims, in.Body.Costing)
	if err != nil {
		return nil, err
	}
	return &VerifyAnswer{*a, native.AnswerWarnings(in.Warnings...)}, nil
}
