package plan

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/wire/native"
	"github.com/waygate/waygate/wire/schema"
)

// VerifyRequest is the body of POST /verify.
type VerifyRequest struct {
	Text    string          `json:"text,omitempty" maxLength:"8000" doc:"prose or an itinerary whose names of places are looked for. Beside it there are no claims"`
	Claims  []PlaceClaim    `json:"claims,omitempty" minItems:"1" maxItems:"20" of:"claims"`
	Costing costing.Costing `json:"costing,omitempty" default:"auto" doc:"way of travel between claims"`
}

// PlaceClaim is a claim about a place.
type PlaceClaim struct {
	ID          string       `json:"id,omitempty" maxLength:"256" doc:"comes back; claim-1 and so on without it"`
	Name        string       `json:"name" minLength:"1" maxLength:"200" doc:"of the place"`
	Locality    string       `json:"locality,omitempty" maxLength:"200" doc:"town or the like that it lies in"`
	Sequence    *float64     `json:"sequence,omitempty" doc:"claims with rising sequence and claimed_time are stops of one journey"`
	ClaimedTime *ClaimedTime `json:"claimed_time,omitempty" doc:"when somebody claims to be there, ISO 8601; without an offset by the clocks of the place"`
}

// ClaimedTime is a date and time, with an offset from UTC or without one.
type ClaimedTime struct {
	Time  time.Time // in UTC where Local
	Local bool
}

// claimedForms are the forms of a claimed time.
var claimedForms = []struct {
	form  string
	local bool
}{{time.RFC3339, false}, {"2006-01-02T15:04Z07:00", false}, {"2006-01-02T15:04:05", true}, {"2006-01-02T15:04", true}, {"2006-01-02 15:04:05", true}, {"2006-01-02 15:04", true}}

// DecodeJSON reads it.
func (t *ClaimedTime) DecodeJSON(c *schema.Context, raw json.RawMessage) {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		for _, f := range claimedForms {
			if at, err := time.Parse(f.form, text); err == nil {
				t.Time, t.Local = at, f.local
				return
			}
		}
	}
	c.Refuse("", raw, "must be a date and time as in ISO 8601, such as 2026-09-01T08:00 or 2026-09-01T08:00:00Z")
}

// Describe describes its text.
func (ClaimedTime) Describe(*schema.Document) *schema.Schema {
	return &schema.Schema{Type: schema.String}
}

// Check names claims without an id.
func (r *VerifyRequest) Check(c *schema.Context) {
	native.OneOf(c, "what is to be verified", native.Way{Name: "text", Given: r.Text != ""}, native.Way{Name: "claims", Given: len(r.Claims) > 0})
	seen := map[string]int{}
	for i := range r.Claims {
		claim := &r.Claims[i]
		if claim.ID == "" {
			claim.ID = fmt.Sprintf("claim-%d", i+1)
		}
		if before, repeated := seen[claim.ID]; repeated {
			c.Refuse(fmt.Sprintf("claims[%d].id", i), claim.ID, "is that of claims[%d] too: ids must differ", before)
		}
		seen[claim.ID] = i
	}
}
