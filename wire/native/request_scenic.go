package native

import (
	"encoding/json"
	"reflect"

	"github.com/waygate/waygate/wire/schema"
)

// Scenic is a request to find out whether there is a scenic route, and how much longer it
// may take: true for the usual half hour, an object with the time, or false.
type Scenic struct {
	Wanted          bool
	MaxExtraMinutes float64
}

// scenicBudget is the form with members.
type scenicBudget struct {
	MaxExtraMinutes float64 `json:"max_extra_minutes,omitempty" minimum:"0" maximum:"120" default:"30" unit:"minutes" doc:"minutes that a scenic route may take more than the fastest"`
}

// DecodeJSON reads it.
func (s *Scenic) DecodeJSON(c *schema.Context, raw json.RawMessage) {
	switch raw[0] {
	case 't', 'f':
		*s = Scenic{raw[0] == 't', 30}
	case '{':
		var b scenicBudget
		if schema.Decode(c, "", raw, &b) {
			*s = Scenic{true, b.MaxExtraMinutes}
		}
	default:
		c.Refuse("", raw, "must be true, false or an object with max_extra_minutes")
	}
}

// Describe describes both forms.
func (Scenic) Describe(doc *schema.Document) *schema.Schema {
	return &schema.Schema{OneOf: []*schema.Schema{{Type: schema.Boolean}, doc.Schema(reflect.TypeFor[scenicBudget]())}}
}
