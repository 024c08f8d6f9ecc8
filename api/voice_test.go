package api_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/api"
	"github.com/waygate/waygate/api/apitest"
	"github.com/waygate/waygate/blob"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/heritage"
	"github.com/waygate/waygate/voice"
	"github.com/waygate/waygate/voice/audio"
	"github.com/waygate/waygate/voice/speech"
	"github.com/waygate/waygate/waittest"
	"github.com/waygate/waygate/world"
)

// speaker is a server of speech, which answers as its texts say.
type speaker struct {
	*httptest.Server
	spoke atomic.Int32
	hang  chan struct{}
}

func newSpeaker(t testing.TB) *speaker {
	t.Helper()
	s := &speaker{hang: make(chan struct{})}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.spoke.Add(1)
		var asked struct{ Input string }
		if json.NewDecoder(r.Body).Decode(&asked) != nil {
			http.Error(w, "no", http.StatusBadRequest)
			return
		}
		sound := make(audio.Sound, audio.Rate)
		for i := range sound {
			sound[i] = float32(i%100)/50 - 1
		}
		wav := sound.WAV()
		switch {
		case strings.Contains(asked.Input, "page"):
			w.Header().Set("Content-Type", "text/html")
			_, _ = io.WriteString(w, "<!DOCTYPE html><title>502 Bad Gateway</title>")
			return
		case strings.Contains(asked.Input, "half"):
			w.Header().Set("Content-Length", fmt.Sprint(len(wav)))
			wav = wav[:len(wav)/2]
		case strings.Contains(asked.Input, "busy"):
			w.Header().Set("Retry-After", "0.01")
			w.WriteHeader(http.StatusTooManyRequests)
			return
		case strings.Contains(asked.Input, "hang"):
			<-s.hang
		}
		_, _ = w.Write(wav)
	}))
	t.Cleanup(s.Close)
	return s
}

// service returns a service that speaks by the server.
func (s *speaker) service(t testing.TB, wait time.Duration) *voice.Service {
	t.Helper()
	v := voice.New(voice.Options{
		Engine: speech.NewServer(speech.ServerOptions{URL: s.URL, Model: "tones", Voices: []speech.Voice{{ID: "alba", Language: "en-GB"}, {ID: "carla", Language: "de"}}}),
		Store:  blob.NewFolder(t.TempDir()), Encoder: &audio.Encoder{}, Wait: wait,
	})
	t.Cleanup(v.Close)
	return v
}

func speaking(t *testing.T, wait time.Duration) (*apitest.Gateway, *speaker) {
	t.Helper()
	s := newSpeaker(t)
	v := s.service(t, wait)
	return apitest.Start(t, func(o *api.Options) { o.Voice = v }), s
}

// clip returns one of the clips of an answer.
func clip(t *testing.T, r apitest.Reply, i int) map[string]any {
	t.Helper()
	list, _ := r.At(t, "clips").([]any)
	if i >= len(list) {
		t.Fatalf("%s", r.Body)
	}
	return list[i].(map[string]any)
}

