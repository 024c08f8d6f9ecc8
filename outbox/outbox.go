// Package outbox delivers e-mails and webhooks: a row in the transaction that
// causes a message, sent by any replica, tried again with growing delays. What
// is delivered or given up keeps no content.
package outbox

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/waygate/waygate/store"
)

// Mail is one e-mail. Its recipient is a plain address.
type Mail struct {
	To      string
	Subject string
	Text    string
	HTML    string
	// Expires is when it has no more use, as of a link that lasts 15 minutes;
	// zero is a day from now.
	Expires time.Time
}

// Webhook is one signed call, as Standard Webhooks has it.
type Webhook struct {
	URL    string
	Secret string // whsec_ and base64
	Type   string // quota.threshold, job.succeeded, …
	Data   any    // the payload's data; type and timestamp are put beside it
}

// Options make an Outbox. DB is required.
type Options struct {
	DB      *store.DB
	SMTP    string // smtp://user:password@host:587 or smtps://…; "" writes mails to Links and the log
	From    string // sender, as Waygate <noreply@example.com>
	Private bool   // webhooks may go to private addresses
	// Show, where it is not nil and there is no SMTP, hears each mail.
	Show func(Mail)
	Log  *slog.Logger
	Now  func() time.Time
}

// Outbox queues and delivers.
type Outbox struct{ options Options }

// New opens an outbox and brings its tables to the newest version.
func New(ctx context.Context, o Options) (*Outbox, error) { return &Outbox{o}, nil }

// Mail queues an e-mail in a transaction.
func (o *Outbox) Mail(ctx context.Context, tx *store.Tx, m Mail) error { return errors.ErrUnsupported }

// Webhook queues a webhook in a transaction.
func (o *Outbox) Webhook(ctx context.Context, tx *store.Tx, w Webhook) error {
	return errors.ErrUnsupported
}

// Wake has what was queued looked at without waiting for the next round; call
// it after the transaction.
func (o *Outbox) Wake() {}

// Run delivers until ctx ends.
func (o *Outbox) Run(ctx context.Context) { <-ctx.Done() }
