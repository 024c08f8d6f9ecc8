package voice

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"testing"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/voice/audio"
)

func numbers(n int) iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := range n {
			if !yield(fmt.Sprint("Number ", i)) {
				return
			}
		}
	}
}

func TestFill(t *testing.T) {
	e := &tones{}
	s := start(t, e)
	r := Request{Rate: 1, Format: audio.WAV}
	var through []int
	report := func(n int) { through = append(through, n) }
	// One that is interrupted leaves what is made, and the next goes on after it.
	ctx, cancel := context.WithCancel(t.Context())
	f, err := s.Fill(ctx, r, numbers(120), func(n int) { report(n); cancel() })
	if !errors.Is(err, context.Canceled) || f.Added != 50 || e.spoke.Load() != 50 {
		t.Fatalf("%+v, %v", f, err)
	}
	f, err = s.Fill(t.Context(), r, numbers(120), report)
	if err != nil || f != (Filled{Held: 50, Added: 70}) || e.spoke.Load() != 120 || !slices.Equal(through, []int{50, 50, 100, 120}) {
		t.Errorf("%+v, %v, reported %v", f, err, through)
	}
	if f, err := s.Fill(t.Context(), r, numbers(120), report); err != nil || f != (Filled{Held: 120}) {
		t.Errorf("again: %+v, %v", f, err)
	}
	odd := slices.Values([]string{"Turn left.", "…", "Turn\x00right", "Turn right."})
	if f, err := s.Fill(t.Context(), r, odd, report); err != nil || f != (Filled{Added: 2, Refused: 2}) {
		t.Errorf("with what cannot be spoken: %+v, %v", f, err)
	}
	r.Utterances = []string{"Number 7"}
	if e, err := s.Held(t.Context(), r); err != nil || e == nil || e.Text != "Number 7" {
		t.Errorf("%+v, %v", e, err)
	}
	r.Utterances = []string{"Number 121"}
	if e, err := s.Held(t.Context(), r); err != nil || e != nil {
		t.Errorf("%+v, %v", e, err)
	}
}

// An engine that is down ends the work with the first batch, one of whose clips fails at times does not.
func TestFillThatFails(t *testing.T) {
	e := &tones{}
	s := start(t, e)
	r := Request{Rate: 1, Format: audio.WAV}
	e.answers(nil, fault.New(fault.UpstreamUnavailable, "down"))
	f, err := s.Fill(t.Context(), r, numbers(500), func(int) {})
	if !fault.Is(err, fault.UpstreamUnavailable) || f.Failed != MostUtterances || e.spoke.Load() != MostUtterances {
		t.Errorf("%+v, %v", f, err)
	}
	r.Voice = "nobody"
	if _, err := s.Fill(t.Context(), r, numbers(5), func(int) {}); !fault.Is(err, fault.BadRequest) {
		t.Errorf("without the voice: %v", err)
	}
}
