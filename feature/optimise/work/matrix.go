package work

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/job"
	"github.com/waygate/waygate/wire/native"
	"github.com/waygate/waygate/wire/native/plan"
	"github.com/waygate/waygate/wire/schema"
	"github.com/waygate/waygate/wire/valhalla"
)

// moreCells is how many times the cells of one call of the engine the matrix of a job may have.
const moreCells = 4

func (x *Worker) mostCells() int { return moreCells * x.Cells }

// StoredMatrix is the input of a job of a matrix. A delta has its locations put together
// already.
type StoredMatrix struct {
	Request json.RawMessage `json:"request"`
	Base    string          `json:"base,omitempty"`    // job whose matrix has the cells that did not change
	Changed []int           `json:"changed,omitempty"` // places of locations that did, rising
	N       int             `json:"n,omitempty"`       // locations of a delta
}

// MatrixSubmission is the matrix of a job that is not queued yet.
type MatrixSubmission struct {
	Stored   *StoredMatrix
	Features []string // that make it Premium; a delta has those of the matrix that it changes
	Cells    int      // to work out
}

// Assess finds out what a request for a matrix comes to; body is the request as it was sent. It
// looks for the earlier job of the key that a delta names. The error names what is too large
// or cannot be changed.
func (x *Worker) Assess(ctx context.Context, key string, r *plan.MatrixJobRequest, body []byte) (*MatrixSubmission, error) {
	most := x.mostCells()
	if r.Base == nil {
		n := r.Cells()
		if n > most {
			at := "targets"
			if r.Square() {
				at = "locations"
			}
			return nil, fault.Invalid(fault.Violation{Location: at, Message: fmt.Sprintf("makes a matrix of %d cells, and a job may have %d; ask for parts of it", n, most)})
		}
		request, err := WithoutQueueMembers(body)
		return &MatrixSubmission{Stored: &StoredMatrix{Request: request}, Features: r.Features(), Cells: n}, err
	}
	stored, err := x.delta(ctx, key, r.Base, body)
	if err != nil {
		return nil, err
	}
	var whole native.MatrixRequest
	if _, err := matrixPlan.Read(ctx, stored.Request, &whole, schema.Options{}); err != nil {
		return nil, err
	}
	n, k := stored.N, len(stored.Changed)
	if n*n > most {
		return nil, fault.Invalid(fault.Violation{Location: "base.add", Message: fmt.Sprintf("makes a matrix of %d cells, and a job may have %d", n*n, most)})
	}
	return &MatrixSubmission{Stored: stored, Features: whole.Features(), Cells: k*n + (n-k)*k}, nil
}

// CheckSupport refuses a matrix that an engine cannot work out. A delta is judged when it is worked on.
func (x *Worker) CheckSupport(r *plan.MatrixJobRequest, can engine.Can) error {
	if r.Base != nil {
		return nil
	}
	_, _, err := r.Matrix(can, x.mostCells())
	return err
}

// delta puts a request together of an earlier one and what changes.
func (x *Worker) delta(ctx context.Context, key string, b *plan.MatrixBase, body []byte) (*StoredMatrix, error) {
	members := map[string]json.RawMessage{}
	if err := json.Unmarshal(body, &members); err != nil {
		return nil, err
	}
	for name := range members {
		if !slices.Contains([]string{"base", "id", "webhook_url", "priority"}, name) {
			return nil, fault.Invalid(fault.Violation{Location: name, Message: "stands beside base: but for the locations that it moves and adds all is as in the job that it names"})
		}
	}
	wrong := func(format string, args ...any) error {
		return fault.Invalid(fault.Violation{Location: "base.job_id", Value: b.Job, Message: fmt.Sprintf(format, args...)})
	}
	j, err := x.Queue.Get(ctx, key, b.Job)
	switch {
	case fault.Is(err, fault.NotFound):
		return nil, wrong("is no job of this key, or no longer")
	case err != nil:
		return nil, err
	case j.Kind != Matrix || j.State != job.Succeeded:
		return nil, wrong("is a job of kind %s in state %s: it must be a matrix that has succeeded", j.Kind, j.State)
	}
	before, err := x.Queue.Request(ctx, key, b.Job)
	if err != nil {
		return nil, err
	}
	var was StoredMatrix
	request := map[string]json.RawMessage{}
	var locations []json.RawMessage
	if err := json.Unmarshal(before, &was); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(was.Request, &request); err != nil {
		return nil, err
	}
	if request["locations"] == nil {
		return nil, wrong("was asked for by sources and targets: it must be one by locations")
	}
	if err := json.Unmarshal(request["locations"], &locations); err != nil {
		return nil, err
	}
	out := &StoredMatrix{Base: b.Job}
	for i := range b.Move {
		m := &b.Move[i]
		if m.Index >= len(locations) {
			return nil, fault.Invalid(fault.Violation{Location: fmt.Sprintf("base.move[%d].index", i), Value: m.Index, Message: fmt.Sprintf("is none of the %d locations of that job", len(locations))})
		}
		if locations[m.Index], err = json.Marshal(&m.RouteLocation); err != nil {
			return nil, err
		}
		out.Changed = append(out.Changed, m.Index)
	}
	slices.Sort(out.Changed)
	for i := range b.Add {
		text, err := json.Marshal(&b.Add[i])
		if err != nil {
			return nil, err
		}
		out.Changed = append(out.Changed, len(locations))
		locations = append(locations, text)
	}
	out.N = len(locations)
	if request["locations"], err = json.Marshal(locations); err != nil {
		return nil, err
	}
	if members["id"] != nil {
		request["id"] = members["id"]
	}
	out.Request, err = json.Marshal(request)
	return out, err
}

