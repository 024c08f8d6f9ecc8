package outbox

import (
	"context"
	"strings"
	"time"
	"unicode"

	"github.com/waygate/waygate/store"
)

// MailLife is how long a mail without Expires is tried.
const MailLife = 24 * time.Hour

// Mail is one e-mail. Its recipient is a plain address.
type Mail struct {
	To      string
	Subject string
	Text    string
	HTML    string // the same as HTML; "" is none
	// Expires is when the mail becomes useless, such as one with a link that lasts 15
	// minutes; zero is MailLife from now.
	Expires time.Time
}

// queuedMail is the stored form of a mail.
type queuedMail struct {
	To      string `json:"to"`
	Subject string `json:"subject"`
	Text    string `json:"text"`
	HTML    string `json:"html,omitempty"`
}

// Mail queues an e-mail in a transaction. The error is ErrRefused for a recipient that is
// not a plain address, and for control characters in the subject.
func (o *Outbox) Mail(ctx context.Context, tx *store.Tx, m Mail) error {
	if _, err := plain(m.To); err != nil {
		return refuse("the recipient %w", err)
	}
	if m.Subject == "" || unprintable(m.Subject) {
		return refuse("the subject must be one line of text")
	}
	if strings.TrimSpace(m.Text) == "" {
		return refuse("the text is empty")
	}
	if m.Expires.IsZero() {
		m.Expires = o.options.Now().Add(MailLife)
	}
	return o.enqueue(ctx, tx, line{kind: mailKind}, queuedMail{m.To, m.Subject, m.Text, m.HTML}, m.Expires)
}

// unprintable reports whether r is a control character, which could start another header,
// or a line separator.
func unprintable(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool {
		return unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp) || r == unicode.ReplacementChar
	})
}

// show delivers a mail where there is no relay.
func (o *Outbox) show(l queuedMail, expires time.Time) {
	if o.options.Show == nil {
		o.options.Log.Info("mail, since no relay is set", "to", l.To, "subject", l.Subject, "text", l.Text)
		return
	}
	o.showing.Lock()
	defer o.showing.Unlock()
	o.options.Show(Mail{To: l.To, Subject: l.Subject, Text: l.Text, HTML: l.HTML, Expires: expires})
}
