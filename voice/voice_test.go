package voice

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/waygate/waygate/blob"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/guidance/narrate"
	"github.com/waygate/waygate/voice/audio"
	"github.com/waygate/waygate/voice/speech"
	"github.com/waygate/waygate/waittest"
)

// tones is an engine whose speech is a tone, another one each time. It answers what a test
// says.
type tones struct {
	spoke atomic.Int32
	gate  chan struct{} // what it waits for; nil is nothing
	mu    sync.Mutex
	file  []byte // what it answers in place of a tone
	err   error
}

func (*tones) Version() string { return "tones 1" }

func (*tones) Voices() []speech.Voice {
	return []speech.Voice{{ID: "alba", Language: "en-GB"}, {ID: "bert", Language: "en-GB"}, {ID: "carla", Language: "de"}}
}

func (e *tones) answers(file []byte, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.file, e.err = file, err
}

func (e *tones) Speak(ctx context.Context, r speech.Request) ([]byte, error) {
	n := e.spoke.Add(1)
	if e.gate != nil {
		select {
		case <-e.gate:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.file != nil || e.err != nil {
		return e.file, e.err
	}
	s := make(audio.Sound, audio.Rate/4+100*int(n))
	for i := range s {
		s[i] = float32(math.Sin(float64(i) * (0.1 + 0.01*float64(n))))
	}
	return s.WAV(), nil
}

func start(t *testing.T, e speech.Engine, change ...func(*Options)) *Service {
	t.Helper()
	o := Options{Engine: e, Store: blob.NewFolder(t.TempDir()), Encoder: &audio.Encoder{}, Log: slog.New(slog.DiscardHandler)}
	for _, c := range change {
		c(&o)
	}
	s := New(o)
	t.Cleanup(s.Close)
	return s
}

func say(texts ...string) Request {
	return Request{Utterances: texts, Rate: 1, Format: audio.WAV}
}

// plan reads a request and looks for its clips.
func plan(t *testing.T, s *Service, r Request) (*Plan, error) {
	p, err := s.Read(r)
	if err != nil {
		return nil, err
	}
	return p, s.Look(t.Context(), p)
}

// speak makes clips and waits for them.
func speak(t *testing.T, s *Service, r Request) ([]Outcome, int) {
	t.Helper()
	p, err := plan(t, s, r)
	if err != nil {
		t.Fatal(err)
	}
	list, units, err := s.Make(t.Context(), p, waittest.Patience)
	if err != nil {
		t.Fatal(err)
	}
	return list, units
}

func content(t *testing.T, s *Service, hash string, f audio.Format) []byte {
	t.Helper()
	c, err := s.Clip(t.Context(), hash, f)
	if err != nil {
		t.Fatal(err)
	}
	r, err := c.Open(t.Context(), 0, c.Size)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	b, err := io.ReadAll(r)
	if err != nil || int64(len(b)) != c.Size {
		t.Fatalf("%d of %d bytes, %v", len(b), c.Size, err)
	}
	return b
}

func TestClipsAreMadeOnce(t *testing.T) {
	e := &tones{}
	s := start(t, e)
	list, units := speak(t, s, say("Turn left.", "Turn right.", "Turn  left.", "Turn left."))
	if units != 2 || e.spoke.Load() != 2 || list[0].Hash != list[2].Hash || list[0].Hash == list[1].Hash || list[0].Cached || list[1].Cached {
		t.Fatalf("%d units, spoken %d times: %+v", units, e.spoke.Load(), list)
	}
	for _, o := range list {
		b := content(t, s, o.Hash, audio.WAV)
		if o.Err != nil || o.Entry == nil || o.Entry.Bytes != int64(len(b)) || o.Entry.Text != o.Text {
			t.Fatalf("%+v", o)
		}
		sound, err := audio.ReadWAV(b)
		if err != nil || math.Abs(sound.Duration().Seconds()-o.Entry.Seconds) > 0.002 {
			t.Errorf("it lasts %v, and is said to last %v s: %v", sound.Duration(), o.Entry.Seconds, err)
		}
	}
	again, units := speak(t, s, say("Turn right.", "Turn left."))
	if units != 0 || e.spoke.Load() != 2 || !again[0].Cached || again[0].Hash != list[1].Hash || *again[0].Entry != *list[1].Entry {
		t.Errorf("%d units, spoken %d times: %+v", units, e.spoke.Load(), again)
	}
	// Another process finds them.
	other := start(t, e, func(o *Options) { o.Store = s.Store })
	if list, units := speak(t, other, say("Turn right.")); units != 0 || !list[0].Cached || e.spoke.Load() != 2 {
		t.Errorf("%d units: %+v", units, list)
	}
	// Every option that changes the sound makes another clip.
	hashes := []string{list[0].Hash}
	for _, change := range []func(*Request){
		func(r *Request) { r.Voice = "bert" }, func(r *Request) { r.Rate = 1.1 }, func(r *Request) { r.Format = audio.Opus },
		func(r *Request) { r.Language = "de" }, func(r *Request) { r.Utterances = []string{"Turn left, "} },
	} {
		r := say("Turn left.")
		change(&r)
		list, units := speak(t, s, r)
		if units != 1 || slices.Contains(hashes, list[0].Hash) {
			t.Errorf("%+v: %d units, %s", r, units, list[0].Hash)
		}
		hashes = append(hashes, list[0].Hash)
	}
}

// TestOneTextAtOnce asks a thousand times for one new text at once: it is spoken once, and
// one caller pays.
func TestOneTextAtOnce(t *testing.T) {
	e := &tones{}
	s := start(t, e)
	var work sync.WaitGroup
	var units, cached atomic.Int32
	begin := make(chan struct{})
	for range 1000 {
		work.Go(func() {
			<-begin
			p, err := plan(t, s, say("In 400 metres, turn right into Mill Lane."))
			if err != nil {
				t.Error(err)
				return
			}
			list, n, err := s.Make(t.Context(), p, waittest.Patience)
			if err != nil || list[0].Entry == nil || list[0].Cached == (n == 1) {
				t.Errorf("%+v, %v", list, err)
			}
			units.Add(int32(n))
			if list[0].Cached {
				cached.Add(1)
			}
		})
	}
	close(begin)
	work.Wait()
	if e.spoke.Load() != 1 || units.Load() != 1 || cached.Load() != 999 {
		t.Errorf("spoken %d times, %d units, %d cached", e.spoke.Load(), units.Load(), cached.Load())
	}
}

// TestReplicasAtOnce has several processes make the same clips in one store, each with another
// sound: all come to the same clip, which is whole.
func TestReplicasAtOnce(t *testing.T) {
	e := &tones{}
	store := blob.NewFolder(t.TempDir())
	texts := []string{"One.", "Two.", "Three.", "Four."}
	var work sync.WaitGroup
	var entries [4]sync.Map
	for range 4 {
		s := start(t, e, func(o *Options) { o.Store = store })
		work.Go(func() {
			p, err := plan(t, s, say(texts...))
			if err != nil {
				t.Error(err)
				return
			}
			list, _, err := s.Make(t.Context(), p, waittest.Patience)
			for i, o := range list {
				if err != nil || o.Err != nil {
					t.Error(err, o.Err)
					return
				}
				entries[i].Store(*o.Entry, true)
			}
		})
	}
	work.Wait()
	s := start(t, e, func(o *Options) { o.Store = store })
	before := e.spoke.Load()
	list, _ := speak(t, s, say(texts...))
	for i, o := range list {
		sound, err := audio.ReadWAV(content(t, s, o.Hash, audio.WAV))
		if err != nil || sound.Duration() == 0 {
			t.Errorf("%s: %v", texts[i], err)
		}
		n := 0
		entries[i].Range(func(any, any) bool { n++; return true })
		if n != 1 {
			t.Errorf("%s has %d entries", texts[i], n)
		}
	}
	if e.spoke.Load() != before {
		t.Error("they were not kept")
	}
}

func TestPending(t *testing.T) {
	e := &tones{gate: make(chan struct{})}
	s := start(t, e)
	p, err := plan(t, s, say("Turn left."))
	if err != nil || p.Missing() != 1 {
		t.Fatal(err)
	}
	list, units, err := s.Make(t.Context(), p, time.Millisecond)
	if err != nil || units != 1 || list[0].Entry != nil || list[0].Err != nil {
		t.Fatalf("%d units: %+v, %v", units, list, err)
	}
	if list, units, _ := s.Make(t.Context(), p, time.Millisecond); units != 0 || list[0].Entry != nil {
		t.Errorf("while it is made: %d units, %+v", units, list)
	}
	close(e.gate)
	if list, units := speak(t, s, say("Turn left.")); units != 0 || list[0].Entry == nil || e.spoke.Load() != 1 {
		t.Errorf("%d units, spoken %d times: %+v", units, e.spoke.Load(), list)
	}
}

// A clip that was paid for and then failed costs nothing the next time.
func TestFailedAfterPending(t *testing.T) {
	e := &tones{gate: make(chan struct{})}
	s := start(t, e)
	e.answers(nil, errors.New("broken"))
	p, _ := plan(t, s, say("Turn left."))
	if _, units, err := s.Make(t.Context(), p, time.Millisecond); err != nil || units != 1 {
		t.Fatal(units, err)
	}
	close(e.gate)
	if list, units := speak(t, s, say("Turn left.")); units != 0 || !fault.Is(list[0].Err, fault.Upstream) {
		t.Fatalf("%d units: %+v", units, list)
	}
	e.answers(nil, nil)
	for range 2 {
		if list, units := speak(t, s, say("Turn left.")); units != 0 || list[0].Entry == nil {
			t.Errorf("%d units: %+v", units, list)
		}
	}
}

func TestFailuresCostNothingAndAreNotKept(t *testing.T) {
	e := &tones{}
	s := start(t, e)
	good := make(audio.Sound, audio.Rate).WAV()
	for name, c := range map[string]struct {
		file []byte
		err  error
		want fault.Slug
	}{
		"HTML":    {[]byte("<!DOCTYPE html><title>502</title>"), nil, fault.Upstream},
		"nothing": {[]byte{}, nil, fault.Upstream},
		"half":    {good[:len(good)/2], nil, fault.Upstream},
		"silence": {good, nil, fault.Upstream},
		"MP3":     {append([]byte("ID3\x04"), make([]byte, 100)...), nil, fault.Upstream},
		"busy":    {nil, fault.New(fault.UpstreamUnavailable, "busy"), fault.UpstreamUnavailable},
		"late":    {nil, context.DeadlineExceeded, fault.UpstreamTimeout},
	} {
		e.answers(c.file, c.err)
		list, units := speak(t, s, say("Turn left."))
		if units != 0 || !fault.Is(list[0].Err, c.want) || list[0].Entry != nil || list[0].Cached {
			t.Errorf("%s: %d units, %+v", name, units, list[0])
		}
		if _, err := s.Clip(t.Context(), list[0].Hash, audio.WAV); !fault.Is(err, fault.NotFound) {
			t.Errorf("%s is kept: %v", name, err)
		}
	}
	e.answers(nil, nil)
	if list, units := speak(t, s, say("Turn left.")); units != 1 || list[0].Entry == nil {
		t.Errorf("%d units, %+v", units, list)
	}
}

func TestQueueIsBounded(t *testing.T) {
	e := &tones{gate: make(chan struct{})}
	s := start(t, e, func(o *Options) { o.Queue = 2 })
	for i, want := range []bool{true, true, false} {
		p, _ := plan(t, s, say(fmt.Sprint("Number ", i)))
		if _, _, err := s.Make(t.Context(), p, time.Millisecond); (err == nil) != want || err != nil && !fault.Is(err, fault.UpstreamUnavailable) {
			t.Errorf("%d: %v", i, err)
		}
	}
	close(e.gate)
}

// A service that ends lets go of those who wait.
func TestCloseAtOnce(t *testing.T) {
	e := &tones{gate: make(chan struct{})}
	s := start(t, e)
	p, _ := plan(t, s, say("One.", "Two.", "Three."))
	var work sync.WaitGroup
	work.Go(func() {
		list, _, err := s.Make(t.Context(), p, waittest.Patience)
		for _, o := range list {
			if err != nil || !fault.Is(o.Err, fault.UpstreamUnavailable) {
				t.Errorf("%+v, %v", o, err)
			}
		}
	})
	for e.spoke.Load() == 0 {
		time.Sleep(time.Millisecond)
	}
	s.Close()
	work.Wait()
}

// TestEncodingIsShared checks that each clip is encoded in a turn that is given back before the
// clip is kept, and that the encoding ends where the turn does.
func TestEncodingIsShared(t *testing.T) {
	var mu sync.Mutex
	turns, now := 0, 0
	ended, end := context.WithCancel(t.Context())
	end()
	over := false
	s := start(t, &tones{}, func(o *Options) {
		o.Wait = waittest.Patience
		o.Share = func(ctx context.Context, bytes int64) (context.Context, func(), error) {
			mu.Lock()
			defer mu.Unlock()
			if turns, now = turns+1, now+1; bytes < audio.Rate/4 {
				t.Errorf("%d bytes", bytes)
			}
			if over {
				ctx = ended
			}
			return ctx, func() {
				mu.Lock()
				defer mu.Unlock()
				now--
			}, nil
		}
	})
	list, units := speak(t, s, say("Turn left.", "Turn right.", "Turn left."))
	if turns != 2 || now != 0 || units != 2 || list[0].Entry == nil {
		t.Errorf("%d turns, %d not given back, %d units, %+v", turns, now, units, list)
	}
	over = true
	last := say("Go on.")
	last.Format = audio.Opus
	if list, units = speak(t, s, last); turns != 3 || now != 0 || units != 0 || list[0].Err == nil {
		t.Errorf("%d turns, %d not given back, %d units, %+v", turns, now, units, list)
	}
}

// TestLetters checks that texts still to be spoken count, each text once, by its rate.
func TestLetters(t *testing.T) {
	s := start(t, &tones{}, func(o *Options) { o.Wait = waittest.Patience })
	letters := func(rate float64, texts ...string) float64 {
		r := say(texts...)
		r.Rate = rate
		p, err := plan(t, s, r)
		if err != nil {
			t.Fatal(err)
		}
		return p.Letters()
	}
	if a, b, c := letters(1, "Go on."), letters(1, "Go on.", "Go on.", "Stop."), letters(0.5, "Go on."); a != 6 || b != 11 || c != 12 {
		t.Errorf("%g, %g and %g letters", a, b, c)
	}
	speak(t, s, say("Go on."))
	if n := letters(1, "Go on."); n != 0 {
		t.Errorf("%g letters of a clip that is held", n)
	}
}

func TestBadRequests(t *testing.T) {
	s := start(t, &tones{})
	with := func(change func(*Request)) Request { r := say("Turn left."); change(&r); return r }
	many := make([]string, 11)
	for i := range many {
		many[i] = strings.Repeat("x", MostLetters)
	}
	for name, c := range map[string]struct {
		r    Request
		at   string
		word string
	}{
		"empty":              {say("One.", ""), "utterances[1]", "nothing to speak"},
		"marks alone":        {say("<>…"), "utterances[0]", "nothing to speak"},
		"long":               {say(strings.Repeat("a", 5000)), "utterances[0]", "1000"},
		"many":               {say(many...), "utterances", "10000"},
		"control characters": {say("Turn\x07left"), "utterances[0]", "control"},
		"a line":             {say("Turn\nleft"), "utterances[0]", "control"},
		"no UTF-8":           {say("Turn\xff"), "utterances[0]", "control"},
		"no language":        {with(func(r *Request) { r.Language = "tlh" }), "language", "de"},
		"language no voice":  {with(func(r *Request) { r.Language = "sv" }), "language", "en-GB"},
		"no voice":           {with(func(r *Request) { r.Voice = "zoe" }), "voice", "alba, bert"},
		"voice of another":   {with(func(r *Request) { r.Voice = "carla" }), "voice", "alba, bert"},
		"shell":              {with(func(r *Request) { r.Voice = "$(x)" }), "voice", "alba"},
	} {
		_, err := plan(t, s, c.r)
		var f *fault.Error
		if !errors.As(err, &f) || f.Slug != fault.BadRequest || !strings.Contains(fmt.Sprint(f.Detail, f.Fields), c.at) || !strings.Contains(fmt.Sprint(f.Detail, f.Fields), c.word) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := plan(t, s, with(func(r *Request) { r.Format = audio.M4A })); !fault.IsNotEnabled(err) || !strings.Contains(err.Error(), "ffmpeg") {
		t.Errorf("m4a without ffmpeg: %v", err)
	}
	var none *Service
	if _, err := none.Read(say("x")); !fault.Is(err, "voice-not-enabled") {
		t.Errorf("%v", err)
	}
	if _, err := none.Clip(t.Context(), "x", audio.WAV); !fault.Is(err, "voice-not-enabled") {
		t.Errorf("%v", err)
	}
	if _, err := none.Bank(t.Context(), "x", audio.WAV, "", 1); !fault.Is(err, "voice-not-enabled") {
		t.Errorf("%v", err)
	}
	for _, hash := range []string{"", "x", strings.Repeat("g", hashLength), "../" + strings.Repeat("0", hashLength-3), strings.Repeat("0", hashLength)} {
		if _, err := s.Clip(t.Context(), hash, audio.WAV); !fault.Is(err, fault.NotFound) {
			t.Errorf("%q: %v", hash, err)
		}
	}
	if _, err := s.Clip(t.Context(), strings.Repeat("0", hashLength), "../x"); !fault.Is(err, fault.NotFound) {
		t.Errorf("%v", err)
	}
}

func TestBank(t *testing.T) {
	s := start(t, &tones{})
	var want []string
	for i := range 30 {
		list, _ := speak(t, s, say(fmt.Sprint("Number ", i)))
		want = append(want, list[0].Hash)
	}
	r := say("Another voice.")
	r.Voice = "bert"
	speak(t, s, r)
	slices.Sort(want)
	for _, most := range []int{1, 7, 29, 30, 31} {
		var got []string
		after := ""
		for pages := 0; ; pages++ {
			p, err := s.Bank(t.Context(), "alba", audio.WAV, after, most)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range p.Entries {
				got = append(got, e.Hash)
			}
			if after = p.Next; after == "" {
				break
			}
			if len(p.Entries) != most || pages > 30 {
				t.Fatalf("a page of %d has %d", most, len(p.Entries))
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("in pages of %d: %d of %d clips", most, len(got), len(want))
		}
	}
	if p, err := s.Bank(t.Context(), "zoe", audio.WAV, "", 10); err != nil || len(p.Entries) != 0 || p.Next != "" {
		t.Errorf("%+v, %v", p, err)
	}
	for _, c := range [][2]string{{"../x", ""}, {"", ""}, {"alba", "x"}, {"alba", "../../" + strings.Repeat("0", hashLength-6)}} {
		if _, err := s.Bank(t.Context(), c[0], audio.WAV, c[1], 10); !fault.Is(err, fault.BadRequest) {
			t.Errorf("%q: %v", c, err)
		}
	}
}

// A clip whose file or entry somebody removed or broke is made again, whole.
func TestBrokenStoreIsMended(t *testing.T) {
	e := &tones{}
	dir := t.TempDir()
	s := start(t, e, func(o *Options) { o.Store = blob.NewFolder(dir) })
	list, _ := speak(t, s, say("Turn left.", "Turn right."))
	clip, entry := filepath.Join(dir, clipName(list[0].Hash, audio.WAV)), filepath.Join(dir, entryFolder("alba", audio.WAV, list[0].Hash[:1]), list[0].Hash+".json")
	whole := func(what string) {
		t.Helper()
		other := start(t, e, func(o *Options) { o.Store = blob.NewFolder(dir) })
		list, units := speak(t, other, say("Turn left."))
		if units != 1 || list[0].Err != nil {
			t.Errorf("%s: %d units, %+v", what, units, list[0])
			return
		}
		b := content(t, other, list[0].Hash, audio.WAV)
		if sound, err := audio.ReadWAV(b); err != nil || int64(len(b)) != list[0].Entry.Bytes || math.Abs(sound.Duration().Seconds()-list[0].Entry.Seconds) > 0.002 {
			t.Errorf("%s: %d bytes, %v, entry %+v", what, len(b), err, list[0].Entry)
		}
		if list, units := speak(t, other, say("Turn left.")); units != 0 || !list[0].Cached {
			t.Errorf("%s: the second time %d units", what, units)
		}
		if p, err := other.Bank(t.Context(), "alba", audio.WAV, "", 10); err != nil || len(p.Entries) != 2 {
			t.Errorf("%s: the bank has %+v, %v", what, p, err)
		}
	}
	for what, harm := range map[string]func() error{
		"no clip":       func() error { return os.Remove(clip) },
		"empty clip":    func() error { return os.WriteFile(clip, nil, 0o600) },
		"half a clip":   func() error { return os.Truncate(clip, 100) },
		"broken entry":  func() error { return errors.Join(os.WriteFile(entry, []byte("{"), 0o600), os.Remove(clip)) },
		"another entry": func() error { return errors.Join(os.WriteFile(entry, []byte("{}"), 0o600), os.Remove(clip)) },
	} {
		if err := harm(); err != nil {
			t.Fatal(err)
		}
		whole(what)
	}
	// A clip that this process remembers as held is looked for again once it turns out to be
	// gone.
	if err := os.WriteFile(clip, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Clip(t.Context(), list[0].Hash, audio.WAV); !fault.Is(err, fault.NotFound) {
		t.Errorf("an empty clip: %v", err)
	}
	if list, units := speak(t, s, say("Turn left.")); units != 1 || list[0].Entry == nil {
		t.Errorf("%d units, %+v", units, list)
	}
	if err := os.WriteFile(entry, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if p, err := s.Bank(t.Context(), "alba", audio.WAV, "", 10); err != nil || len(p.Entries) != 1 {
		t.Errorf("a broken entry in the bank: %+v, %v", p, err)
	}
}

// broken is a store that is out of reach.
type broken struct{ blob.Store }

func (broken) Read(context.Context, string, blob.Span) (io.ReadCloser, error) {
	return nil, errors.New("no route to 10.0.0.7")
}

func (broken) Stat(context.Context, string) (blob.Info, error) {
	return blob.Info{}, errors.New("no route to 10.0.0.7")
}

func TestStoreOutOfReach(t *testing.T) {
	s := start(t, &tones{}, func(o *Options) { o.Store = broken{o.Store} })
	_, err := plan(t, s, say("Turn left."))
	var f *fault.Error
	if !errors.As(err, &f) || f.Slug != fault.UpstreamUnavailable || strings.Contains(f.Detail, "10.0") {
		t.Errorf("%v", err)
	}
	if _, err := s.Clip(t.Context(), strings.Repeat("0", hashLength), audio.WAV); !fault.Is(err, fault.UpstreamUnavailable) {
		t.Errorf("%v", err)
	}
}

func TestRecent(t *testing.T) {
	var r recent[int]
	for i := range 4 * mostRecent {
		r.put(fmt.Sprint(i), i)
		if _, ok := r.get("0"); !ok {
			t.Fatal("what is used all the time is forgotten")
		}
		if n := len(r.young) + len(r.old); n > 2*mostRecent {
			t.Fatalf("%d are kept", n)
		}
	}
	if r.drop("0"); true {
		if _, ok := r.get("0"); ok {
			t.Error("what is dropped is there")
		}
	}
}

// Real speech of every language: small in Opus, and as loud as any other.
func TestRealSpeech(t *testing.T) {
	e, err := speech.FindESpeak(t.Context(), "")
	if errors.Is(err, exec.ErrNotFound) {
		t.Skip("espeak-ng is not installed")
	}
	if err != nil {
		t.Fatal(err)
	}
	s := start(t, e)
	for _, tag := range []string{"en-GB", "cy", "fr", "pl"} {
		l, _ := narrate.Find(tag)
		text := l.Ahead("Taxi, Hotel, Museum.", 400, false)
		r := Request{Utterances: []string{text}, Language: tag, Rate: 1, Format: audio.WAV}
		list, _ := speak(t, s, r)
		if list[0].Err != nil {
			t.Fatal(tag, list[0].Err)
		}
		sound, err := audio.ReadWAV(content(t, s, list[0].Hash, audio.WAV))
		if err != nil {
			t.Fatal(err)
		}
		loudness, err := sound.LUFS(t.Context())
		if err != nil || loudness < audio.Loudness-1.5 || loudness > audio.Loudness+0.5 {
			t.Errorf("%s: %q has %.1f LUFS, %v", tag, text, loudness, err)
		}
		r.Format = audio.Opus
		list, _ = speak(t, s, r)
		b := content(t, s, list[0].Hash, audio.Opus)
		if most := 6144 * list[0].Entry.Seconds; float64(len(b)) > 1024+most || !bytes.HasPrefix(b, []byte("OggS")) {
			t.Errorf("%s: %.1f s have %d bytes", tag, list[0].Entry.Seconds, len(b))
		}
		t.Logf("%s: %q %.2f s, %d bytes of Opus, %.1f LUFS", tag, list[0].Text, list[0].Entry.Seconds, len(b), loudness)
	}
}

func BenchmarkPlan(b *testing.B) {
	s := New(Options{Engine: &tones{}, Store: blob.NewFolder(b.TempDir()), Encoder: &audio.Encoder{}})
	defer s.Close()
	for name, r := range map[string]Request{
		"prompt": say("In 400 metres, turn right onto the A4042 towards St John's Rd."),
		"most":   say(slices.Repeat([]string{strings.Repeat("turn 1.5 km onto A4042 St. ", 7)}, MostUtterances)...),
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := s.clips(&r); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
