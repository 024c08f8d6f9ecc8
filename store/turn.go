package store

import (
	"context"
	"errors"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// SQLite has one writer at a time, and who finds its lock taken looks again
// later: whoever writes without a pause can keep others out for as long as it
// has writers queued. So the writers of a DB queue here, first come first
// served; a queue that has not been empty for a spell leaves the file alone for
// a breath; and others, who look more often than that, come in.
const (
	spell  = 50 * time.Millisecond
	breath = 3 * time.Millisecond
	// look is how long SQLite itself waits for the lock before it gives up: it looks after 1,
	// 3, 8 and 10 ms. Then the statement is tried again.
	look = 10 * time.Millisecond
	// patience is how long a writer waits for the lock in all, unless its context
	// ends before.
	patience = 30 * time.Second
)

// queue is the line of one DB's writers.
type queue struct {
	turn  chan struct{} // has a token while a transaction writes
	since time.Time     // when it was empty last
	ended time.Time     // when the last one had written
}

func newQueue() *queue { return &queue{turn: make(chan struct{}, 1)} }

// enter waits for the turn to write; leave ends it.
func (q *queue) enter(ctx context.Context) error {
	select {
	case q.turn <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	switch now := time.Now(); {
	case now.Sub(q.ended) > breath:
		q.since = now
	case now.Sub(q.since) > spell:
		time.Sleep(breath)
		q.since = time.Now()
	}
	return nil
}

func (q *queue) leave() {
	q.ended = time.Now()
	<-q.turn
}

// persist runs do until it does not fail for SQLite's lock. A statement that
// cannot have the lock has changed nothing, and neither has a transaction that
// cannot begin or commit.
func persist(ctx context.Context, do func() error) error {
	began := time.Now()
	for {
		err := do()
		if err == nil || !locked(err) || time.Since(began) > patience {
			return err
		}
		if ctx.Err() != nil {
			return errors.Join(err, ctx.Err())
		}
	}
}

// locked reports whether another process had SQLite's lock.
func locked(err error) bool {
	var e *sqlite.Error
	return errors.As(err, &e) && (e.Code()&0xff == sqlite3.SQLITE_BUSY || e.Code()&0xff == sqlite3.SQLITE_LOCKED)
}