func TestVoiceClips(t *testing.T) {
	g, s := speaking(t, waittest.Patience)
	k := g.Minted(t, account.Minting{MonthlyQuota: 3})
	ask := func(method, path, body string, header ...string) apitest.Reply {
		t.Helper()
		return g.Send(method, path, body, append(apitest.Bearer(k.Secret), header...)...)
	}
	const body = `{"utterances":["Turn left.","Turn right onto the A4042.","Turn left."]}`
	r := ask("POST", "/v1/voice/clips", body)
	if r.Status != 200 || r.Header.Get("X-Svc-Quota-Units") != "2" || s.spoke.Load() != 2 || r.At(t, "pending") != 0.0 || clip(t, r, 1)["text"] != "Turn right onto the A 40 42." || clip(t, r, 1)["cached"] != false {
		t.Fatalf("%d %v %s", r.Status, r.Header, r.Body)
	}
	if again := ask("POST", "/v1/voice/clips", body); again.Status != 200 || again.Header.Get("X-Svc-Quota-Units") != "0" || clip(t, again, 0)["cached"] != true || clip(t, again, 0)["hash"] != clip(t, r, 0)["hash"] {
		t.Errorf("again: %v %s", again.Header, again.Body)
	}
	// The last unit is used up, and what is held is answered still.
	if r := ask("POST", "/v1/voice/clips", `{"utterances":["Turn left.","Go on."]}`); r.Status != 200 || r.Header.Get("X-Svc-Quota-Units") != "1" {
		t.Errorf("one new: %d %v %s", r.Status, r.Header, r.Body)
	}
	ask("POST", "/v1/voice/clips", `{"utterances":["Too much."]}`).Problem(t, 429, "quota-exceeded")
	if again := ask("POST", "/v1/voice/clips", body); again.Status != 200 {
		t.Errorf("without quota: %d %s", again.Status, again.Body)
	}

	long := `{"utterances":["` + strings.Repeat("Turn left. ", 60) + `","Bear right."]}` // which is read in a slot
	if e := ask("POST", "/v1/voice/clips?estimate=1", long); e.Status != 200 || e.At(t, "units") != 2.0 || e.At(t, "estimated_ms").(float64) < 1000 {
		t.Errorf("an estimate: %d %s", e.Status, e.Body)
	}

	address := clip(t, r, 0)["url"].(string)
	whole := ask("GET", address, "")
	if whole.Status != 200 || whole.Header.Get("Content-Type") != audio.Opus.Media() || !bytes.HasPrefix(whole.Body, []byte("OggS")) || float64(len(whole.Body)) != clip(t, r, 0)["bytes"] ||
		whole.Header.Get("Cache-Control") != "private, max-age=31536000, immutable" || whole.Header.Get("X-Svc-Quota-Units") != "" {
		t.Fatalf("%d %v, %d bytes", whole.Status, whole.Header, len(whole.Body))
	}
	tag := whole.Header.Get("Etag")
	if part := ask("GET", address, "", "Range", "bytes=4-9"); part.Status != 206 || !bytes.Equal(part.Body, whole.Body[4:10]) {
		t.Errorf("a part: %d %q", part.Status, part.Body)
	}
	if same := ask("GET", address, "", "If-None-Match", tag); same.Status != 304 {
		t.Errorf("with %s: %d", tag, same.Status)
	}
	ask("GET", address, "", "Range", "bytes=99999999-").Problem(t, 416, "range-not-satisfiable")
	for _, path := range []string{"/v1/voice/clips/abc.opus", strings.Replace(address, "opus", "mp3", 1), strings.Replace(address, "opus", "wav", 1), strings.TrimSuffix(address, ".opus"), "/v1/voice/clips/..%2f..%2fx.opus"} {
		if r := ask("GET", path, ""); r.Status != 404 {
			t.Errorf("%s: %d", path, r.Status)
		}
	}
	bank := ask("GET", "/v1/voice/bank?voice=alba&limit=2", "")
	next, _ := bank.At(t, "next").(string)
	rest := ask("GET", "/v1/voice/bank?voice=alba&limit=2&after="+next, "")
	if bank.Status != 200 || len(bank.At(t, "clips").([]any)) != 2 || len(rest.At(t, "clips").([]any)) != 1 || rest.At(t, "next") != nil {
		t.Errorf("%s %s", bank.Body, rest.Body)
	}
}

func TestVoiceSpeech(t *testing.T) {
	g, s := speaking(t, waittest.Patience)
	k := g.Minted(t, account.Minting{MonthlyQuota: 10})
	const path = "/v1/voice/speech?text=Turn+left.&language=en-GB&format=wav"
	for i, units := range []string{"1", "0"} {
		r := g.Send("GET", path, "", apitest.Bearer(k.Secret)...)
		if _, err := audio.ReadWAV(r.Body); r.Status != 200 || err != nil || r.Header.Get("X-Svc-Quota-Units") != units || r.Header.Get("Content-Type") != "audio/wav" {
			t.Fatalf("%d: %d %v %v", i, r.Status, r.Header, err)
		}
		made := clip(t, g.Send("POST", "/v1/voice/clips", `{"utterances":["Turn left."],"format":"wav"}`, apitest.Bearer(k.Secret)...), 0)
		if at := made["url"].(string); !bytes.Equal(g.Send("GET", at, "", apitest.Bearer(k.Secret)...).Body, r.Body) {
			t.Errorf("%s is another clip", at)
		}
	}
	if s.spoke.Load() != 1 {
		t.Errorf("spoken %d times", s.spoke.Load())
	}
}

