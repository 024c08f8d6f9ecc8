package job

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/store"
)

// columns are those that read scans.
const columns = "id, key_id, kind, state, priority, webhook_url, charge, attempts, share, note, problem, created_at, started_at, ended_at, expires_at, stop"

type row interface{ Scan(...any) error }

func read(r row) (*Job, error) {
	j := &Job{}
	var created int64
	var started, ended, expires sql.NullInt64
	var stop int64
	err := r.Scan(&j.ID, &j.Key, &j.Kind, &j.State, &j.Priority, &j.WebhookURL, &j.Charge, &j.Attempts, &j.Share, &j.Note, &j.Problem, &created, &started, &ended, &expires, &stop)
	j.Created, j.Started, j.Finished, j.Expires = time.UnixMilli(created).UTC(), timeOf(started), timeOf(ended), timeOf(expires)
	j.Stopping = stop != 0 && !j.State.Ended()
	return j, err
}

func timeOf(ms sql.NullInt64) *time.Time {
	if !ms.Valid {
		return nil
	}
	t := time.UnixMilli(ms.Int64).UTC()
	return &t
}

func one(ctx context.Context, db store.Querier, id string) (*Job, error) {
	return read(db.QueryRow(ctx, "SELECT "+columns+" FROM jobs WHERE id = $1", id))
}

// Get returns a job of a key. The error is NotFound where the key has no job of that id.
func (q *Queue) Get(ctx context.Context, key, id string) (*Job, error) {
	j, err := read(q.options.DB.QueryRow(ctx, "SELECT "+columns+" FROM jobs WHERE id = $1 AND key_id = $2", id, key))
	if errors.Is(err, sql.ErrNoRows) {
		return nil, unknown(id)
	}
	return j, store.Unavailable(err)
}

func unknown(id string) error {
	return fault.New(fault.NotFound, "this key has no job %s: what has ended is kept for a while only, and a job is its key's alone", fault.Clip(id))
}

// List returns jobs of a key, the latest first. The state "" stands for all states.
func (q *Queue) List(ctx context.Context, key string, state State, limit, offset int) (list []*Job, err error) {
	rows, err := q.options.DB.Query(ctx, "SELECT "+columns+" FROM jobs WHERE key_id = $1 AND ($2 = '' OR state = $2) ORDER BY created_at DESC, id LIMIT $3 OFFSET $4", key, string(state), limit, offset)
	if err != nil {
		return nil, store.Unavailable(err)
	}
	defer func() { err = errors.Join(err, store.Unavailable(rows.Close())) }()
	for rows.Next() {
		j, err := read(rows)
		if err != nil {
			return nil, store.Unavailable(err)
		}
		list = append(list, j)
	}
	return list, store.Unavailable(rows.Err())
}

// Result returns the result of a job of a key. The error is NotFound where there is none.
func (q *Queue) Result(ctx context.Context, key, id string) ([]byte, error) {
	return q.bytes(ctx, "SELECT r.body FROM job_results r JOIN jobs j ON j.id = r.job_id WHERE j.id = $1 AND j.key_id = $2", id, key)
}

// Request returns the request of a job of a key. The error is NotFound where there is none.
func (q *Queue) Request(ctx context.Context, key, id string) ([]byte, error) {
	return q.bytes(ctx, "SELECT request FROM jobs WHERE id = $1 AND key_id = $2", id, key)
}

func (q *Queue) bytes(ctx context.Context, query, id, key string) ([]byte, error) {
	var body []byte
	err := q.options.DB.QueryRow(ctx, query, id, key).Scan(&body)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, unknown(id)
	}
	if err != nil {
		return nil, store.Unavailable(err)
	}
	return unpack(body)
}

// Stats are figures of the queue.
type Stats struct {
	Queued, Running int64             // in all processes
	Oldest          time.Duration     // waiting time of the oldest queued job
	Here            int               // runs of this process
	Outcomes        map[Outcome]int64 // of runs in this process
}

// Stats counts the jobs that wait and run, and the outcomes in this process.
func (q *Queue) Stats(ctx context.Context) (s Stats, err error) {
	var oldest sql.NullInt64
	err = q.options.DB.QueryRow(ctx, `SELECT COUNT(CASE WHEN state = 'queued' THEN 1 END), COUNT(CASE WHEN state = 'running' THEN 1 END),
		MIN(CASE WHEN state = 'queued' THEN created_at END) FROM jobs WHERE state IN ('queued', 'running')`).Scan(&s.Queued, &s.Running, &oldest)
	if oldest.Valid {
		s.Oldest = max(0, q.options.Now().Sub(time.UnixMilli(oldest.Int64)))
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	s.Here, s.Outcomes = len(q.runs.all()), map[Outcome]int64{}
	for o, n := range q.counts {
		s.Outcomes[o] = n
	}
	return s, err
}
