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

// line is what waits for one host on behalf of one owner; mails are all one.
type line struct{ kind, owner, host string }

// queue delivers one kind in a number of places, so that slow receivers of webhooks
// hold up no mail, nor a slow relay webhooks. Webhooks have two: hosts that gave no
// answer lately have few places of their own, and keep none from the others.
type queue struct {
	kind   string
	silent bool          // has the lines whose host gave no answer lately
	most   share         // of its places, that one owner and one host hold at once
	slots  chan struct{} // holds a token for each attempt under way
	wake   chan struct{}

	mu            sync.Mutex
	owners, hosts map[string]int // attempts under way
	next          []line         // whose turn it was when the database was asked last
}

// share is how many places something holds at the most.
type share struct{ owner, host int }

func newQueues() []*queue {
	of := func(kind string, silent bool, places int, most share) *queue {
		return &queue{kind: kind, silent: silent, most: most, slots: make(chan struct{}, places), wake: make(chan struct{}, 1), owners: map[string]int{}, hosts: map[string]int{}}
	}
	return []*queue{
		of(mailKind, false, 4, share{4, 4}), // all of one relay
		of(webhookKind, false, 16, share{8, 4}),
		of(webhookKind, true, 4, share{2, 1}),
	}
}

func (l *queue) wakeUp() {
	select {
	case l.wake <- struct{}{}:
	default: // it will look anyway
	}
}

// take counts an attempt that begins, and gives what ends it.
func (l *queue) take(d *delivery) (leave func()) {
	l.count(d.line, 1)
	return func() {
		l.count(d.line, -1)
		<-l.slots
		l.wakeUp() // something may have waited for this one's place
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

// pop gives the line whose turn it is, of those that may have a place; the others keep
// their turn.
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

// push has lines served before the database is asked again.
func (l *queue) push(list []line) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.next = append(l.next, list...)
}

// full gives the owners and hosts that hold as many places as they may.
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

// due gives some lines with something that is due and may have a place: of each owner
// one, those first that were served the longest ago, then of each another, and so on.
func (o *Outbox) due(ctx context.Context, l *queue) (list []line, err error) {
	args := []any{l.kind, o.options.Now().UnixMilli(), candidates}
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
	// With LIMIT and not EXISTS PostgreSQL looks each line up in the index, whatever it
	// knows of the tables; joined, it read all that waits for each of the lines.
	excluded := without("l.owner", owners) + without("l.host", hosts)
	rows, err := o.options.DB.Query(ctx, `SELECT owner, host FROM (SELECT l.owner, l.host, t.turn, ROW_NUMBER() OVER (PARTITION BY l.owner ORDER BY l.turn, l.host) AS nth FROM delivery_lines l
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

// condition is that of the lines of a queue.
func (l *queue) condition() string {
	if l.silent {
		return "failures > 0"
	}
	return "failures = 0"
}

// serve notes that a line is served now, unless somebody else does where one may at a
// time. It gives how often its host gave no answer before.
func (o *Outbox) serve(ctx context.Context, tx *store.Tx, l *queue, of line) (failures int, err error) {
	now := o.options.Now()
	next := int64(0)
	if l.silent { // one attempt at a time, of all replicas
		next = now.Add(2 * o.options.Timeout).UnixMilli()
	}
	err = tx.QueryRow(ctx, `UPDATE delivery_lines SET turn = (SELECT MAX(turn) + 1 FROM delivery_lines), next_at = $5
		WHERE kind = $1 AND owner = $2 AND host = $3 AND next_at <= $4 AND `+l.condition()+` RETURNING failures`,
		of.kind, of.owner, of.host, now.UnixMilli(), next).Scan(&failures)
	return failures, err
}

// silence notes that a line's host gave no answer, and lets it alone for a while.
func (o *Outbox) silence(ctx context.Context, tx *store.Tx, d *delivery) error {
	_, err := tx.Exec(ctx, "UPDATE delivery_lines SET failures = $4, next_at = $5 WHERE kind = $1 AND owner = $2 AND host = $3 AND failures <= $4",
		d.line.kind, d.line.owner, d.line.host, d.failures+1, o.options.Now().Add(silencePause(d.failures+1)).UnixMilli())
	return err
}

// silencePause is how long a host that gave no answer n times running is let alone:
// 10 s, then twice as long each time, up to 10 minutes.
func silencePause(n int) time.Duration {
	return min(10*time.Second<<min(n-1, 10), 10*time.Minute)
}

// answered notes that a line's host answers.
func (o *Outbox) answered(ctx context.Context, tx *store.Tx, d *delivery) error {
	_, err := tx.Exec(ctx, "UPDATE delivery_lines SET failures = 0, next_at = 0 WHERE kind = $1 AND owner = $2 AND host = $3 AND failures > 0", d.line.kind, d.line.owner, d.line.host)
	return err
}

// open makes a line where there is none.
func (o *Outbox) open(ctx context.Context, tx *store.Tx, of line) error {
	_, err := tx.Exec(ctx, "INSERT INTO delivery_lines (kind, owner, host) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING", of.kind, of.owner, of.host)
	return err
}

// forgotten is how long it is known of a host for which nothing waits that it gave no
// answer.
const forgotten = time.Hour

// tidyLines drops lines in which nothing waits. A line that was dropped at the moment
// when something was put into it is made again, and those of older versions are.
func (o *Outbox) tidyLines(ctx context.Context) error {
	_, err := o.options.DB.Exec(ctx, `DELETE FROM delivery_lines WHERE next_at <= $1 AND NOT EXISTS (SELECT 1 FROM deliveries d
		WHERE d.state = 'waiting' AND d.kind = delivery_lines.kind AND d.owner = delivery_lines.owner AND d.host = delivery_lines.host)`, o.options.Now().Add(-forgotten).UnixMilli())
	if err != nil {
		return err
	}
	_, err = o.options.DB.Exec(ctx, `INSERT INTO delivery_lines (kind, owner, host) SELECT DISTINCT kind, owner, host FROM deliveries WHERE state = 'waiting' ON CONFLICT DO NOTHING`)
	return err
}

// receiver is the host of a webhook's address, with its port where it is not the
// usual one.
func receiver(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return strings.TrimSuffix(strings.ToLower(u.Host), map[string]string{"https": ":443", "http": ":80"}[u.Scheme])
}
