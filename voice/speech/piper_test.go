package speech

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/voice/audio"
	"github.com/waygate/waygate/waittest"
)

// piper writes a program with piper's command line, which no registry has with a voice: it reads
// lines, writes a file for each and prints its name, the newer one among other words on its standard
// error. The older one prints the name before the file is whole. Its sound is a file beside it; what
// it was given is in said, and a line for each start in starts.
func piper(t *testing.T, version string) (program, dir string) {
	t.Helper()
	dir = t.TempDir()
	program = filepath.Join(dir, "piper")
	sound := make(audio.Sound, audio.Rate)
	for i := range sound {
		sound[i] = 0.5
	}
	put := func(name, text string, mode os.FileMode) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), mode); err != nil {
			t.Fatal(err)
		}
	}
	put("sound.wav", string(sound.WAV()), 0o600)
	put("piper", `#!/bin/sh
case "$1" in
--help) echo "usage: piper [-h] -m MODEL [--model MODEL] [-f OUTPUT_FILE]" >&2; exit 0;;
--version) `+version+`;;
esac
here="`+dir+`"
echo "$@" >>"$here/starts"
echo "Output directory: $6" >&2
n=0
while read -r line; do
	n=$((n+1)); f="$6/$n.wav"
	echo "$1 $2 $3 $4 < $line" >"$here/said"
	case "$line" in
	fail*) echo "Traceback /secret" >&2; exit 1;;
	hang*) exec sleep 100;;
	older*) head -c 50 "$here/sound.wav" >"$f"; echo "$f"; sleep 0.05; cat "$here/sound.wav" >"$f";;
	*) cat "$here/sound.wav" >"$f"; echo "INFO:__main__:Wrote $f" >&2;;
	esac
done
`, 0o700)
	put("en_GB-alba-medium.onnx", "weights", 0o600)
	put("en_GB-alba-medium.onnx.json", `{"inference": {"length_scale": 1.2}, "audio": {"sample_rate": 22050}}`, 0o600)
	put("de_DE-thorsten-low.onnx", "others", 0o600)
	put("de_DE-thorsten-low.onnx.json", `{}`, 0o600)
	return program, dir
}

// starts returns how many times a program was started to speak.
func starts(t *testing.T, dir string) int {
	t.Helper()
	said, err := os.ReadFile(filepath.Join(dir, "starts"))
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Count(said, []byte("\n"))
}

// TestPiperStays has one program speak many texts, and another one where it failed or a call did
// not wait for it.
func TestPiperStays(t *testing.T) {
	file, dir := piper(t, "exit 2")
	t.Setenv("TMPDIR", t.TempDir())
	p, err := FindPiper(t.Context(), file, []string{"de=" + dir + "/de_DE-thorsten-low.onnx"})
	if err != nil {
		t.Fatal(err)
	}
	say := func(ctx context.Context, text string, rate float64) error {
		b, err := p.Speak(ctx, Request{Text: text, Language: "de", Rate: rate})
		if s, bad := audio.ReadWAV(b); err == nil && (bad != nil || s.Duration() != time.Second) {
			t.Errorf("%q: %v, %v", text, bad, s.Duration())
		}
		return err
	}
	step := func(text string, rate float64, fails bool, want int) {
		if err := say(t.Context(), text, rate); (err != nil) != fails || starts(t, dir) != want {
			t.Errorf("%q: %v, %d starts, want %d", text, err, starts(t, dir), want)
		}
	}
	step("eins", 1, false, 1)
	step("older zwei", 1, false, 1)
	step("drei", 1, false, 1)
	step("schnell", 2, false, 2) // the rate is one of the program
	step("vier", 1, false, 2)
	step("fail", 1, true, 3) // the running one and a fresh one
	step("fünf", 1, false, 4)
	ctx, cancel := context.WithCancel(t.Context())
	failed := make(chan error, 1)
	go func() { failed <- say(ctx, "hang", 1) }()
	waittest.Until(t, "it hangs", func() bool {
		said, _ := os.ReadFile(filepath.Join(dir, "said"))
		return bytes.Contains(said, []byte("hang"))
	})
	cancel()
	if err := <-failed; !errors.Is(err, context.Canceled) {
		t.Errorf("a call that was cancelled: %v", err)
	}
	step("sechs", 1, false, 5)
	// One that ended while it was idle is replaced.
	idle := p.running.take(p.running.idle[len(p.running.idle)-1].arguments)
	idle.end()
	<-idle.done
	p.running.put(idle)
	step("sieben", 1, false, 6)
	for i := range 2 * mostIdle {
		step("acht", 0.6+float64(i)/100, false, 7+i)
	}
	if n := len(p.running.idle); n != mostIdle {
		t.Errorf("%d programs are kept, want %d", n, mostIdle)
	}
	last := p.running.idle
	if err := (Combined{p, other{}}).Close(); err != nil || p.running.idle != nil {
		t.Errorf("%v", err)
	}
	for _, one := range last {
		<-one.done
	}
	step("after the end", 1, false, 7+2*mostIdle)
	waittest.Until(t, "the folders are removed", func() bool {
		left, err := os.ReadDir(os.TempDir())
		return err == nil && len(left) == 0
	})
}

