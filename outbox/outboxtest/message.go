package outboxtest

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/mail"
	"net/textproto"
	"regexp"
	"strings"
	"testing"
)

// Message is a mail as its reader sees it.
type Message struct {
	Header  mail.Header
	Subject string
	Text    string // without a text part, ""
	HTML    string // likewise
}

var link = regexp.MustCompile(`https?://[^\s<>"]+`)

// Link returns the first address in the text; "" where there is none.
func (m Message) Link() string { return link.FindString(m.Text) }

// Message reads the mail; one that cannot be read fails the test.
func (m Mail) Message(t testing.TB) Message {
	t.Helper()
	read, err := parse(m.Raw)
	if err != nil {
		t.Fatalf("%v in the mail\n%s", err, m.Raw)
	}
	return read
}

func parse(raw []byte) (Message, error) {
	whole, err := mail.ReadMessage(bytes.NewReader(raw))
	if err != nil {
		return Message{}, err
	}
	m := Message{Header: whole.Header}
	if m.Subject, err = new(mime.WordDecoder).DecodeHeader(whole.Header.Get("Subject")); err != nil {
		return m, err
	}
	return m, m.part(textproto.MIMEHeader(whole.Header), whole.Body)
}

// part reads a body or one of its parts.
func (m *Message) part(header textproto.MIMEHeader, body io.Reader) error {
	kind, parameters, err := mime.ParseMediaType(header.Get("Content-Type"))
	if err != nil {
		return fmt.Errorf("content type %q: %w", header.Get("Content-Type"), err)
	}
	if strings.HasPrefix(kind, "multipart/") {
		parts := multipart.NewReader(body, parameters["boundary"])
		for {
			p, err := parts.NextRawPart()
			if err == io.EOF {
				return nil
			}
			if err != nil {
				return err
			}
			if err := m.part(p.Header, p); err != nil {
				return err
			}
		}
	}
	switch strings.ToLower(header.Get("Content-Transfer-Encoding")) {
	case "quoted-printable":
		body = quotedprintable.NewReader(body)
	case "base64":
		body = base64.NewDecoder(base64.StdEncoding, body)
	}
	text, err := io.ReadAll(body)
	if err != nil {
		return err
	}
	switch plain := strings.ReplaceAll(string(text), "\r\n", "\n"); kind {
	case "text/plain":
		m.Text += plain
	case "text/html":
		m.HTML += plain
	}
	return nil
}
