// Package outbox delivers e-mails and webhooks. A message is queued as a row in the
// transaction that causes it, sent by any replica, and tried again with growing delays. A
// message that was delivered or given up loses its content.
//
// Delivery is at least once: where a replica dies between sending and recording it, another
// sends the message again when the lease ends. Both attempts have the same webhook-id or
// Message-ID.
package outbox

import (
	"context"
	"crypto/rand"
	"crypto/x509"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	netmail "net/mail"
	"sync"
	"time"

	"github.com/waygate/waygate/store"
)

//go:embed migrations/*.sql
var migrations embed.FS

// ErrRefused is wrapped in the error of a Mail or a Webhook that cannot be queued; the text
// says what is wrong. Nothing was written, so the transaction may go on.
var ErrRefused = errors.New("not a message to send")

// refuse makes an error that wraps ErrRefused.
func refuse(format string, args ...any) error {
	return fmt.Errorf("%w: %w", ErrRefused, fmt.Errorf(format, args...))
}

// Options configure an Outbox. DB is required.
type Options struct {
	DB *store.DB
	// SMTP is the address of the relay: smtp://user:password@host:587 or smtps://…; ""
	// passes mails to Show. smtp:// uses STARTTLS where the relay offers it; with
	// ?tls=required, a relay without it or without a valid certificate is an error;
	// ?tls=none uses none. A password is sent over an unencrypted connection only with
	// tls=none.
	SMTP    string
	From    string // sender, as Waygate <noreply@example.com>; required with SMTP
	Private bool   // webhooks may go to private addresses, and without TLS
	// Show is called with each mail, one at a time, where there is no SMTP; nil writes
	// mails to the log.
	Show func(Mail)
	Log  *slog.Logger
	Now  func() time.Time

	Timeout time.Duration                   // of a webhook's receiver to answer; 0 is 10 s
	Poll    time.Duration                   // time between looks for due messages; 0 is a second
	Backoff func(attempt int) time.Duration // pause after a failed attempt, the first being 1; nil is Backoff
	Roots   *x509.CertPool                  // certificate authorities of relays and webhooks; nil are the system's
}

// Outbox queues and delivers messages. Its methods are safe for concurrent use.
type Outbox struct {
	options Options
	relay   *relay // nil without SMTP
	client  *http.Client
	dialer  *net.Dialer
	showing sync.Mutex
	rows    *deliveries
	queues  []*queue
}

// New opens an outbox and brings its tables to the newest version.
func New(ctx context.Context, o Options) (*Outbox, error) {
	if o.Log == nil {
		o.Log = slog.Default()
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Poll <= 0 {
		o.Poll = time.Second
	}
	if o.Timeout <= 0 {
		o.Timeout = callLimit
	}
	if o.Backoff == nil {
		o.Backoff = Backoff
	}
	box := &Outbox{options: o, rows: &deliveries{o.DB, o.Now, o.Timeout}, queues: newQueues()}
	if o.SMTP != "" {
		r, err := newRelay(o.SMTP, o.From, o.Roots)
		if err != nil {
			return nil, err
		}
		box.relay = r
	}
	box.dialer, box.client = newClient(o.Private, o.Roots, o.Timeout)
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return nil, err
	}
	return box, o.DB.Migrate(ctx, "outbox", files, o.Log)
}

// The kinds of delivery.
const (
	mailKind    = "mail"
	webhookKind = "webhook"
)

// delivery is one row of deliveries.
type delivery struct {
	line
	id, content        string
	attempt            int
	failures           int // attempts since the host of its line answered last
	created, expiresAt time.Time
}

// enqueue adds a row that is due at once.
func (o *Outbox) enqueue(ctx context.Context, tx *store.Tx, of line, content any, expires time.Time) error {
	text, err := json.Marshal(content)
	if err != nil {
		return fmt.Errorf("queue a %s: %w", of.kind, err)
	}
	if err := o.rows.open(ctx, tx, of); err != nil {
		return err
	}
	now := o.options.Now().UnixMilli()
	_, err = tx.Exec(ctx, `INSERT INTO deliveries (id, kind, owner, host, state, content, next_at, expires_at, created_at)
		VALUES ($1, $2, $3, $4, 'waiting', $5, $6, $7, $6)`, "msg_"+rand.Text(), of.kind, of.owner, of.host, string(text), now, expires.UnixMilli())
	return err
}

// Wake makes Run look for due messages at once; call it after the transaction.
func (o *Outbox) Wake() {
	for _, l := range o.queues {
		l.wakeUp()
	}
}

// Backlog counts the messages that wait, tried or not, and those of the last days that were
// given up.
func (o *Outbox) Backlog(ctx context.Context) (waiting, failed int64, err error) {
	rows, err := o.options.DB.Query(ctx, "SELECT state, COUNT(*) FROM deliveries WHERE state <> 'delivered' GROUP BY state")
	if err != nil {
		return 0, 0, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var state string
		var n int64
		if err := rows.Scan(&state, &n); err != nil {
			return 0, 0, err
		}
		if state == "waiting" {
			waiting = n
		} else {
			failed = n
		}
	}
	return waiting, failed, rows.Err()
}

// plain returns the address of a text that is an address and nothing else.
func plain(text string) (string, error) {
	a, err := netmail.ParseAddress(text)
	if err != nil || a.Name != "" || a.Address != text || unprintable(text) || len(text) > 254 {
		return "", errors.New("is not a plain e-mail address of at most 254 bytes")
	}
	return a.Address, nil
}
