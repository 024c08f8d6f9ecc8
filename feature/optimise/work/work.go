// Package work does the work of jobs: plans of vehicles' routes, plans of what remains of a
// day, and large matrices.
package work

import (
	"context"
	"encoding/json"

	"github.com/waygate/waygate/engine/scheduled"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/feature/optimise"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/job"
)

// The kinds of jobs.
const (
	Matrix   = "matrix"
	Optimise = "optimise"
	Replan   = "replan"
)

// Regions are the regions in service while a job is worked on.
type Regions interface {
	// Bounds are those of all regions together.
	Bounds() geo.Bounds
	// At chooses the region of some places. The error says which lie in none, or in several.
	At(points ...geo.Point) (*optimise.Region, error)
	// HandlePanic reports a panic while the files of the regions are still open.
	HandlePanic(v any)
}

// Worker does the work of jobs. All fields are required.
type Worker struct {
	Planner *optimise.Planner
	Queue   *job.Queue // that has the results of earlier matrices
	// Acquire returns the regions in service, nil where none is, and the function that
	// releases them.
	Acquire func() (Regions, func())
	Cells   int // most of one call of the engine
}

// Kinds returns the kinds of jobs, for a queue to work on.
func (x *Worker) Kinds() map[string]job.Kind {
	return map[string]job.Kind{Matrix: x.kind(x.matrix), Optimise: x.kind(x.optimise), Replan: x.kind(x.replan)}
}

// kind makes a kind of a function that does its work in the regions in service.
func (x *Worker) kind(do func(context.Context, *job.Work, Regions) ([]byte, error)) job.Kind {
	return func(ctx context.Context, w *job.Work) ([]byte, error) {
		current, release := x.Acquire()
		defer release()
		if current == nil {
			return nil, fault.New(fault.UpstreamUnavailable, "no region is being served yet")
		}
		defer func() {
			if v := recover(); v != nil {
				current.HandlePanic(v) // while its files are mapped
				panic(v)
			}
		}()
		request := &scheduled.Request{Who: w.Key}
		defer request.End()
		return do(scheduled.WithRequest(ctx, request), w, current)
	}
}

// JobProgress is how far a job is.
type JobProgress struct {
	Share      float64  `json:"share" minimum:"0" maximum:"1" decimals:"3" doc:"that is done"`
	Stage      string   `json:"stage,omitempty" doc:"what it is at: matrix, search, explain, geometry"`
	BestCost   *float64 `json:"best_cost,omitempty" doc:"of the best plan so far, where it is a plan"`
	Unassigned *int     `json:"unassigned,omitempty" doc:"tasks that this plan leaves out"`
}

// ReadProgress reads the progress of a job as it is kept, with the share that is done.
func ReadProgress(note string, share float64) (p JobProgress) {
	_ = json.Unmarshal([]byte(note), &p) // report wrote it; without a note it is empty
	p.Share = share
	return p
}

// report writes the progress of a job to the queue.
func report(w *job.Work, p JobProgress) {
	share := p.Share
	p.Share = 0
	note, _ := json.Marshal(p) // numbers and a text
	w.Progress(share, string(note))
}

// WithoutQueueMembers returns the body of a request for a job without the members that only the
// queue reads.
func WithoutQueueMembers(body []byte) (json.RawMessage, error) {
	members := map[string]json.RawMessage{}
	if err := json.Unmarshal(body, &members); err != nil {
		return nil, err
	}
	delete(members, "webhook_url")
	delete(members, "priority")
	return json.Marshal(members)
}
