package outbox

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/waygate/waygate/store"
)

// line is the waiting messages for one host from one owner; all mails are in one line.
type line struct{ kind, owner, host string }

// queue delivers one kind of message with a number of slots, so that slow receivers of
// webhooks do not delay mails, nor a slow relay webhooks. Webhooks have two queues: hosts
// that did not answer lately share a few slots of their own.
type queue struct {
	kind   string
	silent bool          // for lines whose host did not answer lately
	most   share         // of its slots
	slots  chan struct{} // has a token for each attempt under way
	wake   chan struct{}

	mu            sync.Mutex
	owners, hosts map[string]int // attempts under way
	next          []line         // lines read from the database and not yet served
}

// share is the largest number of slots that one owner and one host may have at once.
type share struct{ owner, host int }

func newQueues() []*queue {
	of := func(kind string, silent bool, places int, most share) *queue {
		return &queue{kind: kind, silent: silent, most: most, slots: make(chan struct{}, places), wake: make(chan struct{}, 1), owners: map[string]int{}, hosts: map[string]int{}}
	}
	return []*queue{
		of(mailKind, false, 4, share{4, 4}), // all have the same relay
		of(webhookKind, false, 16, share{8, 4}),
		of(webhookKind, true, 4, share{2, 1}),
	}
}

func (l *queue) wakeUp() {
	select {
	case l.wake <- struct{}{}:
	default: // it is woken already
	}
}

// take counts an attempt that begins, and returns the function that ends it.
func (l *queue) take(d *delivery) (leave func()) {
	l.count(d.line, 1)
	return func() {
		l.count(d.line, -1)
		<-l.slots
		l.wakeUp() // a line may have waited for this slot
	}
}

func (l *queue) count(of line, n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.owners[of.owner] += n; l.owners[of.owner] == 0 {
		delete(l.owners, of.owner)
	}
	if l.hosts[of.host] += n; l.hosts[of.host] == 0 {
		delete(l.hosts, of.host)
	}
}

// pop removes and returns the first line that may have a slot.
func (l *queue) pop() (of line, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i, of := range l.next {
		if l.owners[of.owner] < l.most.owner && l.hosts[of.host] < l.most.host {
			l.next = slices.Delete(l.next, i, i+1)
			return of, true
		}
	}
	return line{}, false
}

// push adds lines to be served before the next read from the database.
func (l *queue) push(list []line) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.next = append(l.next, list...)
}

// full returns the owners and hosts that have as many slots as they may.
func (l *queue) full() (owners, hosts []any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for name, n := range l.owners {
		if n >= l.most.owner {
			owners = append(owners, name)
		}
	}
	for name, n := range l.hosts {
		if n >= l.most.host {
			hosts = append(hosts, name)
		}
	}
	return owners, hosts
}

// due returns some lines that have a due row and may have a slot: one of each owner, those
// served longest ago first, then a second one of each, and so on.
func (t *deliveries) due(ctx context.Context, l *queue) (list []line, err error) {
	args := []any{l.kind, t.now().UnixMilli(), candidates}
	without := func(column string, names []any) string {
		if len(names) == 0 {
			return ""
		}
		holders := make([]string, len(names))
		for i := range names {
			holders[i] = fmt.Sprint("$", len(args)+i+1)
		}
		args = append(args, names...)
		return " AND " + column + " NOT IN (" + strings.Join(holders, ", ") + ")"
	}
	owners, hosts := l.full()
	// With LIMIT in place of EXISTS, PostgreSQL looks each line up in the index, whatever
	// its statistics; with a join it read all waiting rows of each line.
	excluded := without("l.owner", owners) + without("l.host", hosts)
	rows, err := t.db.Query(ctx, `SELECT owner, host FROM (SELECT l.owner, l.host, t.turn, ROW_NUMBER() OVER (PARTITION BY l.owner ORDER BY l.turn, l.host) AS nth FROM delivery_lines l
		JOIN (SELECT owner, MAX(turn) AS turn FROM delivery_lines WHERE kind = $1 AND `+l.condition()+` GROUP BY owner) t ON t.owner = l.owner
		WHERE l.kind = $1 AND l.next_at <= $2 AND l.`+l.condition()+excluded+` AND (SELECT 1 FROM deliveries d
			WHERE d.state = 'waiting' AND d.kind = $1 AND d.owner = l.owner AND d.host = l.host AND d.next_at <= $2 AND d.lease_until <= $2 AND d.expires_at > $2 LIMIT 1) = 1) due
		ORDER BY nth, turn, owner LIMIT $3`, args...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		of := line{kind: l.kind}
		if err := rows.Scan(&of.owner, &of.host); err != nil {
			return nil, err
		}
		list = append(list, of)
	}
	return list, rows.Err()
}

