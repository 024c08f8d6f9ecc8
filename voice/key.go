package voice

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/guidance/narrate"
	"github.com/waygate/waygate/voice/audio"
	"github.com/waygate/waygate/voice/speech"
	"github.com/waygate/waygate/voice/spoken"
)

// Limits of requests.
const (
	MostUtterances = 50
	MostLetters    = 1000   // of an utterance
	mostSpoken     = 4096   // letters once written out, which servers of speech take at the most
	mostTogether   = 10_000 // letters of all utterances of a request
)

// Request describes a text to be spoken.
type Request struct {
	Utterances []string
	Language   string // BCP 47 tag; "" is en-GB
	Voice      string // "" is the first of the language
	Rate       float64
	Format     audio.Format
}

// making is of version 1 of how clips are trimmed, made even and encoded; a change of what clips sound like
// needs another.
const making = "1"

// clip has everything that one clip is made from, which its hash covers.
type clip struct {
	text, language string
	voice          speech.Voice
	rate           float64
	format         audio.Format
	hash           string
}

// Path returns the address of a clip on its server.
func Path(hash string, f audio.Format) string {
	return "/v1/voice/clips/" + hash + "." + string(f)
}

// Hash returns the hash of the clip of one utterance, which need not be held. It fails as
// Read does.
func (s *Service) Hash(r Request) (string, error) {
	list, err := s.clips(&r)
	if err != nil {
		return "", err
	}
	return list[0].hash, nil
}

// hashLength is how many hexadecimal digits of SHA-256 address a clip.
const hashLength = 40

// ValidHash reports whether a text can be the hash of a clip.
func ValidHash(hash string) bool {
	return len(hash) == hashLength && strings.Trim(hash, "0123456789abcdef") == ""
}

// address sets the hash. Parts are told from each other by their lengths.
func (c *clip) address(engine string) {
	engine = strings.TrimSpace(engine + " " + c.voice.Version)
	h := sha256.New()
	for _, part := range []string{making, spoken.Version, engine, c.text, c.language, c.voice.ID, strconv.FormatFloat(c.rate, 'f', 2, 64), string(c.format)} {
		_, _ = fmt.Fprintf(h, "%d:%s", len(part), part) // never fails
	}
	c.hash = hex.EncodeToString(h.Sum(nil))[:hashLength]
}

// clips reads a request. It fails as fault.Invalid with every violation, or as not enabled
// for a format that needs a program that is not installed.
func (s *Service) clips(r *Request) ([]*clip, error) {
	if err := s.Enabled(); err != nil {
		return nil, err
	}
	var wrong []fault.Violation
	refuse := func(at string, value any, format string, args ...any) {
		wrong = append(wrong, fault.Violation{Location: at, Value: value, Message: fmt.Sprintf(format, args...)})
	}
	l, asked := narrate.Find(r.Language)
	v, has := speech.Choose(s.Engine.Voices(), l.Tag(), r.Voice)
	switch {
	case !asked:
		refuse("language", fault.Clip(r.Language), "is none that there is a voice for; there is one for %s", strings.Join(speech.Languages(s.Engine.Voices()), ", "))
	case !has && r.Voice != "":
		refuse("voice", fault.Clip(r.Voice), "is none of %s; there are %s", l.Tag(), strings.Join(s.voicesOf(l.Tag()), ", "))
	case !has:
		refuse("language", r.Language, "has no voice here; there is one for %s", strings.Join(speech.Languages(s.Engine.Voices()), ", "))
	}
	speaker, together := spoken.Find(l.Tag()), 0
	list := make([]*clip, len(r.Utterances))
	for i, text := range r.Utterances {
		at := "utterances[" + strconv.Itoa(i) + "]"
		letters := utf8.RuneCountInString(text)
		if letters > MostLetters {
			refuse(at, nil, "has %d characters; it may have %d", letters, MostLetters)
			continue
		}
		if together += letters; together > mostTogether {
			refuse("utterances", nil, "have more than %d characters together", mostTogether)
			break
		}
		if c := strings.IndexFunc(text, func(r rune) bool { return unicode.IsControl(r) || r == utf8.RuneError }); c >= 0 {
			refuse(at, nil, "has the control character %q at byte %d; text is plain", []rune(text[c:])[0], c)
			continue
		}
		out := speaker.Text(text)
		if !strings.ContainsFunc(out, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }) {
			refuse(at, fault.Clip(text), "has nothing to speak: it needs a letter or a digit")
			continue
		}
		if n := utf8.RuneCountInString(out); n > mostSpoken {
			refuse(at, nil, "has %d characters once its numbers are written out; it may have %d", n, mostSpoken)
			continue
		}
		list[i] = &clip{text: out, language: l.Tag(), voice: v, rate: r.Rate, format: r.Format}
		list[i].address(s.Engine.Version())
	}
	if len(wrong) > 0 {
		return nil, fault.Invalid(wrong...)
	}
	if !s.Encoder.Has(r.Format) {
		return nil, fault.NotEnabled("voice", "clips of format %s are not enabled here: ffmpeg is not installed; opus and wav are there", r.Format)
	}
	return list, nil
}

// voicesOf lists the IDs of the voices that speak a language.
func (s *Service) voicesOf(language string) (ids []string) {
	for _, v := range s.Engine.Voices() {
		if _, ok := speech.Choose([]speech.Voice{v}, language, ""); ok {
			ids = append(ids, v.ID)
		}
	}
	return ids
}
