// Package outboxtest is a real SMTP server for tests: it keeps the mails it is
// given, and fails them where it is set to.
package outboxtest

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"log"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"

	"github.com/waygate/waygate/waittest"
)

// TLS is how a server encrypts.
type TLS int

// The kinds of encryption. The certificate is for 127.0.0.1 and signed by itself.
const (
	Open     TLS = iota // no TLS
	StartTLS            // offered
	Implicit            // from the first byte, smtps://
)

// Options make a Server. With a User it takes mails from nobody else.
type Options struct {
	User, Password string
	TLS            TLS
}

// Mail is a mail as it came.
type Mail struct {
	From string   // of the envelope
	To   []string // of the envelope
	Raw  []byte
	User string // who signed in; "" for nobody
	TLS  bool   // the line was encrypted
}

// Server is an SMTP server on a port of its own. Its methods are safe for
// concurrent use.
type Server struct {
	options     Options
	address     string
	certificate certificate

	mu     sync.Mutex
	mails  []Mail
	next   int // the first that Next has not given
	faults []int
	tried  int
}

// SMTP starts a server without TLS or passwords, which ends with the test.
func SMTP(t testing.TB) *Server {
	t.Helper()
	return Start(t, Options{})
}

// Start starts a server, which ends with the test.
func Start(t testing.TB, o Options) *Server {
	t.Helper()
	s := &Server{options: o}
	server := smtp.NewServer(smtp.BackendFunc(func(c *smtp.Conn) (smtp.Session, error) { return &session{server: s, conn: c}, nil }))
	server.Domain, server.ReadTimeout, server.WriteTimeout = "mail.test", waittest.Patience, waittest.Patience
	server.MaxRecipients, server.MaxMessageBytes, server.AllowInsecureAuth = 10, 1<<20, true
	server.ErrorLog = log.New(io.Discard, "", 0)
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s.address = listener.Addr().String()
	if o.TLS != Open {
		if s.certificate, err = selfSigned(); err != nil {
			t.Fatal(err)
		}
		config := &tls.Config{Certificates: []tls.Certificate{s.certificate.pair}, MinVersion: tls.VersionTLS12}
		if o.TLS == Implicit {
			listener = tls.NewListener(listener, config)
		} else {
			server.TLSConfig = config
		}
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	t.Cleanup(func() {
		err := server.Close()
		_ = listener.Close() // which the server does not know yet where the test ends at once
		if err := errors.Join(err, <-ended); err != nil {
			t.Errorf("SMTP server: %v", err)
		}
	})
	return s
}

// URL returns the server's address for outbox.Options.SMTP, user and password
// included. TLS is taken where it is offered, unless an option says otherwise.
func (s *Server) URL() string {
	u := url.URL{Scheme: "smtp", Host: s.address}
	if s.options.TLS == Implicit {
		u.Scheme = "smtps"
	}
	if s.options.User != "" {
		u.User = url.UserPassword(s.options.User, s.options.Password)
	}
	return u.String()
}

// Roots believe the server's certificate.
func (s *Server) Roots() *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(s.certificate.pem)
	return pool
}

// CertFile writes the server's certificate for a process that reads
// SSL_CERT_FILE, and gives the file's name.
func (s *Server) CertFile(t testing.TB) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "smtp.pem")
	if err := os.WriteFile(name, s.certificate.pem, 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// Fail answers the next mails with these codes, one each: 4xx for later, 5xx
// for never, 0 to take it.
func (s *Server) Fail(codes ...int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = append(s.faults, codes...)
}

// Mails returns all mails that were taken, in order.
func (s *Server) Mails() []Mail {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.mails)
}

// Tried returns how many mails were offered, taken or not.
func (s *Server) Tried() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.tried
}

// Next waits for the first mail it has not given yet.
func (s *Server) Next(t testing.TB) Mail {
	t.Helper()
	for deadline := time.Now().Add(waittest.Patience); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if m, ok := s.pop(); ok {
			return m
		}
	}
	t.Fatalf("no mail came; %d were offered", s.Tried())
	return Mail{}
}

func (s *Server) pop() (Mail, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.next == len(s.mails) {
		return Mail{}, false
	}
	s.next++
	return s.mails[s.next-1], true
}

// take keeps a mail, unless it is to fail.
func (s *Server) take(m Mail) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tried++
	if len(s.faults) > 0 {
		code := s.faults[0]
		s.faults = s.faults[1:]
		if code != 0 {
			return &smtp.SMTPError{Code: code, EnhancedCode: smtp.EnhancedCode{code / 100, 0, 0}, Message: "told to fail"}
		}
	}
	s.mails = append(s.mails, m)
	return nil
}

// session is one conversation.
type session struct {
	server *Server
	conn   *smtp.Conn
	user   string
	mail   Mail
}

// AuthMechanisms returns the ways to sign in that the server has.
func (s *session) AuthMechanisms() []string {
	if s.server.options.User == "" {
		return nil
	}
	return []string{sasl.Plain}
}

// Auth checks a user and a password.
func (s *session) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, user, password string) error {
		if user != s.server.options.User || password != s.server.options.Password {
			return smtp.ErrAuthFailed
		}
		s.user = user
		return nil
	}), nil
}

// Mail begins one.
func (s *session) Mail(from string, _ *smtp.MailOptions) error {
	if s.server.options.User != "" && s.user == "" {
		return &smtp.SMTPError{Code: 530, EnhancedCode: smtp.EnhancedCode{5, 7, 0}, Message: "sign in first"}
	}
	_, encrypted := s.conn.TLSConnectionState()
	s.mail = Mail{From: from, User: s.user, TLS: encrypted}
	return nil
}

// Rcpt adds a recipient.
func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.mail.To = append(s.mail.To, to)
	return nil
}

// Data ends it.
func (s *session) Data(r io.Reader) error {
	raw, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	s.mail.Raw = raw
	return s.server.take(s.mail)
}

// Reset forgets what has begun.
func (s *session) Reset() { s.mail = Mail{} }

// Logout ends the conversation.
func (s *session) Logout() error { return nil }
