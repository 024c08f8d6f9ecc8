package account

import (
	"fmt"
	"regexp"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/waygate/waygate/account/origin"
	"github.com/waygate/waygate/fault"
)

// The limits of an application's fields.
const (
	sourceMax    = 64  // characters
	userAgentMax = 200 // bytes; what is longer is cut
)

// channel is the form of a channel tag.
var channel = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._:/+-]*$`)

// examined is an application in the form that rows store.
type examined struct {
	Application
	email string
}

func (a Application) examine(now time.Time) (*examined, error) {
	e := &examined{Application: a}
	var err error
	if e.email, err = lasting(a.Email); err != nil {
		return nil, err
	}
	if !a.AcceptTOS {
		return nil, fault.New(fault.TOSNotAccepted, "accept_tos must be true: a key is given to who accepts the terms, see /terms").With("accept_tos", false)
	}
	var wrong []fault.Violation
	e.Label = strings.TrimSpace(a.Label)
	if e.Label == "" {
		e.Label = "Key of " + now.Format("2 January 2006")
	}
	wrong = append(wrong, checkName("label", e.Label)...)
	if a.Source != "" && (len(a.Source) > sourceMax || !channel.MatchString(a.Source)) {
		wrong = append(wrong, fault.Violation{Location: "source", Value: a.Source, Message: fmt.Sprintf("must be a tag of at most %d letters, digits and . _ : / + -", sourceMax)})
	}
	e.Scope, wrong = scoped(a.Scope, wrong)
	if err := fault.Invalid(wrong...); err != nil {
		return nil, err
	}
	if e.AllowedOrigins, err = origins(a.AllowedOrigins); err != nil {
		return nil, err
	}
	e.UserAgent = oneLine(a.UserAgent, userAgentMax)
	return e, nil
}

// checkName returns what is wrong with the name of a key.
func checkName(location, name string) []fault.Violation {
	n := utf8.RuneCountInString(name)
	switch {
	case n < 1 || n > NameMax:
		return []fault.Violation{{Location: location, Value: name, Message: fmt.Sprintf("has %d characters, must have 1 to %d", n, NameMax)}}
	case !printable(name):
		return []fault.Violation{{Location: location, Value: strings.ToValidUTF8(name, "\ufffd"), Message: "must be one line of text without control characters"}}
	}
	return nil
}

func scoped(s Scope, wrong []fault.Violation) (Scope, []fault.Violation) {
	switch s {
	case "":
		return Full, wrong
	case Full, Maps:
		return s, wrong
	}
	return "", append(wrong, fault.Violation{Location: "scope", Value: string(s), Message: "must be maps or full"})
}

func origins(all []string) ([]string, error) {
	if len(all) == 0 {
		return []string{}, nil
	}
	return origin.Canonical(all)
}

// printable reports whether a text is one line that is shown as it is written: without
// control characters or characters that change the direction of text.
func printable(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, hidden)
}

func hidden(r rune) bool {
	return unicode.IsControl(r) || unicode.In(r, unicode.Bidi_Control, unicode.Zl, unicode.Zp)
}

// oneLine removes unprintable characters from a text and cuts it to at most so many
// bytes.
func oneLine(s string, most int) string {
	s = strings.Map(func(r rune) rune {
		if hidden(r) || r == utf8.RuneError {
			return ' '
		}
		return r
	}, s[:min(len(s), 4*most)])
	s = strings.Join(strings.Fields(s), " ")
	if len(s) <= most {
		return s
	}
	return strings.TrimSpace(strings.ToValidUTF8(s[:most-len("…")], "")) + "…"
}
