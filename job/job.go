// Package job is long work: a queue in the database that any number of processes
// put jobs into and work on. It knows kinds and bytes, and nothing of what is
// in them.
//
// A process that works on a job has a lease, which it renews. One that dies, or
// stalls, loses it, and another runs the job again, once: a job is begun twice at
// the most. It ends in one transaction, which only the holder of the lease can
// make, together with whatever must happen just once then.
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

// State is how a job stands.
type State string

// The states. The last three are for good.
const (
	Queued    State = "queued"
	Running   State = "running"
	Succeeded State = "succeeded"
	Failed    State = "failed"
	Cancelled State = "cancelled"
)

// Ended reports whether nothing more becomes of a job.
func (s State) Ended() bool { return s != Queued && s != Running }

// Job is one piece of work.
type Job struct {
	ID, Key, Kind string
	State         State
	Priority      int
	WebhookURL    string
	Charge        string // what it was charged, as Submission.Accept wrote it
	Attempts      int    // runs that were begun
	Share         float64
	Note          string // what the run told of itself last
	Problem       string // of one that failed
	Created       time.Time
	Started       *time.Time // of the first run
	Finished      *time.Time
	Expires       *time.Time // when it is forgotten, with its result
	Stopping      bool       // its run is to end with what it has
}

// Limits of the queue.
const (
	MostQueued      = 100       // of one key
	MostWaiting     = 10_000    // of all keys
	MostPacked      = 64 << 20  // bytes of a packed result
	MostPriority    = 9         // priorities are 0 to 9
	MostIdempotency = 200       // characters of an idempotency key
	mostUnpacked    = 1 << 30   // bytes of anything that is unpacked
	mostRuns        = 2         // of one job
	rowBytes        = 1 << 10   // that a job counts beside its request and result
	defaultRoom     = 512 << 20 // bytes
	defaultKeep     = 7 * 24 * time.Hour
	defaultLease    = 30 * time.Second
	defaultPoll     = time.Second
	defaultGrace    = 5 * time.Second
	watchEvery      = 500 * time.Millisecond // that the jobs under way are looked at
	retryAfter      = 5 * time.Second
	sweepEvery      = 10 * time.Second
	tidyBatch       = 200
)

// Options make a Queue. DB is required.
type Options struct {
	DB *store.DB
	// Ended runs in the transaction that ends a job; after an error it is tried
	// again with the whole transaction.
	Ended func(ctx context.Context, tx *store.Tx, j *Job) error
	// Told runs after such a transaction.
	Told func()
	// Problem writes a failure down, and says whether to run once more could help.
	Problem func(error) (text string, again bool)

	Workers int           // jobs at once in this process; 0 is one fewer than cores, below 0 none
	Room    int64         // bytes that the jobs of one key take, see docs/jobs.md; 0 is 512 MiB
	Keep    time.Duration // how long what has ended is kept; 0 is 7 days
	Lease   time.Duration // 0 is 30 s
	Poll    time.Duration // between looks for work; 0 is a second
	Grace   time.Duration // that jobs under way have to end when Run is to; 0 is 5 s
	Log     *slog.Logger
	Now     func() time.Time
}

// Queue is the queue. Its methods are safe for concurrent use.
type Queue struct {
	options Options
	replica string
	wake    chan struct{}

	mu      sync.Mutex
	running map[string]*run // of this process, by holder
	counts  map[Outcome]int64
}

// Outcome is what became of runs, for figures.
type Outcome struct{ Kind, What string } // succeeded, failed, cancelled, again, lost

// New opens the queue and brings its tables to the newest version.
func New(ctx context.Context, o Options) (*Queue, error) {
	if o.Ended == nil {
		o.Ended = func(context.Context, *store.Tx, *Job) error { return nil }
	}
	if o.Told == nil {
		o.Told = func() {}
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
	if o.Keep <= 0 {
		o.Keep = defaultKeep
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
	q := &Queue{options: o, replica: newID(), wake: make(chan struct{}, 1), running: map[string]*run{}, counts: map[Outcome]int64{}}
	return q, o.DB.Migrate(ctx, "job", files, o.Log)
}

// Keep is how long what has ended is kept.
func (q *Queue) Keep() time.Duration { return q.options.Keep }

// Wake has a worker of this process look for work at once.
func (q *Queue) Wake() {
	select {
	case q.wake <- struct{}{}:
	default: // it will look anyway
	}
}

func (q *Queue) count(kind, what string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.counts[Outcome{kind, what}]++
}

// sound makes a share of what somebody reports one that can be stored.
func sound(share float64) float64 {
	if math.IsNaN(share) {
		return 0
	}
	return min(max(share, 0), 1)
}
