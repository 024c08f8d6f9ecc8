// Package speech has the engines that speak. They are a server of the OpenAI-compatible form,
// and piper and espeak-ng on this machine.
package speech

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/waygate/waygate/guidance/narrate"
)

// Voice is one that an engine has.
type Voice struct {
	ID       string // of letters, digits, dots, underscores and hyphens
	Language string // BCP 47 tag; * speaks every language of the narration
	Version  string // of what the engine's version does not name, such as its model; "" for nothing
}

// Request describes a text to be spoken.
type Request struct {
	Text     string // as package spoken writes it
	Language string // BCP 47 tag of the narration
	Voice    string // one of Voices
	Rate     float64
}

// Limits of Request.Rate, 1 being the usual speed.
const (
	SlowestRate = 0.5
	FastestRate = 2
)

// Engine makes speech. Its methods are safe for concurrent use.
type Engine interface {
	// Version names the engine and its version; a clip of another version, or of another version
	// of the voice, is another clip.
	Version() string
	// Voices lists the voices, of those of one language the preferred first.
	Voices() []Voice
	// Speak returns a file of sound, in a format that package audio reads. It fails with a
	// fault for the caller, or with the context's error.
	Speak(ctx context.Context, r Request) ([]byte, error)
}

// related are languages whose voices speak one that has no voice of its own.
var related = map[string][]string{
	"en-GB": {"en-US"}, "en-US": {"en-GB"}, "pt-PT": {"pt-BR"}, "pt-BR": {"pt-PT"},
}

// Choose returns the voice for a language, in this order: of the language itself, of the language
// without its region or with another, of a related one, of all languages. With a voice's ID it
// returns that one where it speaks the language.
func Choose(voices []Voice, language, id string) (Voice, bool) {
	base, _, _ := strings.Cut(language, "-")
	ranks := slices.Concat([]string{language, base}, related[language])
	rank := func(v Voice) int {
		if v.Language == "*" {
			return len(ranks) + 1
		}
		if at := slices.Index(ranks, v.Language); at >= 0 {
			return at
		}
		if b, _, _ := strings.Cut(v.Language, "-"); b == base {
			return len(ranks)
		}
		return -1
	}
	best, at := Voice{}, -1
	for _, v := range voices {
		if r := rank(v); r >= 0 && (id == "" || v.ID == id) && (at < 0 || r < at) {
			best, at = v, r
		}
	}
	return best, at >= 0
}

// Combined are engines as one, the preferred first. No two have a voice of the same ID.
type Combined []Engine

// Version is empty: each voice has its own.
func (Combined) Version() string { return "" }

// Voices lists those of all.
func (s Combined) Voices() (all []Voice) {
	for _, e := range s {
		for _, v := range e.Voices() {
			v.Version = strings.TrimSpace(e.Version() + " " + v.Version)
			all = append(all, v)
		}
	}
	return all
}

// Speak has the engine of the voice speak.
func (s Combined) Speak(ctx context.Context, r Request) ([]byte, error) {
	v, ok := Choose(s.Voices(), r.Language, r.Voice)
	if ok {
		r.Voice = v.ID
		for _, e := range s {
			if _, has := Choose(e.Voices(), r.Language, r.Voice); has {
				return e.Speak(ctx, r)
			}
		}
	}
	return nil, fmt.Errorf("no engine has a voice %q of %s", r.Voice, r.Language)
}

// Close closes those that have something to close.
func (s Combined) Close() error {
	var all []error
	for _, e := range s {
		if c, ok := e.(io.Closer); ok {
			all = append(all, c.Close())
		}
	}
	return errors.Join(all...)
}

// Languages lists the languages of the narration that have a voice.
func Languages(voices []Voice) (list []string) {
	for _, tag := range narrate.Languages() {
		if _, ok := Choose(voices, tag, ""); ok {
			list = append(list, tag)
		}
	}
	return list
}

// ReadVoices reads a table of voices by language: en-GB=bf_emma, de=thorsten, *=alloy. Several of one
// language stand in the order to choose them.
func ReadVoices(list []string) (voices []Voice, err error) {
	for _, one := range list {
		language, id, _ := strings.Cut(strings.TrimSpace(one), "=")
		if !ValidID(id) || language != "*" && !narrate.IsTag(language) {
			return nil, fmt.Errorf("%q is no voice; want LANGUAGE=VOICE, such as en-GB=alba or *=alloy", one)
		}
		voices = append(voices, Voice{ID: id, Language: language})
	}
	return voices, nil
}

// ValidID reports whether a text can be the ID of a voice.
func ValidID(id string) bool {
	return len(id) >= 1 && len(id) <= 64 && id[0] != '.' && !strings.ContainsFunc(id, func(r rune) bool {
		return (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && r != '.' && r != '_' && r != '-'
	})
}
