package plan

import (
	"context"
	"encoding/json"
	"net/http"
	"reflect"
	"strings"
	"time"

	"github.com/waygate/waygate/account/jobs"
	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/api/problem"
	"github.com/waygate/waygate/engine/scheduled"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/feature/optimise/work"
	"github.com/waygate/waygate/job"
	"github.com/waygate/waygate/store"
	"github.com/waygate/waygate/wire/native/plan"
)

// jobQueue takes jobs and looks at them.
type jobQueue struct {
	queue   *job.Queue
	account *jobs.Jobs
	worker  *work.Worker // of what is taken here
}

// JobRecord is how a job stands.
type JobRecord struct {
	ID         string           `json:"id"`
	Kind       string           `json:"kind" enum:"optimise,replan,matrix"`
	State      string           `json:"state" enum:"queued,running,succeeded,failed,cancelled"`
	Stopping   bool             `json:"stopping,omitempty" doc:"it is to end with the best plan so far, and soon will"`
	Created    string           `json:"created_at" format:"date-time"`
	Started    *string          `json:"started_at" format:"date-time" doc:"when it was begun first; null before"`
	Finished   *string          `json:"finished_at" format:"date-time" doc:"null before its end"`
	Expires    *string          `json:"expires_at" format:"date-time" doc:"when it is forgotten with its result, 7 days after its end unless the deployment says otherwise; null before its end"`
	Progress   work.JobProgress `json:"progress"`
	Attempts   int              `json:"attempts" doc:"runs that were begun: 2 at the most"`
	Priority   int              `json:"priority"`
	Units      int64            `json:"units" doc:"that it was charged when it was taken"`
	Refunded   bool             `json:"refunded" doc:"these were given back: it failed, or was cancelled before it was begun"`
	WebhookURL *string          `json:"webhook_url"`
	Problem    *problem.Problem `json:"problem,omitempty" doc:"of one that failed"`
}

// JobWithResult is a job and, once it has succeeded, what it came to.
type JobWithResult struct {
	JobRecord
	Result any `json:"result,omitempty" doc:"the answer, as the synchronous endpoint gives it; left out before the job has succeeded"`
}

// JobList is a page of jobs.
type JobList struct {
	Jobs   []JobRecord `json:"jobs" nullable:"false" doc:"the latest first, without their results"`
	Limit  int         `json:"limit"`
	Offset int         `json:"offset"`
}

func recordOf(j *job.Job) *JobRecord {
	r := &JobRecord{
		ID: j.ID, Kind: j.Kind, State: string(j.State), Stopping: j.Stopping, Created: j.Created.Format(time.RFC3339Nano), Started: timestamp(j.Started), Finished: timestamp(j.Finished), Expires: timestamp(j.Expires),
		Attempts: j.Attempts, Priority: j.Priority, Units: jobs.Units(j.Charge), Refunded: refunded(j), Progress: work.ReadProgress(j.Note, j.Share),
	}
	if j.WebhookURL != "" {
		r.WebhookURL = &j.WebhookURL
	}
	if j.Problem != "" {
		r.Problem = &problem.Problem{}
		_ = json.Unmarshal([]byte(j.Problem), r.Problem)
	}
	return r
}

// timestamp writes a time, and nothing where there is none.
func timestamp(t *time.Time) *string {
	if t == nil {
		return nil
	}
	text := t.Format(time.RFC3339Nano)
	return &text
}

// keyOf returns the id of the key that a job belongs to.
func keyOf(ctx context.Context) (string, error) {
	if k := edge.CallOf(ctx).Key(); k != nil {
		return k.ID, nil
	}
	return "", fault.New(fault.Unauthorized, "a job belongs to an API key; send it as Authorization: Bearer KEY or as the query parameter api_key")
}

// asked is a request for a job, as all kinds have it.
type asked interface {
	sent() (kind, idempotency string, body []byte)
}

// again reports whether a request for a job was sent before.
func (q *jobQueue) again(ctx context.Context, in asked) (bool, error) {
	key, err := keyOf(ctx)
	if err != nil {
		return false, err
	}
	kind, idempotency, body := in.sent()
	j, err := q.queue.ByIdempotencyKey(ctx, job.Submission{Key: key, Kind: kind, Sent: body, Idempotency: idempotency})
	return j != nil, err
}

// submit takes a job. request is what its kind will be given.
func (q *jobQueue) submit(ctx context.Context, in asked, o plan.JobOptions, request any) (*JobRecord, error) {
	key, err := keyOf(ctx)
	if err != nil {
		return nil, err
	}
	if o.WebhookURL != "" {
		if err := q.account.Hook(ctx, key, "webhook_url", o.WebhookURL); err != nil {
			return nil, err
		}
	}
	if scheduled.RequestOf(ctx).EstimateOnly {
		return nil, scheduled.ErrEstimated
	}
	body, err := json.Marshal(request)
	if err != nil {
		return nil, err
	}
	kind, idempotency, sent := in.sent()
	call := edge.CallOf(ctx)
	j, again, err := q.queue.Submit(ctx, job.Submission{
		Key: key, Kind: kind, Request: body, Sent: sent, Priority: o.Priority, WebhookURL: o.WebhookURL, Idempotency: idempotency,
		Accept: func(ctx context.Context, tx *store.Tx, _ string) (string, error) {
			return q.account.Charge(ctx, tx, call.Admission())
		},
	})
	if err != nil {
		return nil, err
	}
	if again {
		call.Use(0)
	} else {
		call.Admission().Booked()
	}
	return recordOf(j), nil
}

