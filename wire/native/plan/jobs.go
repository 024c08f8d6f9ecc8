package plan

import (
	"fmt"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/wire/native"
	"github.com/waygate/waygate/wire/schema"
)

// JobOptions stand beside a request that is worked on as a job.
type JobOptions struct {
	WebhookURL string `json:"webhook_url,omitempty" maxLength:"2048" doc:"https address that receives the end of the job as a signed POST of type job.succeeded or job.failed. The key needs a signing secret, and the address must be a public one"`
	Priority   int    `json:"priority,omitempty" minimum:"0" maximum:"9" default:"0" doc:"among the jobs of the key that wait: the highest is begun first"`
}

// Job gives them.
func (o *JobOptions) Job() JobOptions { return *o }

// MatrixJobRequest is the body of POST /v1/jobs/matrix.
type MatrixJobRequest struct {
	native.MatrixRequest
	JobOptions
	Base *MatrixBase `json:"base,omitempty" doc:"an earlier matrix of the same key with some locations moved or added, in place of locations: only what these change is worked out, and charged. All but the locations is as it was there"`
}

// MatrixBase is an earlier matrix and what is different now.
type MatrixBase struct {
	Job  string                 `json:"job_id" minLength:"1" maxLength:"64" doc:"of a matrix job that has succeeded, asked for by locations"`
	Move []MatrixMove           `json:"move,omitempty" maxItems:"10000" of:"moves" doc:"locations that are elsewhere now"`
	Add  []native.RouteLocation `json:"add,omitempty" maxItems:"10000" of:"locations" doc:"locations that come after the others"`
}

// MatrixMove puts a location elsewhere.
type MatrixMove struct {
	Index int `json:"index" minimum:"0" maximum:"99999" doc:"of the location, from 0"`
	native.RouteLocation
}

// Check checks what depends on several members.
func (r *MatrixJobRequest) Check(c *schema.Context) {
	if r.Base == nil {
		r.MatrixRequest.Check(c)
		return
	}
	if len(r.Base.Move)+len(r.Base.Add) == 0 {
		c.Refuse("base", nil, "changes nothing: give locations to move or to add")
	}
	seen := map[int]bool{}
	for i := range r.Base.Move {
		at := r.Base.Move[i].Index
		if seen[at] {
			c.Refuse(fmt.Sprintf("base.move[%d].index", i), at, "stands twice")
		}
		seen[at] = true
		r.Base.Move[i].Check(c)
	}
	for name, given := range map[string]bool{"sources": r.Sources != nil, "targets": r.Targets != nil, "locations": r.Locations != nil} {
		if given {
			c.Refuse(name, nil, "stands beside base: the locations are those of the job that it names")
		}
	}
}

// Points returns where the ways are, as far as this request says.
func (r *MatrixJobRequest) Points() []geo.Point {
	if r.Base == nil {
		return r.MatrixRequest.Points()
	}
	list := native.PointsOf(r.Base.Add)
	for i := range r.Base.Move {
		list = append(list, r.Base.Move[i].Point())
	}
	return list
}