var matrixPlan = schema.Of[native.MatrixRequest]()

// matrix works out a matrix.
func (x *Worker) matrix(ctx context.Context, w *job.Work, current Regions) ([]byte, error) {
	var stored StoredMatrix
	if err := json.Unmarshal(w.Request, &stored); err != nil {
		return nil, err
	}
	var r native.MatrixRequest
	warnings, err := matrixPlan.Read(ctx, stored.Request, &r, schema.Options{Bounds: current.Bounds()})
	if err != nil {
		return nil, err
	}
	here, err := current.At(r.Points()...)
	if err != nil {
		return nil, err
	}
	q, more, err := r.Matrix(here.Engine.Can(), x.mostCells())
	if err != nil {
		return nil, err
	}
	form := valhalla.MatrixForm{Square: r.Square(), ID: r.ID, Warnings: slices.Concat(warnings, more)}
	var a *engine.MatrixAnswer
	tell := func(share float64) { report(w, JobProgress{Share: share, Stage: "matrix"}) }
	if stored.Base == "" {
		a, err = engine.MatrixInBlocks(ctx, here.Engine, q, x.Cells, tell)
	} else {
		a, err = x.changed(ctx, w, here.Engine, q, &stored)
	}
	if err != nil {
		return nil, valhalla.MatrixRefusal(err, form.Square, here.Bounds, q)
	}
	body, err := valhalla.WriteMatrix(a, form)
	return bytes.TrimSpace(body), err
}

// changed works out the rows and columns of what is elsewhere now, and takes the
// rest from the matrix before.
func (x *Worker) changed(ctx context.Context, w *job.Work, e engine.Engine, q *engine.MatrixRequest, stored *StoredMatrix) (*engine.MatrixAnswer, error) {
	before, err := x.Queue.Result(ctx, w.Key, stored.Base)
	if err != nil {
		return nil, err
	}
	a, err := valhalla.ReadMatrix(before, stored.N)
	if err != nil {
		return nil, err
	}
	var rest []int
	var moved, stayed []engine.Location
	for i := range q.Sources {
		if slices.Contains(stored.Changed, i) {
			moved = append(moved, q.Sources[i])
		} else {
			rest, stayed = append(rest, i), append(stayed, q.Sources[i])
		}
	}
	all, k, n := float64(len(moved)*len(q.Targets)+len(stayed)*len(moved)), len(moved), len(q.Targets)
	rows := *q
	rows.Sources = moved
	one, err := engine.MatrixInBlocks(ctx, e, &rows, x.Cells, func(share float64) {
		report(w, JobProgress{Share: share * float64(k*n) / all, Stage: "matrix"})
	})
	if err != nil && engine.Code(err) != engine.CodeNoSegment {
		return nil, err
	}
	for r, i := range stored.Changed {
		a.Cells[i], a.Sources[i], a.Targets[i] = one.Cells[r], one.Sources[r], one.Sources[r]
	}
	a.Warnings = one.Warnings
	if len(stayed) == 0 {
		return a, nil
	}
	columns := *q
	columns.Sources, columns.Targets = stayed, moved
	two, err := engine.MatrixInBlocks(ctx, e, &columns, x.Cells, func(share float64) {
		report(w, JobProgress{Share: (float64(k*n) + share*float64(len(stayed)*k)) / all, Stage: "matrix"})
	})
	if err != nil && engine.Code(err) != engine.CodeNoSegment {
		return nil, err
	}
	for r, i := range rest {
		for c, t := range stored.Changed {
			a.Cells[i][t] = two.Cells[r][c]
		}
	}
	return a, nil
}
