package outbox

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	netmail "net/mail"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/wneessen/go-mail"
)

// stepLimit is the time limit of connecting to a relay, and of each conversation with it.
const stepLimit = 15 * time.Second

// relay is the SMTP server that mails are sent to.
type relay struct {
	from           *netmail.Address
	host           string
	port           int
	user, password string
	implicit       bool // TLS from the first byte
	policy         mail.TLSPolicy
	tls            *tls.Config
	limit          time.Duration // stepLimit, except in tests
}

// newRelay reads the address of a relay. Its errors never show the address, which may have
// a password.
func newRelay(address, from string, roots *x509.CertPool) (*relay, error) {
	sender, err := netmail.ParseAddress(from)
	if err != nil || unprintable(from) {
		return nil, fmt.Errorf("the sender of mails must be an address as Waygate <noreply@example.com>, not %q", from)
	}
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "smtp" && u.Scheme != "smtps" || u.Hostname() == "" || u.Opaque != "" {
		return nil, errors.New("the address of the mail relay must be smtp://user:password@host:587 or smtps://user:password@host:465")
	}
	if strings.Trim(u.Path, "/") != "" || u.Fragment != "" {
		return nil, errors.New("the address of the mail relay ends after its port; a password with / ? # or @ has them as %2F %3F %23 %40")
	}
	r := &relay{from: sender, host: u.Hostname(), implicit: u.Scheme == "smtps", port: 587, limit: stepLimit}
	if r.implicit {
		r.port = 465
	}
	if p := u.Port(); p != "" {
		if r.port, err = strconv.Atoi(p); err != nil || r.port < 1 || r.port > 65535 {
			return nil, errors.New("the port of the mail relay must be from 1 to 65535")
		}
	}
	r.user = u.User.Username()
	r.password, _ = u.User.Password()
	if unprintable(r.user) || unprintable(r.password) || (r.user == "") != (r.password == "") {
		return nil, errors.New("the address of the mail relay needs both a user and a password, or neither")
	}
	return r, r.secure(u.Query(), roots)
}

// secure sets how the connection is encrypted.
func (r *relay) secure(options url.Values, roots *x509.CertPool) error {
	for name := range options {
		if name != "tls" {
			return errors.New("the address of the mail relay knows the option tls only")
		}
	}
	r.tls = &tls.Config{ServerName: r.host, MinVersion: tls.VersionTLS12, RootCAs: roots}
	option := options.Get("tls")
	switch {
	case r.implicit && option != "":
		return errors.New("the address of the mail relay is smtps, which always has TLS: it takes no option tls")
	case r.implicit, option == "none":
		r.policy = mail.NoTLS
	case option == "required":
		r.policy = mail.TLSMandatory
	case option == "":
		r.policy = mail.TLSOpportunistic
		// An attacker who could present a false certificate could remove STARTTLS as well,
		// so checking the certificate would only leave relays without a public name
		// unencrypted. With a password it is checked all the same.
		r.tls.InsecureSkipVerify = r.user == ""
	default:
		return errors.New("the option tls of the mail relay must be required or none")
	}
	return nil
}

// send passes one mail to the relay. The Message-ID is made from id, so that a mail sent
// twice can be recognised.
func (r *relay) send(ctx context.Context, id string, now time.Time, l queuedMail) error {
	m, err := r.compose(id, now, l)
	if err != nil {
		return &refusal{reason: "the mail cannot be written: " + r.clean(err, l), final: true}
	}
	// The library leaves the connection open where TLS or the password fails,
	// and heeds ctx only until it is connected.
	hangUp := func() {}
	defer func() { hangUp() }()
	dial := func(soon context.Context, network, address string) (net.Conn, error) {
		conn, err := r.dial(soon, network, address)
		if err == nil {
			stop := context.AfterFunc(ctx, func() { _ = conn.Close() }) // there is nothing else to do
			hangUp = func() { stop(); _ = conn.Close() }
		}
		return conn, err
	}
	client, err := mail.NewClient(r.host, r.dialling(dial)...)
	if err != nil {
		return errors.New("mail relay: " + r.clean(err, l))
	}
	talk, err := client.DialToSMTPClientWithContext(ctx)
	if err != nil {
		// This says nothing about the mail, not even where the password is refused: all
		// mails would be lost while the setting is wrong.
		return errors.New("mail relay: " + r.clean(err, l))
	}
	err = client.SendWithSMTPClient(talk, m)
	if m.IsDelivered() {
		_ = client.CloseWithSMTPClient(talk) // the relay has the mail by now
		return nil
	}
	if err == nil {
		err = errors.New("the mail was not taken")
	}
	failed := &refusal{reason: "mail relay: " + r.clean(err, l)}
	var answer *mail.SendError
	if errors.As(err, &answer) {
		failed.final = permanent(answer.ErrorCode())
	}
	return failed
}

func (r *relay) dial(ctx context.Context, network, address string) (net.Conn, error) {
	if r.implicit {
		return (&tls.Dialer{Config: r.tls}).DialContext(ctx, network, address)
	}
	return new(net.Dialer).DialContext(ctx, network, address)
}

// permanent reports whether the same mail would fail again after a reply. Replies that
// demand TLS or a password concern the relay's settings, so they are not permanent.
func permanent(code int) bool {
	switch code {
	case 530, 534, 535, 538:
		return false
	}
	return code >= 500 && code <= 599
}

func (r *relay) dialling(dial mail.DialContextFunc) []mail.Option {
	options := []mail.Option{
		mail.WithPort(r.port), mail.WithTimeout(r.limit), mail.WithTLSPolicy(r.policy),
		mail.WithTLSConfig(r.tls), mail.WithDialContextFunc(dial),
	}
	if r.user == "" {
		return options
	}
	known := []mail.SMTPAuthType{mail.SMTPAuthSCRAMSHA256, mail.SMTPAuthSCRAMSHA1, mail.SMTPAuthPlain, mail.SMTPAuthLogin}
	if r.policy == mail.NoTLS && !r.implicit {
		known = append(known[:2], mail.SMTPAuthPlainNoEnc, mail.SMTPAuthLoginNoEnc)
	}
	return append(options, mail.WithUsername(r.user), mail.WithPassword(r.password), mail.WithOpportunisticSMTPAuth(known...))
}

func (r *relay) compose(id string, now time.Time, l queuedMail) (*mail.Msg, error) {
	m := mail.NewMsg(mail.WithNoDefaultUserAgent())
	m.FromMailAddress(r.from)
	if err := m.To(l.To); err != nil {
		return nil, err
	}
	m.Subject(l.Subject)
	m.SetDateWithValue(now)
	_, domain, _ := strings.Cut(r.from.Address, "@")
	m.SetMessageIDWithValue(id + "@" + domain)
	// This asks automatic responders not to answer.
	m.SetGenHeader(mail.Header("Auto-Submitted"), "auto-generated")
	m.SetBodyString(mail.TypeTextPlain, l.Text)
	if l.HTML != "" {
		m.AddAlternativeString(mail.TypeTextHTML, l.HTML)
	}
	return m, nil
}

// clean removes addresses and the password from an error before it is logged.
func (r *relay) clean(err error, l queuedMail) string {
	text := err.Error()
	if r.password != "" {
		text = strings.ReplaceAll(text, r.password, "(password)")
	}
	return strings.ReplaceAll(text, l.To, "(recipient)")
}
