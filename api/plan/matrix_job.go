package plan

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/job"
	"github.com/waygate/waygate/wire/native"
	"github.com/waygate/waygate/wire/schema"
	"github.com/waygate/waygate/world"
)

// moreCells is how many times the cells of a synchronous matrix a job may have, and
// moreLocations the same of the locations of a plan.
const (
	moreCells     = 4
	moreLocations = 10
)

type matrixJobIn struct {
	edge.Regional
	Warnings    schema.Warnings
	Sent        schema.Sent
	Idempotency string `header:"Idempotency-Key" maxLength:"200" doc:"sent again with the same body it gives the same job, and costs nothing"`
	Body        native.MatrixJobRequest

	lane     *lane
	base     *storedMatrix // of a delta
	features []string      // what makes it Premium; a delta has those of the matrix that it changes
	work     int           // cells to work out
}

// Points choose the region.
func (in *matrixJobIn) Points() []geo.Point { return in.Body.Points() }

func (in *matrixJobIn) sent() (kind, idempotency string, body []byte) {
	return matrixKind, in.Idempotency, in.Sent
}

// storedMatrix is what a matrix job is given. A delta has its locations put
// together already.
type storedMatrix struct {
	Request json.RawMessage `json:"request"`
	Base    string          `json:"base,omitempty"`    // job whose matrix holds what did not change
	Changed []int           `json:"changed,omitempty"` // places of locations that did, rising
	N       int             `json:"n,omitempty"`       // locations of a delta
}

// Price is a call for each started matrix of the synchronous size that has to be
// worked out.
func (in *matrixJobIn) Price() edge.Price {
	return edge.Price{Features: in.features, Times: max(1, (in.work+in.most()-1)/in.most())}
}

func (in *matrixJobIn) most() int { return max(1, in.lane.cells) }

var matrixJobDoc = edge.Doc{
	Summary: "A large matrix, as a job", Tags: []string{"planning"}, Fails: []int{404, 409},
	Example: `{"sources":[{"lat":49.326622,"lon":-7.267471}],"targets":[{"lat":49.326622,"lon":-7.267471},{"lat":49.321496,"lon":-7.235719}],"costing":"auto","priority":1}`,
	Description: "As POST /matrix, with four times its cells (1,000,000 unless the deployment says otherwise): the answer is a job, whose result GET /v1/jobs/{id} gives. " +
		"It costs one call for each 250,000 cells begun (the most of a synchronous matrix), charged when it is taken and given back where it fails. " +
		"With base it is an earlier matrix of the key with some locations moved or added: only the rows and columns of these are worked out and charged. " +
		"A key may have 100 jobs that wait (429 jobs-too-many).",
}

// prepareMatrix looks for a matrix that was asked for before, and puts a delta
// together.
func (l *lane) prepareMatrix(ctx context.Context, in *matrixJobIn) (again bool, err error) {
	if again, err = l.again(ctx, in); err == nil && !again {
		err = l.measured(ctx, in)
	}
	return again, err
}

// measured finds out how much there is to work out.
func (l *lane) measured(ctx context.Context, in *matrixJobIn) error {
	in.lane = l
	most := moreCells * l.cells
	if in.Body.Base == nil {
		in.features = in.Body.Features()
		if in.work = in.Body.Cells(); in.work > most {
			at := "targets"
			if in.Body.Square() {
				at = "locations"
			}
			return fault.Invalid(fault.Violation{Location: at, Message: fmt.Sprintf("makes a matrix of %d cells, and a job may have %d; ask for parts of it", in.work, most)})
		}
		return nil
	}
	key, err := keyOf(ctx)
	if err != nil {
		return err
	}
	if in.base, err = l.delta(ctx, key, in); err != nil {
		return err
	}
	var whole native.MatrixRequest
	if _, err := matrixPlan.Read(ctx, in.base.Request, &whole, schema.Options{}); err != nil {
		return err
	}
	in.features = whole.Features()
	n, k := in.base.N, len(in.base.Changed)
	if n*n > most {
		return fault.Invalid(fault.Violation{Location: "base.add", Message: fmt.Sprintf("makes a matrix of %d cells, and a job may have %d", n*n, most)})
	}
	in.work = k*n + (n-k)*k
	return nil
}

// delta puts a request together of an earlier one and what changes.
func (l *lane) delta(ctx context.Context, key string, in *matrixJobIn) (*storedMatrix, error) {
	b := in.Body.Base
	members := map[string]json.RawMessage{}
	if err := json.Unmarshal(in.Sent, &members); err != nil {
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
	j, err := l.queue.Get(ctx, key, b.Job)
	switch {
	case fault.Is(err, fault.NotFound):
		return nil, wrong("is no job of this key, or no longer")
	case err != nil:
		return nil, err
	case j.Kind != matrixKind || j.State != job.Succeeded:
		return nil, wrong("is a job of kind %s in state %s: it must be a matrix that has succeeded", j.Kind, j.State)
	}
	before, err := l.queue.Request(ctx, key, b.Job)
	if err != nil {
		return nil, err
	}
	var was storedMatrix
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
	out := &storedMatrix{Base: b.Job}
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

func (l *lane) matrix(ctx context.Context, in *matrixJobIn) (*JobRecord, error) {
	stored := in.base
	if stored == nil && in.lane != nil { // else it was asked for before
		request, err := bare(in.Sent)
		if err != nil {
			return nil, err
		}
		// What the engine here cannot do is refused now.
		if _, _, err := in.Body.Matrix(in.Region.Engine.Can(), moreCells*l.cells); err != nil {
			return nil, err
		}
		stored = &storedMatrix{Request: request}
	}
	return l.submit(ctx, in, in.Body.Job(), stored)
}

var matrixPlan = schema.Of[native.MatrixRequest]()

// workMatrix does the work of a matrix job.
func (l *lane) workMatrix(ctx context.Context, w *job.Work, current *world.World) ([]byte, error) {
	var stored storedMatrix
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
	q, more, err := r.Matrix(here.Engine.Can(), moreCells*l.cells)
	if err != nil {
		return nil, err
	}
	form := native.MatrixForm{Square: r.Square(), ID: r.ID, Warnings: slices.Concat(warnings, more)}
	var a *engine.MatrixAnswer
	tell := func(share float64) { progress(w, JobProgress{Share: share, Stage: "matrix"}) }
	if stored.Base == "" {
		a, err = engine.MatrixInBlocks(ctx, here.Engine, q, l.cells, tell)
	} else {
		a, err = l.changed(ctx, w, here.Engine, q, &stored)
	}
	if err != nil {
		return nil, native.MatrixRefusal(err, form.Square, here.Bounds, q)
	}
	body, err := native.WriteMatrix(a, form)
	return bytes.TrimSpace(body), err
}

// changed works out the rows and columns of what is elsewhere now, and takes the
// rest from the matrix before.
func (l *lane) changed(ctx context.Context, w *job.Work, e engine.Engine, q *engine.MatrixRequest, stored *storedMatrix) (*engine.MatrixAnswer, error) {
	before, err := l.queue.Result(ctx, w.Key, stored.Base)
	if err != nil {
		return nil, err
	}
	a, err := native.ReadMatrix(before, stored.N)
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
	one, err := engine.MatrixInBlocks(ctx, e, &rows, l.cells, func(share float64) {
		progress(w, JobProgress{Share: share * float64(k*n) / all, Stage: "matrix"})
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
	two, err := engine.MatrixInBlocks(ctx, e, &columns, l.cells, func(share float64) {
		progress(w, JobProgress{Share: (float64(k*n) + share*float64(len(stayed)*k)) / all, Stage: "matrix"})
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
