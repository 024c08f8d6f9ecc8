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

// Submission is work to be taken.
type Submission struct {
	Key, Kind   string
	Request     []byte
	Sent        []byte // what the idempotency key stands for; nil is Request
	Priority    int    // 0 to MostPriority, among the jobs of the key
	WebhookURL  string // "" is none
	Idempotency string // the same again gives the same job; "" is none
	// Accept runs in the transaction that takes the job, and gives what it was
	// charged. It may run again, and its failure takes nothing.
	Accept func(ctx context.Context, tx *store.Tx, id string) (charge string, err error)
}

// newID makes an id that nobody guesses.
func newID() string { return rand.Text() }

// Submit takes a job. Where one of the key has its idempotency key, that is given
// instead, and again is true; one of another request is refused with
// idempotency-conflict. A key with MostQueued jobs that wait, or whose
// jobs take all the room that it has, is refused with jobs-too-many.
func (q *Queue) Submit(ctx context.Context, n Submission) (j *Job, again bool, err error) {
	body, err := pack(n.Request)
	if err != nil {
		return nil, false, err
	}
	id, print := "job_"+newID(), n.digest()
	err = q.options.DB.Tx(ctx, func(tx *store.Tx) error {
		again = false
		// One at a time over all replicas: neither the bounds nor an idempotency key
		// are passed by calls at once.
		if _, err := tx.Exec(ctx, "UPDATE job_gate SET passed = passed + 1"); err != nil {
			return fmt.Errorf("wait to submit a job: %w", err)
		}
		if j, err = find(ctx, tx, n.Key, n.Idempotency, print); err != nil || j != nil {
			again = j != nil
			return err
		}
		if err := q.room(ctx, tx, n.Key, body); err != nil {
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

// Again finds the job that a submission with an idempotency key gave before; nil
// where there is none.
func (q *Queue) Again(ctx context.Context, n Submission) (*Job, error) {
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