func TestVoiceRefuses(t *testing.T) {
	g, s := speaking(t, waittest.Patience)
	k := g.Minted(t, account.Minting{MonthlyQuota: 10})
	long := strings.Repeat("a", 5000)
	for name, body := range map[string]string{
		"no utterance": `{"utterances":[]}`, "none at all": `{}`, "empty": `{"utterances":[""]}`, "blank": `{"utterances":["  "]}`, "long": `{"utterances":["` + long + `"]}`,
		"control": `{"utterances":["a\u0007b"]}`, "null": `{"utterances":["a\u0000"]}`, "number": `{"utterances":[1]}`, "many": `{"utterances":[` + strings.Repeat(`"a",`, 50) + `"a"]}`,
		"language": `{"utterances":["a"],"language":"sv"}`, "nonsense": `{"utterances":["a"],"language":"$(id)"}`, "voice": `{"utterances":["a"],"voice":"; rm"}`, "voice of another": `{"utterances":["a"],"voice":"carla"}`,
		"slow": `{"utterances":["a"],"rate":0.4}`, "fast": `{"utterances":["a"],"rate":2.1}`, "format": `{"utterances":["a"],"format":"mp3"}`, "marks": `{"utterances":["<<>>"]}`,
	} {
		r := g.Send("POST", "/v1/voice/clips", body, apitest.Bearer(k.Secret)...)
		if r.Status != 400 || r.Header.Get("X-Svc-Quota-Units") != "" || len(r.Body) > 2000 {
			t.Errorf("%s: %d %.300s", name, r.Status, r.Body)
		}
	}
	g.Send("POST", "/v1/voice/clips", `{"utterances":["a"],"format":"m4a"}`, apitest.Bearer(k.Secret)...).Problem(t, 501, "voice-not-enabled")
	if s.spoke.Load() != 0 {
		t.Errorf("spoken %d times", s.spoke.Load())
	}
	for text, status := range map[string]int{"page": 502, "half": 502, "busy": 503} {
		r := g.Send("POST", "/v1/voice/clips", `{"utterances":["`+text+`"]}`, apitest.Bearer(k.Secret)...)
		if r.Status != status || r.Header.Get("X-Svc-Quota-Units") != "" || bytes.Contains(r.Body, []byte("127.0.0.1")) {
			t.Errorf("%s: %d %s", text, r.Status, r.Body)
		}
	}
	r := g.Send("POST", "/v1/voice/clips", `{"utterances":["half","<speak>Turn <b>left</b></speak>"]}`, apitest.Bearer(k.Secret)...)
	if r.Status != 200 || r.Header.Get("X-Svc-Quota-Units") != "1" || r.At(t, "failed") != 1.0 || clip(t, r, 0)["problem"].(map[string]any)["status"] != 502.0 || strings.ContainsAny(clip(t, r, 1)["text"].(string), "<>") {
		t.Errorf("%d %s", r.Status, r.Body)
	}
}