// TestPiperAtOnce has many calls speak.
func TestPiperAtOnce(t *testing.T) {
	program, dir := piper(t, "exit 2")
	p, err := FindPiper(t.Context(), program, []string{"de=" + dir + "/de_DE-thorsten-low.onnx"})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = p.Close() }()
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for range 5 {
				if _, err := p.Speak(t.Context(), Request{Text: "eins", Language: "de", Rate: 1}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	if n := starts(t, dir); n > 4 {
		t.Errorf("%d programs for 4 calls at once", n)
	}
}

func TestPiper(t *testing.T) {
	program, dir := piper(t, "echo 1.2.0; exit 0")
	models := []string{"en-GB=" + dir + "/en_GB-alba-medium.onnx", " de=" + dir + "/de_DE-thorsten-low.onnx"}
	p, err := FindPiper(t.Context(), program, models)
	if err != nil || p.Version() != "piper 1.2.0" || len(p.Voices()) != 2 || p.Voices()[0].ID != "en_GB-alba-medium" {
		t.Fatalf("%v: %+v", err, p)
	}
	for _, c := range []struct {
		r    Request
		want string
	}{
		{Request{Text: "Turn left.\nNow; $(touch x)", Language: "en-GB", Rate: 1}, "--model " + dir + "/en_GB-alba-medium.onnx --length_scale 1.200 < Turn left. Now; $(touch x)\n"},
		{Request{Text: "--help", Language: "de", Voice: "de_DE-thorsten-low", Rate: 2}, "--model " + dir + "/de_DE-thorsten-low.onnx --length_scale 0.500 < --help\n"},
	} {
		b, err := p.Speak(t.Context(), c.r)
		said, _ := os.ReadFile(filepath.Join(dir, "said"))
		if s, bad := audio.ReadWAV(b); err != nil || bad != nil || s.Duration() != time.Second || string(said) != c.want {
			t.Errorf("%v, %v: %q, want %q", err, bad, said, c.want)
		}
	}
	if b, err := p.Speak(t.Context(), Request{Text: "x", Language: "fr", Rate: 1}); err == nil {
		t.Errorf("a language without a model: %.20q", b)
	}
	// Another model of the same name is another voice.
	before := p.Voices()[0].Version
	if err := os.WriteFile(filepath.Join(dir, "en_GB-alba-medium.onnx"), []byte("heavier"), 0o600); err != nil {
		t.Fatal(err)
	}
	if p, err = FindPiper(t.Context(), program, models); err != nil || p.Voices()[0].Version == before || p.Voices()[1].Version == before {
		t.Errorf("%v: %+v", err, p.Voices())
	}
	newer, dir := piper(t, "echo the following arguments are required: -m >&2; exit 2")
	if p, err := FindPiper(t.Context(), newer, []string{"*=" + dir + "/de_DE-thorsten-low.onnx"}); err != nil || p.Version() != "piper" {
		t.Errorf("%v: %+v", err, p)
	}
}

func TestPiperThatIsNone(t *testing.T) {
	program, dir := piper(t, "exit 2")
	model := dir + "/en_GB-alba-medium.onnx"
	for _, bad := range [][]string{
		nil, {""}, {model}, {"en-GB="}, {"en GB=" + model}, {"en-GB=" + dir + "/absent.onnx"}, {"en-GB=" + program}, {"en-GB=" + model, "de=" + model}, {"en-GB=" + dir + "/a b.onnx"},
	} {
		if p, err := FindPiper(t.Context(), program, bad); err == nil {
			t.Errorf("%q: %+v", bad, p)
		}
	}
	if err := os.WriteFile(model+".json", []byte("<html>"), 0o600); err != nil {
		t.Fatal(err)
	}
	if p, err := FindPiper(t.Context(), program, []string{"en-GB=" + model}); err == nil {
		t.Errorf("settings that are none: %+v", p)
	}
	mice := filepath.Join(t.TempDir(), "piper")
	if err := os.WriteFile(mice, []byte("#!/bin/sh\necho Usage: piper, configure gaming mice\n"), 0o700); err != nil { //nolint:gosec // to be run
		t.Fatal(err)
	}
	if _, err := FindPiper(t.Context(), mice, []string{"de=" + dir + "/de_DE-thorsten-low.onnx"}); err == nil || !strings.Contains(err.Error(), "mice") {
		t.Errorf("the program for mice: %v", err)
	}
	broken, dir := piper(t, "exit 2")
	p, err := FindPiper(t.Context(), broken, []string{"de=" + dir + "/de_DE-thorsten-low.onnx"})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(broken, []byte("#!/bin/sh\necho Traceback /secret >&2; exit 1\n"), 0o700); err != nil { //nolint:gosec // to be run
		t.Fatal(err)
	}
	var f *fault.Error
	if _, err := p.Speak(t.Context(), Request{Text: "x", Language: "de", Rate: 1}); !errors.As(err, &f) || f.Slug != fault.Upstream || strings.Contains(f.Detail, "secret") {
		t.Errorf("%v", err)
	}
}

// other is an engine with a voice of German and one of Welsh.
type other struct{}

func (other) Version() string { return "other 1" }

func (other) Voices() []Voice {
	return []Voice{{ID: "anna", Language: "de"}, {ID: "dewi", Language: "cy", Version: "7"}}
}

func (other) Speak(_ context.Context, r Request) ([]byte, error) { return []byte(r.Voice), nil }

func TestSeveral(t *testing.T) {
	program, dir := piper(t, "exit 2")
	p, err := FindPiper(t.Context(), program, []string{"de=" + dir + "/de_DE-thorsten-low.onnx"})
	if err != nil {
		t.Fatal(err)
	}
	s := Combined{p, other{}}
	voices := s.Voices()
	if s.Version() != "" || len(voices) != 3 || voices[1].Version != "other 1" || voices[2].Version != "other 1 7" || !strings.HasPrefix(voices[0].Version, "piper ") {
		t.Errorf("%+v", voices)
	}
	for _, c := range [][3]string{{"de", "", "RIFF"}, {"de", "anna", "anna"}, {"cy", "", "dewi"}, {"fr", "", ""}, {"cy", "anna", ""}} {
		b, err := s.Speak(t.Context(), Request{Text: "x", Language: c[0], Voice: c[1], Rate: 1})
		if !bytes.HasPrefix(b, []byte(c[2])) || (err == nil) != (c[2] != "") {
			t.Errorf("%v: %.10q, %v", c, b, err)
		}
	}
}
