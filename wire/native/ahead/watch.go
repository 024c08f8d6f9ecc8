package ahead

import (
	"time"

	"github.com/waygate/waygate/wire/schema"
)

// WatchRequest is the body of POST /v1/watches.
type WatchRequest struct {
	Ahead
	WebhookURL string     `json:"webhook_url" minLength:"1" maxLength:"2048" doc:"https address that receives changes, signed with the key's webhook secret"`
	ThresholdS float64    `json:"threshold_s,omitempty" minimum:"30" maximum:"86400" default:"300" unit:"seconds" doc:"by how much the route's time must change for a webhook"`
	Until      *time.Time `json:"until,omitempty" doc:"when the watch ends: RFC 3339, at most 24 hours from now; in 4 hours without it"`
}

// Check refuses what a watch has no use for.
func (w *WatchRequest) Check(c *schema.Context) {
	w.Ahead.Check(c)
	if w.DepartAt != nil {
		c.Refuse("depart_at", nil, "is not of a watch: its time is that of a traveller who sets out at the moment")
	}
}