func TestVoicePending(t *testing.T) {
	g, s := speaking(t, time.Millisecond)
	k := g.Minted(t, account.Minting{MonthlyQuota: 10})
	ask := func() apitest.Reply {
		return g.Send("POST", "/v1/voice/clips", `{"utterances":["hang"]}`, apitest.Bearer(k.Secret)...)
	}
	r := ask()
	if r.Status != 200 || clip(t, r, 0)["pending"] != true || clip(t, r, 0)["duration_s"] != nil || r.Header.Get("X-Svc-Quota-Units") != "1" {
		t.Fatalf("%d %s", r.Status, r.Body)
	}
	if r := g.Send("GET", clip(t, r, 0)["url"].(string), "", apitest.Bearer(k.Secret)...); r.Status != 404 {
		t.Errorf("%d", r.Status)
	}
	close(s.hang)
	waittest.Until(t, "the clip is made", func() bool {
		r := ask()
		if units := r.Header.Get("X-Svc-Quota-Units"); units != "0" {
			t.Fatalf("waiting costs %s", units)
		}
		return clip(t, r, 0)["pending"] == false
	})
	if s.spoke.Load() != 1 {
		t.Errorf("spoken %d times", s.spoke.Load())
	}
}

// TestOneClipAtOnce asks two hundred times at once for one new clip over HTTP: one call pays.
func TestOneClipAtOnce(t *testing.T) {
	g, s := speaking(t, waittest.Patience)
	k := g.Minted(t, account.Minting{MonthlyQuota: 1000})
	var work sync.WaitGroup
	var paid atomic.Int32
	for range 200 {
		work.Go(func() {
			r := g.Send("POST", "/v1/voice/clips", `{"utterances":["In 400 metres, turn right."]}`, apitest.Bearer(k.Secret)...)
			if r.Status != 200 {
				t.Errorf("%d %s", r.Status, r.Body)
			}
			if r.Header.Get("X-Svc-Quota-Units") == "1" {
				paid.Add(1)
			}
		})
	}
	work.Wait()
	if s.spoke.Load() != 1 || paid.Load() != 1 {
		t.Errorf("spoken %d times, paid %d times", s.spoke.Load(), paid.Load())
	}
}

// A heritage line names the clip that POST /v1/voice/clips makes of its text, and makes none.
func TestHeritageNamesClips(t *testing.T) {
	s := newSpeaker(t)
	v := s.service(t, time.Minute)
	line := [][2]float64{{9, 47}, {9.01, 47}}
	corpus := heritage.Corpus{
		Format: heritage.Format, Version: heritage.Version, ReviewedOn: "2026-11-01", Attribution: []string{"Town archive"},
		Corridor: heritage.Corridor{ID: "high-street", Name: "The High Street", Road: "High Street", Line: line},
		Entries:  []heritage.Entry{{ID: "mill", Text: "A mill stood here in 1840.", Lat: 47, Lon: 9.005, Subject: "mill", Basis: "record", Source: "https://archive.example/mill", Licence: "CC0-1.0", Reviewer: "A. Smith"}},
	}
	if problems := heritage.Check([]heritage.Corpus{corpus}); problems != nil {
		t.Fatal(problems)
	}
	g := apitest.Start(t, func(o *api.Options) {
		o.Voice = v
		o.Acquire = apitest.Changed(t, o.Acquire, func(r *world.Region) { r.Heritage = heritage.NewIndex([]heritage.Corpus{corpus}) })
	})
	body, err := json.Marshal(map[string]string{"geometry_polyline6": geo.EncodePolyline([]geo.Point{{Lon: 9, Lat: 47}, {Lon: 9.01, Lat: 47}}, 6), "voice_format": "opus"})
	if err != nil {
		t.Fatal(err)
	}
	r := g.Send("POST", "/v1/route/heritage", string(body))
	if r.Status != 200 || len(r.At(t, "lines").([]any)) != 1 {
		t.Fatalf("%d %s", r.Status, r.Body)
	}
	said := r.At(t, "lines").([]any)[0].(apitest.Object)
	named := said["clip"].(apitest.Object)
	if named["format"] != "opus" || g.Send("GET", named["url"].(string), "").Status != 404 {
		t.Errorf("%s, want a clip that is not made", r.Body)
	}
	made := clip(t, g.Send("POST", "/v1/voice/clips", fmt.Sprintf(`{"utterances":[%q]}`, said["say"])), 0)
	if made["hash"] != named["hash"] || made["url"] != named["url"] || g.Send("GET", named["url"].(string), "").Status != 200 {
		t.Errorf("%v, and the line names %v", made, named)
	}
}