type jobIn struct {
	ID string `path:"id" doc:"of the job"`
}

type endIn struct {
	ID     string `path:"id" doc:"of the job"`
	Keep   string `query:"keep" enum:"nothing,best" default:"nothing" doc:"best has a plan that is worked on end with the best found so far, as a job that has succeeded"`
	Forget bool   `query:"forget" doc:"deletes the job with its request and its result, which makes room for others; one that has not ended is cancelled first"`
}

type jobsIn struct {
	State  string `query:"state" enum:"queued,running,succeeded,failed,cancelled" doc:"only these"`
	Limit  int    `query:"limit" minimum:"1" maximum:"100" default:"20"`
	Offset int    `query:"offset" minimum:"0" maximum:"1000000" default:"0"`
}

var (
	jobsDoc = edge.Doc{
		Summary: "The jobs of the key", Tags: []string{"planning"},
		Description: "The latest first, without their results. What has ended is kept for 7 days unless the deployment says otherwise. Costs nothing.",
	}
	jobDoc = edge.Doc{
		Summary: "A job, with its result once there is one", Tags: []string{"planning"}, Fails: []int{http.StatusNotFound}, Answers: []edge.Answer{{Type: reflect.TypeFor[JobWithResult]()}},
		Description: "How it stands, how far it is, and in the end the result or the problem. 404 for the job of another key. Costs nothing.",
	}
	cancelDoc = edge.Doc{
		Summary: "Cancel a job", Tags: []string{"planning"}, Fails: []int{http.StatusNotFound, http.StatusConflict},
		Description: "A job that waits is never begun, and is refunded; one that is worked on stops within seconds and stays charged. 409 job-ended where it has come to its end. Cancelled once more it stays as it is. No webhook is sent. " +
			"With keep=best a plan that is worked on ends with the best found so far within seconds: its state is running with stopping true, then succeeded, with its webhook, and search.stopped in its result; one that waits is cancelled. A matrix has nothing to keep: a 400. " +
			"With forget=true the job is deleted with its result, whatever became of it: the answer is how it stood, and a 404 afterwards.",
	}
)

func (q *jobQueue) list(ctx context.Context, in *jobsIn) (*JobList, error) {
	key, err := keyOf(ctx)
	if err != nil {
		return nil, err
	}
	all, err := q.queue.List(ctx, key, job.State(in.State), in.Limit, in.Offset)
	if err != nil {
		return nil, err
	}
	out := &JobList{Jobs: []JobRecord{}, Limit: in.Limit, Offset: in.Offset}
	for _, j := range all {
		out.Jobs = append(out.Jobs, *recordOf(j))
	}
	return out, nil
}

// get writes a job, with its result as it is kept.
func (q *jobQueue) get(w http.ResponseWriter, r *http.Request, in *jobIn) error {
	key, err := keyOf(r.Context())
	if err != nil {
		return err
	}
	j, err := q.queue.Get(r.Context(), key, in.ID)
	if err != nil {
		return err
	}
	body, err := json.Marshal(recordOf(j))
	if err == nil && j.State == job.Succeeded {
		var result []byte
		if result, err = q.queue.Result(r.Context(), key, in.ID); err == nil {
			text := strings.TrimSuffix(string(body), "}")
			body = append(append([]byte(text+`,"result":`), result...), '}')
		}
	}
	if err != nil {
		return err
	}
	return edge.Send(w, append(body, '\n'))
}

func (q *jobQueue) cancel(ctx context.Context, in *endIn) (*JobRecord, error) {
	key, err := keyOf(ctx)
	if err != nil {
		return nil, err
	}
	end := q.queue.Cancel
	switch {
	case in.Forget && in.Keep == "best":
		return nil, fault.Invalid(fault.Violation{Location: "forget", Value: in.Forget, Message: "leaves nothing to keep: send it without keep=best"})
	case in.Forget:
		end = q.queue.Forget
	case in.Keep == "best":
		end = q.queue.Stop
		j, err := q.queue.Get(ctx, key, in.ID)
		if err != nil {
			return nil, err
		}
		if j.Kind == work.Matrix {
			return nil, fault.Invalid(fault.Violation{Location: "keep", Value: in.Keep, Message: "is for plans: of a matrix there is nothing to keep before it is whole"})
		}
	}
	j, err := end(ctx, key, in.ID)
	if err != nil {
		return nil, err
	}
	return recordOf(j), nil
}