// condition returns the SQL condition of the lines of a queue.
func (l *queue) condition() string {
	if l.silent {
		return "failures > 0"
	}
	return "failures = 0"
}

// serve records that a line is served now and returns how often its host did not answer
// before. Where only one attempt at a time is allowed and another replica makes one, the
// error is sql.ErrNoRows.
func (t *deliveries) serve(ctx context.Context, tx *store.Tx, l *queue, of line) (failures int, err error) {
	now := t.now()
	next := int64(0)
	if l.silent { // one attempt at a time, over all replicas
		next = now.Add(2 * t.timeout).UnixMilli()
	}
	err = tx.QueryRow(ctx, `UPDATE delivery_lines SET turn = (SELECT MAX(turn) + 1 FROM delivery_lines), next_at = $5
		WHERE kind = $1 AND owner = $2 AND host = $3 AND next_at <= $4 AND `+l.condition()+` RETURNING failures`,
		of.kind, of.owner, of.host, now.UnixMilli(), next).Scan(&failures)
	return failures, err
}

// silence records that a line's host did not answer, and postpones the line.
func (t *deliveries) silence(ctx context.Context, tx *store.Tx, d *delivery) error {
	_, err := tx.Exec(ctx, "UPDATE delivery_lines SET failures = $4, next_at = $5 WHERE kind = $1 AND owner = $2 AND host = $3 AND failures <= $4",
		d.line.kind, d.line.owner, d.line.host, d.failures+1, t.now().Add(silencePause(d.failures+1)).UnixMilli())
	return err
}

// silencePause returns the pause after n attempts in a row without an answer: 10 s, doubled each
// time, up to 10 minutes.
func silencePause(n int) time.Duration {
	return min(10*time.Second<<min(n-1, 10), 10*time.Minute)
}

// answered records that a line's host answers.
func (t *deliveries) answered(ctx context.Context, tx *store.Tx, d *delivery) error {
	_, err := tx.Exec(ctx, "UPDATE delivery_lines SET failures = 0, next_at = 0 WHERE kind = $1 AND owner = $2 AND host = $3 AND failures > 0", d.line.kind, d.line.owner, d.line.host)
	return err
}

// open adds a line where it is missing.
func (t *deliveries) open(ctx context.Context, tx *store.Tx, of line) error {
	_, err := tx.Exec(ctx, "INSERT INTO delivery_lines (kind, owner, host) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING", of.kind, of.owner, of.host)
	return err
}

// forgotten is how long a line without waiting rows is kept, with the failures of its host.
const forgotten = time.Hour

// tidyLines deletes lines without waiting rows, and adds the lines of waiting rows that
// have none: one may be queued while its line is deleted, and older versions wrote no
// lines.
func (t *deliveries) tidyLines(ctx context.Context) error {
	_, err := t.db.Exec(ctx, `DELETE FROM delivery_lines WHERE next_at <= $1 AND NOT EXISTS (SELECT 1 FROM deliveries d
		WHERE d.state = 'waiting' AND d.kind = delivery_lines.kind AND d.owner = delivery_lines.owner AND d.host = delivery_lines.host)`, t.now().Add(-forgotten).UnixMilli())
	if err != nil {
		return err
	}
	_, err = t.db.Exec(ctx, `INSERT INTO delivery_lines (kind, owner, host) SELECT DISTINCT kind, owner, host FROM deliveries WHERE state = 'waiting' ON CONFLICT DO NOTHING`)
	return err
}

// receiver returns the host of a webhook's address, with its port unless that is the
// default.
func receiver(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return strings.TrimSuffix(strings.ToLower(u.Host), map[string]string{"https": ":443", "http": ":80"}[u.Scheme])
}
