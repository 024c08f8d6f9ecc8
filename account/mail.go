package account

import (
	_ "embed"
	"fmt"
	htmltemplate "html/template"
	"regexp"
	"strings"
	texttemplate "text/template"
	"time"

	"github.com/waygate/waygate/outbox"
)

//go:embed mails/mail.txt
var mailText string

//go:embed mails/mail.html
var mailHTML string

var (
	asText = texttemplate.Must(texttemplate.New("mail.txt").Parse(mailText))
	asHTML = htmltemplate.Must(htmltemplate.New("mail.html").Parse(mailHTML))
)

// mailContent is the text of an e-mail: a few sentences, facts and one link.
type mailContent struct {
	Title  string // also the subject: never a text that the caller wrote
	Intro  string
	Facts  []fact
	Button string
	Link   string
	After  []string
}

type fact struct{ Name, Value string }

func (l *mailContent) mail(to string, expires time.Time) (outbox.Mail, error) {
	var text, html strings.Builder
	if err := asText.Execute(&text, l); err != nil {
		return outbox.Mail{}, fmt.Errorf("write an e-mail: %w", err)
	}
	if err := asHTML.Execute(&html, l); err != nil {
		return outbox.Mail{}, fmt.Errorf("write an e-mail: %w", err)
	}
	return outbox.Mail{To: to, Subject: l.Title, Text: text.String(), HTML: html.String(), Expires: expires}, nil
}

func (a Issuance) verificationMail(e *examined, token string, now time.Time) (outbox.Mail, error) {
	expires := now.Add(ProvisionalLife)
	facts := []fact{{"Label", inert(e.Label)}, {"Asked for", formatTime(now)}}
	if e.UserAgent != "" {
		facts = append(facts, fact{"From", inert(e.UserAgent)})
	}
	if e.Source != "" {
		facts = append(facts, fact{"By way of", inert(e.Source)})
	}
	l := mailContent{
		Title:  "Confirm your Waygate key",
		Intro:  "Somebody, probably you, asked for a Waygate API key with this e-mail address. This is what they said:",
		Facts:  facts,
		Button: "Look at the request and confirm it",
		Link:   a.options.BaseURL + "/v1/keys/verify?token=" + token,
		After: []string{
			"Opening the page changes nothing: you confirm there. Until " + formatTime(expires) + " the key works with a small quota; unconfirmed, it then stops.",
			"If it was not you, say so on the same page: the key is revoked at once, also if it was confirmed before. You can also ignore this e-mail.",
		},
	}
	return l.mail(e.email, expires)
}

func (a SignIns) signInMail(to, token string, now time.Time) (outbox.Mail, error) {
	expires := now.Add(SignInLife)
	l := mailContent{
		Title:  "Your Waygate sign-in link",
		Intro:  "Open this link to sign in to the Waygate console. It works once, until " + formatTime(expires) + ".",
		Button: "Sign in",
		Link:   a.website() + "/console#signin=" + token,
		After:  []string{"If you did not ask for it, ignore this e-mail: nobody can sign in without the link. Do not pass it on."},
	}
	return l.mail(to, expires)
}

func (a *core) hasConsole() bool { return a.options.WebsiteURL != "" }

// website returns the address of the console.
func (a *core) website() string {
	if a.hasConsole() {
		return a.options.WebsiteURL
	}
	return a.options.BaseURL
}

// inName matches a dot that mail programs would take for part of a domain name.
var inName = regexp.MustCompile(`(\pL[\pL\pN-]*)\.(\pL)`)

// inert changes a text of a caller's so that mail programs make no link of it: e-mails
// contain no links but ours.
func inert(s string) string {
	s = strings.ReplaceAll(s, "://", "[:]//")
	for {
		next := inName.ReplaceAllString(s, "$1[.]$2")
		if next == s {
			return s
		}
		s = next
	}
}
