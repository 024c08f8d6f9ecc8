package plan

import (
	"context"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/feature/optimise/work"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/wire/native/plan"
	"github.com/waygate/waygate/wire/schema"
)

type matrixJobIn struct {
	edge.Regional
	Warnings    schema.Warnings
	Sent        schema.RawBody
	Idempotency string `header:"Idempotency-Key" maxLength:"200" doc:"sent again with the same body it gives the same job, and costs nothing"`
	Body        plan.MatrixJobRequest

	most  int                    // cells of a synchronous matrix
	asked *work.MatrixSubmission // nil where it was asked for before
}

// Points choose the region.
func (in *matrixJobIn) Points() []geo.Point { return in.Body.Points() }

func (in *matrixJobIn) sent() (kind, idempotency string, body []byte) {
	return work.Matrix, in.Idempotency, in.Sent
}

// Price returns a call for each started matrix of the synchronous size that has to be
// worked out.
func (in *matrixJobIn) Price() edge.Price {
	return edge.Price{Features: in.asked.Features, Times: max(1, (in.asked.Cells+in.most-1)/in.most)}
}

var matrixJobDoc = edge.Doc{
	Summary: "A large matrix, as a job", Tags: []string{"planning"}, Fails: []int{404, 409},
	Example: `{"sources":[{"lat":49.326622,"lon":-7.267471}],"targets":[{"lat":49.326622,"lon":-7.267471},{"lat":49.321496,"lon":-7.235719}],"costing":"auto","priority":1}`,
	Description: "As POST /matrix, with four times its cells (1,000,000 unless the deployment says otherwise): the answer is a job, whose result GET /v1/jobs/{id} gives. " +
		"It costs one call for each 250,000 cells begun (the most of a synchronous matrix), charged when it is taken and given back where it fails. " +
		"With base it is an earlier matrix of the key with some locations moved or added: only the rows and columns of these are worked out and charged. " +
		"A key may have 100 jobs that wait (429 jobs-too-many).",
}

// prepareMatrix looks for a matrix that was asked for before, and finds out how much there is to
// work out.
func (q *jobQueue) prepareMatrix(ctx context.Context, in *matrixJobIn) (again bool, err error) {
	if again, err = q.again(ctx, in); err != nil || again {
		return again, err
	}
	key, err := keyOf(ctx)
	if err != nil {
		return false, err
	}
	in.most = max(1, q.worker.Cells)
	in.asked, err = q.worker.Assess(ctx, key, &in.Body, in.Sent)
	return false, err
}

func (q *jobQueue) matrix(ctx context.Context, in *matrixJobIn) (*JobRecord, error) {
	var stored *work.StoredMatrix
	if in.asked != nil {
		// A job that the engine here cannot do is refused now.
		if err := q.worker.CheckSupport(&in.Body, in.Region.Engine.Can()); err != nil {
			return nil, err
		}
		stored = in.asked.Stored
	}
	return q.submit(ctx, in, in.Body.Job(), stored)
}
