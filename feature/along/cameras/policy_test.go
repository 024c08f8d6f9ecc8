package cameras

import (
	"strings"
	"testing"
)

func TestPolicy(t *testing.T) {
	p, err := ReadPolicy(strings.NewReader(`{"IE":{"mode":"exact","source":"x"},"GB":{"mode":"omitted"}}`))
	if err != nil || p.Of("IE") != Exact || p.Of("GB") != Omitted || p.Of("ES") != Exact || p.Of("DE") != Omitted || p.Of("") != Omitted || p.Of("XX") != Omitted {
		t.Errorf("%v %v", err, p)
	}
	for text, says := range map[string]string{`{"IE":{"mode":"exact"}}`: "source", `{"Eire":{"mode":"exact","source":"x"}}`: "no country", `{"ZZ":{"mode":"exact","source":"x"}}`: "no country", `{"IE":{"mode":"on"}}`: "neither", `[`: "end"} {
		if _, err := ReadPolicy(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", text, err)
		}
	}
	for country, law := range Usual() {
		if law.Source == "" || law.Mode != Exact && law.Mode != Omitted {
			t.Errorf("%s: %+v", country, law)
		}
	}
}

func FuzzPolicy(f *testing.F) {
	f.Add(`{"IE":{"mode":"exact","source":"x"}}`)
	f.Fuzz(func(t *testing.T, text string) {
		if p, err := ReadPolicy(strings.NewReader(text)); err == nil && p.Of("DE") == Exact && p["DE"].Source == "" {
			t.Error("a country without a law is exact")
		}
	})
}
