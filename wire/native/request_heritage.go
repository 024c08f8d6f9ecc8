package native

import (
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/wire/schema"
)

// HeritageRequest is the body of POST /v1/route/heritage.
type HeritageRequest struct {
	Line        Polyline `json:"geometry_polyline6" doc:"the route, encoded with six digits: 2 to 20,000 positions"`
	Duration    *float64 `json:"duration_s,omitempty" exclusiveMinimum:"0" maximum:"2678400" unit:"seconds" doc:"that the whole route takes; with it min_gap_s counts"`
	GapS        *float64 `json:"min_gap_s,omitempty" minimum:"0" maximum:"86400" default:"900" unit:"seconds" doc:"between two lines, at the mean speed of the route; only with duration_s"`
	GapM        float64  `json:"min_gap_m,omitempty" minimum:"0" maximum:"1000000" default:"400" unit:"metres" doc:"between two lines: the floor under min_gap_s, and the whole budget without duration_s"`
	OffsetM     float64  `json:"max_offset_m,omitempty" minimum:"1" maximum:"80" default:"60" unit:"metres" doc:"from the route to the place of a line"`
	MostLines   int      `json:"max_lines,omitempty" minimum:"1" maximum:"50" default:"12"`
	VoiceFormat string   `json:"voice_format,omitempty" enum:"opus,m4a" doc:"of the clips of the lines; 501 on a deployment without voice"`
}

// Check refuses a line without length, and a time budget without a duration.
func (r *HeritageRequest) Check(c *schema.Context) {
	if len(r.Line) > 1 && geo.Length(r.Line) == 0 {
		c.Refuse("geometry_polyline6", nil, "has no length: all of its positions are one")
	}
	if r.GapS != nil && r.Duration == nil {
		c.Refuse("min_gap_s", *r.GapS, "is a budget of time and needs duration_s")
	}
}

// GapSeconds returns the least time between two lines.
func (r *HeritageRequest) GapSeconds() float64 {
	if r.GapS == nil {
		return 900
	}
	return *r.GapS
}
