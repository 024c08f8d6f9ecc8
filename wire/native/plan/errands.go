package plan

import (
	"fmt"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/wire/native"
	"github.com/waygate/waygate/wire/schema"
)

// ErrandsRequest is the body of POST /v1/errands/plan.
type ErrandsRequest struct {
	Origin           native.Position       `json:"origin"`
	Destination      NamedPosition         `json:"destination"`
	ArriveBy         time.Time             `json:"arrive_by" doc:"latest arrival at the destination: RFC 3339 with an offset from UTC, in the future"`
	DepartAt         *time.Time            `json:"depart_at,omitempty" doc:"before arrive_by; now, in the offset of arrive_by, without it"`
	Errands          []Errand              `json:"errands" minItems:"1" maxItems:"5" of:"errands"`
	MaxDetourMinutes float64               `json:"max_detour_minutes,omitempty" minimum:"0" maximum:"45" default:"12" unit:"minutes" doc:"how much longer the drive by a place that is found may be than the drive without any errand; it sets the width of the corridor too. Supplied places are not bound by it"`
	CostingOptions   native.CostingOptions `json:"costing_options,omitempty" doc:"options by costing, of which those of auto count: the costing is always auto"`

	settings costing.Settings
}

// NamedPosition is a place in degrees that may have a name.
type NamedPosition struct {
	native.Position
	Name string `json:"name,omitempty" maxLength:"256"`
}

// Errand is one thing to do on the way.
type Errand struct {
	ID           string         `json:"id,omitempty" maxLength:"256" doc:"comes back; errand-1 and so on without it"`
	Category     string         `json:"category,omitempty" maxLength:"100" doc:"kind of place: a token of the index such as fuel or pharmacy, or what people say, such as petrol station, cash machine, somewhere to eat. Beside it there is no place"`
	Place        *NamedPosition `json:"place,omitempty" doc:"where the errand is to be run. Beside it there is no category"`
	DwellMinutes float64        `json:"dwell_minutes,omitempty" minimum:"0" maximum:"240" default:"5" unit:"minutes" doc:"how long the stop takes"`
}

// Check refuses an errand without a place or a kind of place, and one with both.
func (e *Errand) Check(c *schema.Context) {
	native.OneOf(c, "where the errand is run", native.Way{Name: "category", Given: e.Category != ""}, native.Way{Name: "place", Given: e.Place != nil})
}

// Check names errands without an id, and checks the options.
func (r *ErrandsRequest) Check(c *schema.Context) {
	seen := map[string]int{}
	for i := range r.Errands {
		e := &r.Errands[i]
		if e.ID == "" {
			e.ID = fmt.Sprintf("errand-%d", i+1)
		}
		if before, repeated := seen[e.ID]; repeated {
			c.Refuse(fmt.Sprintf("errands[%d].id", i), e.ID, "is that of errands[%d] too: ids must differ", before)
		}
		seen[e.ID] = i
	}
	if r.DepartAt != nil && !r.DepartAt.Before(r.ArriveBy) {
		c.Refuse("depart_at", r.DepartAt.Format(time.RFC3339), "must be before arrive_by (%s)", r.ArriveBy.Format(time.RFC3339))
	}
	t := native.Travel{Costing: costing.Auto, CostingOptions: r.CostingOptions}
	t.Check(c)
	r.settings = t.Settings()
}

// Settings returns the options of auto, checked.
func (r *ErrandsRequest) Settings() costing.Settings { return r.settings }

// Points returns all places that the caller gives: the origin, the destination, and
// those of errands.
func (r *ErrandsRequest) Points() []geo.Point {
	list := []geo.Point{r.Origin.Point(), r.Destination.Point()}
	for i := range r.Errands {
		if p := r.Errands[i].Place; p != nil {
			list = append(list, p.Point())
		}
	}
	return list
}
