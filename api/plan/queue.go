package plan

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/waygate/waygate/account/jobs"
	"github.com/waygate/waygate/api/problem"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/job"
	"github.com/waygate/waygate/outbox"
	"github.com/waygate/waygate/store"
)

// OpenQueue opens the queue of jobs with what happens when one ends: a charge is
// refunded unless it succeeded or was cancelled under way, and the webhook is called.
// DB of the options is that of the account's side.
func OpenQueue(ctx context.Context, account *jobs.Jobs, o job.Options) (*job.Queue, error) {
	o.DB, o.Log, o.Problem, o.AfterEnd = account.DB, account.Log, writeProblem, account.Outbox.Wake
	o.Ended = func(ctx context.Context, tx *store.Tx, j *job.Job) error {
		if refunded(j) {
			if err := account.Refund(ctx, tx, j.Charge); err != nil {
				return err
			}
		}
		if j.WebhookURL == "" || j.State == job.Cancelled {
			return nil
		}
		return account.Notify(ctx, tx, j.Key, outbox.Webhook{URL: j.WebhookURL, Type: "job." + string(j.State), Data: recordOf(j)})
	}
	return job.New(ctx, o)
}

// refunded reports whether a job that has ended costs nothing: it failed, or was
// cancelled before it was begun.
func refunded(j *job.Job) bool {
	return j.State == job.Failed || j.State == job.Cancelled && j.Attempts == 0
}

// writeProblem writes a failure as a problem document. What comes of a server is
// tried once more.
func writeProblem(err error) (text string, again bool) {
	body, failed := json.Marshal(problem.Of(err))
	if failed != nil {
		body = []byte("{}")
	}
	status := problem.FailureOf(err).Status
	return string(body), status >= http.StatusInternalServerError && status != http.StatusNotImplemented && !fault.Is(err, fault.NoOptimiser)
}
