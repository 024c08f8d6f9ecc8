package job

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"io"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/store"
)

// Submission is a job to be queued.
type Submission struct {
	Key, Kind   string
	Request     []byte
	Sent        []byte // the body that the idempotency key belongs to; nil is Request
	Priority    int    // 0 to MostPriority, among the jobs of the key
	WebhookURL  string // "" is none
	Idempotency string // idempotency key: a repeated submission returns the first job; "" is none
	// Accept runs in the transaction that queues the job, and returns its charge. It may
	// run several times; where it fails the job is not queued.
	Accept func(ctx context.Context, tx *store.Tx, id string) (charge string, err error)
}

// newID returns an id that cannot be guessed.
func newID() string { return rand.Text() }

// Submit queues a job. Where the key has a job with the same idempotency key, Submit
// returns that one and again is true. The error is IdempotencyConflict where that job had
// another request, and JobsTooMany where MostQueued jobs of the key wait or its jobs take
// all the room that it has.
func (q *Queue) Submit(ctx context.Context, n Submission) (j *Job, again bool, err error) {
	body, err := pack(n.Request)
	if err != nil {
		return nil, false, err
	}
	id, print := "job_"+newID(), n.digest()
	err = q.options.DB.Tx(ctx, func(tx *store.Tx) error {
		again = false
		// This lets one submission through at a time, over all replicas, so that calls at
		// once cannot exceed the limits or use an idempotency key twice.
		if _, err := tx.Exec(ctx, "UPDATE job_gate SET passed = passed + 1"); err != nil {
			return fmt.Errorf("wait to submit a job: %w", err)
		}
		if j, err = find(ctx, tx, n.Key, n.Idempotency, print); err != nil || j != nil {
			again = j != nil
			return err
		}
		if err := q.checkRoom(ctx, tx, n.Key, body); err != nil {
			return err
		}
		charge := ""
		if n.Accept != nil {
			if charge, err = n.Accept(ctx, tx, id); err != nil {
				return err
			}
		}
		var idempotency *string
		if n.Idempotency != "" {
			idempotency = &n.Idempotency
		}
		if _, err := tx.Exec(ctx, `INSERT INTO jobs (id, key_id, kind, state, priority, request, digest, idempotency, webhook_url, charge, bytes, created_at)
			VALUES ($1, $2, $3, 'queued', $4, $5, $6, $7, $8, $9, $10, $11)`,
			id, n.Key, n.Kind, n.Priority, body, print, idempotency, n.WebhookURL, charge, len(body)+rowBytes, q.options.Now().UnixMilli()); err != nil {
			return fmt.Errorf("take a job: %w", err)
		}
		j, err = one(ctx, tx, id)
		return err
	})
	if err != nil {
		return nil, false, store.Unavailable(err)
	}
	q.Wake()
	return j, again, nil
}

// ByIdempotencyKey returns the job of an earlier submission with the same idempotency key, nil
// where there is none.
func (q *Queue) ByIdempotencyKey(ctx context.Context, n Submission) (*Job, error) {
	j, err := find(ctx, q.options.DB, n.Key, n.Idempotency, n.digest())
	return j, store.Unavailable(err)
}

func find(ctx context.Context, db store.Querier, key, idempotency, print string) (*Job, error) {
	if idempotency == "" {
		return nil, nil
	}
	var id, was string
	err := db.QueryRow(ctx, "SELECT id, digest FROM jobs WHERE key_id = $1 AND idempotency = $2", key, idempotency).Scan(&id, &was)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil, nil
	case err != nil:
		return nil, err
	case was != print:
		return nil, fault.New(fault.IdempotencyConflict, "the Idempotency-Key was sent before with another request, which became the job %s; a new request needs a new one", id)
	}
	return one(ctx, db, id)
}

func (n *Submission) digest() string {
	h := sha256.New()
	_, _ = io.WriteString(h, n.Kind+"\x00") // a hash takes everything
	if n.Sent != nil {
		h.Write(n.Sent)
	} else {
		h.Write(n.Request)
	}
	return hex.EncodeToString(h.Sum(nil))
}

func pack(body []byte) ([]byte, error) {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	if err != nil {
		return nil, err
	}
	if _, err = z.Write(body); err == nil {
		err = z.Close()
	}
	return b.Bytes(), err
}

func unpack(body []byte) ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	out, err := io.ReadAll(io.LimitReader(z, mostUnpacked))
	return out, errors.Join(err, z.Close())
}
