// Package job is a queue of long work in the database, which any number of processes
// submit jobs to and run jobs from. A request and a result are bytes to it; a Kind does
// the work.
//
// The process that runs a job has a lease, which it renews. A process that dies or stalls
// loses its lease, and another runs the job again: a job is begun twice at the most. A job
// ends in one transaction, which needs the lease, and Options.Ended runs in it.
package job

import (
	"context"
	"embed"
	"io/fs"
	"log/slog"
	"math"
	"runtime"
	"sync"
	"time"

	"github.com/waygate/waygate/store"
)

//go:embed migrations/*.sql
var migrations embed.FS

// State is the state of a job.
type State string

// The states. The last three are final.
const (
	Queued    State = "queued"
	Running   State = "running"
	Succeeded State = "succeeded"
	Failed    State = "failed"
	Cancelled State = "cancelled"
)

// Ended reports whether a state is final.
func (s State) Ended() bool { return s != Queued && s != Running }

// Job is one piece of work, without its request and result.
type Job struct {
	ID, Key, Kind string
	State         State
	Priority      int
	WebhookURL    string
	Charge        string // the charge that Submission.Accept returned
	Attempts      int    // number of runs begun
	Share         float64
	Note          string // the last one that the run reported
	Problem       string // the problem document of a failed job
	Created       time.Time
	Started       *time.Time // start of the first run
	Finished      *time.Time
	Expires       *time.Time // when it is deleted, with its result
	Stopping      bool       // its run was asked to end early
}

// Limits of the queue.
const (
	MostQueued      = 100       // of one key
	MostWaiting     = 10_000    // of all keys
	MostPacked      = 64 << 20  // bytes of a packed result
	MostPriority    = 9         // priorities are 0 to 9
	MostIdempotency = 200       // characters of an idempotency key
	mostUnpacked    = 1 << 30   // bytes of a request or result when unpacked
	mostRuns        = 2         // of one job
	rowBytes        = 1 << 10   // that a job takes besides its request and result
	defaultRoom     = 512 << 20 // bytes
	defaultKeep     = 7 * 24 * time.Hour
	defaultLease    = 30 * time.Second
	defaultPoll     = time.Second
	defaultGrace    = 5 * time.Second
	watchEvery      = 500 * time.Millisecond // longest time between renewals of leases
	retryAfter      = 5 * time.Second
	sweepEvery      = 10 * time.Second
	tidyBatch       = 200
)

// Options configure a Queue. DB is required.
type Options struct {
	DB *store.DB
	// Ended runs in the transaction that ends a job. An error undoes the transaction, which
	// is tried again.
	Ended func(ctx context.Context, tx *store.Tx, j *Job) error
	// AfterEnd runs after such a transaction.
	AfterEnd func()
	// Problem returns the problem document of a failure, and whether another run may
	// succeed.
	Problem func(error) (text string, again bool)

	Workers   int           // jobs at once in this process; 0 is one fewer than there are cores, a negative number none
	Room      int64         // bytes that the jobs of one key take, see docs/jobs.md; 0 is 512 MiB
	Retention time.Duration // how long ended jobs are kept; 0 is 7 days
	Lease     time.Duration // duration of a lease; 0 is 30 s
	Poll      time.Duration // time between two looks for work; 0 is a second
	Grace     time.Duration // time that runs have to end when Run ends; 0 is 5 s
	Log       *slog.Logger
	Now       func() time.Time
}

// Queue is a queue of jobs. Its methods are safe for concurrent use.
type Queue struct {
	options Options
	replica string
	wake    chan struct{}

	runs runs

	mu     sync.Mutex
	counts map[Outcome]int64
}

// Outcome is the kind of a job and one of succeeded, failed, cancelled, again and lost.
// Stats counts by it.
type Outcome struct{ Kind, What string }

// New opens the queue and brings its tables to the newest version.
func New(ctx context.Context, o Options) (*Queue, error) {
	if o.Ended == nil {
		o.Ended = func(context.Context, *store.Tx, *Job) error { return nil }
	}
	if o.AfterEnd == nil {
		o.AfterEnd = func() {}
	}
	if o.Problem == nil {
		o.Problem = func(err error) (string, bool) { return err.Error(), true }
	}
	if o.Workers == 0 {
		o.Workers = max(1, runtime.GOMAXPROCS(0)-1)
	}
	if o.Room <= 0 {
		o.Room = defaultRoom
	}
	if o.Grace <= 0 {
		o.Grace = defaultGrace
	}
	if o.Retention <= 0 {
		o.Retention = defaultKeep
	}
	if o.Lease <= 0 {
		o.Lease = defaultLease
	}
	if o.Poll <= 0 {
		o.Poll = defaultPoll
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return nil, err
	}
	q := &Queue{options: o, replica: newID(), wake: make(chan struct{}, 1), runs: runs{byHolder: map[string]*run{}}, counts: map[Outcome]int64{}}
	return q, o.DB.Migrate(ctx, "job", files, o.Log)
}

// Wake makes a worker of this process look for work at once.
func (q *Queue) Wake() {
	select {
	case q.wake <- struct{}{}:
	default: // one is woken already
	}
}

func (q *Queue) count(kind, what string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.counts[Outcome{kind, what}]++
}

// storableShare brings a reported share into 0 to 1; NaN becomes 0.
func storableShare(share float64) float64 {
	if math.IsNaN(share) {
		return 0
	}
	return min(max(share, 0), 1)
}
