package e2e

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// walk asks a gateway of its own, so that its processor time is the walk's.
type walk struct {
	requestWriter
	t       *testing.T
	env     []string
	gateway *gateway
	meter   *meter
	first   int64 // resident memory once it was there
	key     string
	found   *[]finding
	wrong   time.Duration // the weight of what was found of the present request
	refusal string        // of the request that was refused last, where it says what would do
}

// finding is a request that costs more than the gateway thinks.
type finding struct {
	weight time.Duration
	text   string
}

// estimated is the answer to ?estimate=1.
type estimated struct {
	EstimatedMS float64 `json:"estimated_ms"`
	MemoryBytes int64   `json:"memory_bytes"`
	Accepted    bool
	Reason      string
}

// took is the cost of a request.
type took struct {
	variant  variant
	estimate *estimated // nil where the endpoint gives none
	status   int
	hint     bool // Retry-After
	size     int64
	used     time.Duration // of the processors
	waited   time.Duration // for a processor that others had
	memory   int64         // at its most, above what was resident before
	excerpt  string
	gaveUp   bool
	wrong    time.Duration // the weight of what was found
}

func (c took) String() string {
	guess := "no estimate"
	if c.estimate != nil {
		guess = fmt.Sprintf("estimate %.0f ms and %d KB", c.estimate.EstimatedMS, c.estimate.MemoryBytes>>10)
	}
	return fmt.Sprintf("%s; measured %d ms, %d MB of memory, answer %d of %d KB", guess, c.used.Milliseconds(), c.memory>>20, c.status, c.size>>10)
}

// last returns the member that the request is about: those before it are what it needs.
func (c took) last() setting { return c.variant.sets[len(c.variant.sets)-1] }

// kept reports whether others had the processors for most of the time that the request wanted
// one: that it ran out of time says nothing then.
func (c took) kept() bool { return c.waited > c.used }

// ratio returns how many times its estimate a request took.
func (c took) ratio() float64 {
	guess := 1.0
	if c.estimate != nil {
		guess = max(guess, c.estimate.EstimatedMS)
	}
	return float64(c.used.Milliseconds()) / guess
}

// The time that a request may take beyond its estimate.
const (
	timesEstimate = 10
	alwaysTime    = time.Second // less is never too much
	timesMemory   = 4
	alwaysMemory  = 64 << 20
	alwaysSize    = 8 << 20
	ownMemory     = 256 << 20 // a key's own places may have 40 MiB of text, and give no estimate
	jobMemory     = 512 << 20 // what all calls may hold together by default; a job's estimate is of taking it
	afterCut      = 250 * time.Millisecond
	longest       = 40 * time.Second
)

// start starts the gateway, or another in its place.
func (w *walk) start() {
	w.t.Helper()
	if w.gateway != nil {
		if w.gateway.cmd.Process.Kill() == nil {
			_ = w.gateway.stop() // that it was killed is no news
		}
	}
	g, err := launch(w.env, "serve")
	if err != nil {
		w.t.Fatal(err)
	}
	w.gateway, w.meter = g, newMeter(w.t, g)
	w.first, _ = w.meter.memory()
}

// find notes a request that costs too much.
func (w *walk) find(weight time.Duration, format string, args ...any) {
	w.t.Helper()
	f := finding{weight, filepath.Base(w.t.Name()) + ": " + fmt.Sprintf(format, args...)}
	*w.found = append(*w.found, f)
	w.wrong = max(w.wrong, weight, 1)
	w.t.Error(f.text)
}

// late notes a request that took longer than its limit. A walk that measures finds fault
// with that at once, a test only with ten times as much, so that no slow machine turns it red.
func (w *walk) late(took, limit time.Duration, format string, args ...any) {
	w.t.Helper()
	if os.Getenv("WAYGATE_WALK") == "" && took < 10*limit {
		w.t.Logf(format, args...)
		return
	}
	w.find(took, format, args...)
}

// plainClient reads an answer without keeping it.
var plainClient = &http.Client{CheckRedirect: client.CheckRedirect, Transport: &http.Transport{MaxIdleConnsPerHost: 4, DisableCompression: true}}

// send sends a request and measures what it costs the gateway. With a time to cut
// after, the connection is cut then.
func (w *walk) send(out sending, query string, cut time.Duration) (c took, err error) {
	w.t.Helper()
	target := out.target
	if query != "" {
		if strings.Contains(target, "?") {
			query = "&" + query
		} else {
			query = "?" + query
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), longest)
	defer cancel()
	if cut > 0 {
		ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{WroteRequest: func(httptrace.WroteRequestInfo) { time.AfterFunc(cut, cancel) }})
	}
	r, err := http.NewRequestWithContext(ctx, out.method, w.gateway.url+target+query, strings.NewReader(out.body))
	if err != nil {
		return c, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+w.key)
	before, _ := w.meter.memory()
	w.meter.forget()
	used, waited := w.meter.processor(), w.meter.waited()
	resp, err := plainClient.Do(r)
	if err == nil {
		c.status, c.hint = resp.StatusCode, resp.Header.Get("Retry-After") != ""
		head, readErr := io.ReadAll(io.LimitReader(resp.Body, 1<<14))
		rest, copyErr := io.Copy(io.Discard, resp.Body)
		c.size, c.excerpt = int64(len(head))+rest, string(head)
		err = errors.Join(readErr, copyErr)
		_ = resp.Body.Close()
	}
	c.used, c.waited = w.meter.processor()-used, w.meter.waited()-waited
	_, most := w.meter.memory()
	c.memory = max(0, most-before)
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		c.gaveUp, err = true, nil
	}
	return c, err
}

// estimate asks what a request would cost.
func (w *walk) estimate(r variant, out sending) (*estimated, took) {
	w.t.Helper()
	c, err := w.send(out, "estimate=1", 0)
	if err != nil {
		w.t.Errorf("%s: its estimate: %v", r, err)
		return nil, c
	}
	if c.used > alwaysTime {
		w.late(c.used, alwaysTime, "%s: to ask for its estimate took %d ms of processor time (status %d)", r, c.used.Milliseconds(), c.status)
	}
	if c.status != http.StatusOK {
		if c.status >= 500 && c.status != http.StatusNotImplemented {
			w.find(c.used, "%s: its estimate is answered with %d: %s", r, c.status, shortened([]byte(c.excerpt)))
		}
		return nil, c
	}
	e := &estimated{}
	(&answer{body: []byte(c.excerpt)}).into(w.t, e)
	return e, c
}

// largest finds the largest request of a kind that is accepted, by halving what is refused,
// and returns what it would cost. dearest bounds the estimate.
func (w *walk) largest(r variant, dearest float64) (variant, *estimated, bool) {
	w.t.Helper()
	w.refusal = ""
	try := func(r variant) (*estimated, bool) {
		out, err := w.write(r)
		if err != nil {
			w.t.Fatal(err)
		}
		e, c := w.estimate(r, out)
		if e == nil && (w.refusal == "" || amendable.MatchString(c.excerpt)) {
			w.refusal = c.excerpt
		}
		return e, e != nil && e.Accepted && e.EstimatedMS <= dearest
	}
	e, ok := try(r)
	if ok {
		return r, e, true
	}
	refused := r
	for range 16 {
		if e != nil && e.EstimatedMS > dearest && e.EstimatedMS > 4*dearest {
			refused = r
		}
		less, some := r.smaller(0.5)
		if !some {
			return r, nil, false
		}
		refused, r = r, less
		if e, ok = try(r); ok {
			if more, some := refused.smaller(0.75); some && more.String() != r.String() {
				if e, ok := try(more); ok {
					return more, e, true
				}
			}
			return r, e, true
		}
	}
	return r, nil, false
}

// ask sends a request as large as it is accepted, and judges what it cost.
func (w *walk) ask(r variant, dearest float64) (c took, ok bool) {
	w.t.Helper()
	if now, _ := w.meter.memory(); now > w.first+128<<20 {
		w.start() // what an earlier request has left would hide what this one takes
	}
	w.wrong = 0
	var e *estimated
	if r.of.estimates() {
		if r, e, ok = w.largest(r, dearest); !ok {
			c.excerpt = w.refusal
			return c, false
		}
	}
	for range 16 {
		out, err := w.write(r)
		if err != nil {
			w.t.Fatal(err)
		}
		if c, err = w.send(out, "", 0); err != nil {
			w.find(0, "%s: no answer: %v", r, err)
			w.start()
			return c, false
		}
		c.variant, c.estimate = r, e
		if r.of.job() {
			w.work(&c)
		}
		w.judge(c, out)
		if c.wrong = w.wrong; c.status < 300 || c.wrong > 0 {
			w.clear(r, c)
			return c, c.status < 300
		}
		less, some := r.smaller(0.5)
		if c.status != http.StatusBadRequest && c.status != http.StatusRequestEntityTooLarge || e != nil || !some {
			return c, false
		}
		r = less
	}
	return c, false
}

// judge reports what is wrong with the cost of a request.
func (w *walk) judge(c took, out sending) {
	w.t.Helper()
	r := c.variant
	if c.gaveUp {
		if c.kept() {
			w.t.Logf("%s: no answer within %s, of which others had the processors for %s; %s", r, longest, c.waited.Round(time.Millisecond), c)
		} else {
			w.late(c.used, alwaysTime, "%s: no answer within %s; %s", r, longest, c)
		}
		w.settle(r, "was given up")
		return
	}
	limit := alwaysTime
	if c.estimate != nil && !r.of.job() {
		limit = max(limit, time.Duration(timesEstimate*c.estimate.EstimatedMS*float64(time.Millisecond)))
	}
	if c.used > limit {
		w.late(c.used, limit, "%s: takes %.1f times its estimate: %s", r, c.ratio(), c)
	}
	said := int64(0)
	if c.estimate != nil {
		said = c.estimate.MemoryBytes
	}
	if c.size > alwaysSize && said < c.size {
		w.find(c.used, "%s: answers %d MB that its estimate did not tell of: %s", r, c.size>>20, c)
	}
	most := max(alwaysMemory, timesMemory*said) + timesMemory*int64(len(out.body))
	if strings.HasPrefix(r.of.path, "/places") {
		most = max(most, ownMemory)
	}
	if r.of.job() {
		most = jobMemory
	}
	if c.memory > most {
		w.find(c.used, "%s: holds %d MB: %s", r, c.memory>>20, c)
	}
	switch {
	case strings.Contains(c.excerpt, "static-map-unavailable"): // the browser was not ready in time
	case c.status == http.StatusGatewayTimeout && c.kept():
		w.t.Logf("%s: ran out of time, of which others had the processors for %s: %s", r, c.waited.Round(time.Millisecond), c)
		w.settle(r, "ran out of time")
		return
	case c.status == http.StatusGatewayTimeout:
		w.late(c.used, limit, "%s: was not refused and ran out of time: %s", r, c)
		w.settle(r, "ran out of time")
		return
	case c.status == http.StatusServiceUnavailable && c.hint, c.status == http.StatusNotImplemented && strings.Contains(c.excerpt, "capability"):
	case c.status >= 500:
		w.find(c.used, "%s: %s: %s", r, c, shortened([]byte(c.excerpt)))
	}
	if c.used < 200*time.Millisecond || r.of.job() || r.of.speaks() {
		if c.used > 50*time.Millisecond {
			w.meter.rest(5 * time.Second)
		}
		return
	}
	w.meter.rest(5 * time.Second)
	if _, err := w.send(out, "", 50*time.Millisecond); err == nil {
		return // it was quicker this time
	}
	w.settle(r, "was left by its caller after 50 ms")
}

// settle waits until the gateway is done with a request that nobody waits for any
// more, which is to be at once.
func (w *walk) settle(r variant, why string) {
	w.t.Helper()
	if r.of.speaks() {
		w.meter.rest(longest)
		return
	}
	used, idle := w.meter.rest(20 * time.Second)
	if used > afterCut {
		w.late(used, afterCut, "%s: %s, and worked on for %d ms of processor time", r, why, used.Milliseconds())
	}
	if !idle {
		w.late(used, afterCut, "%s: %s, and does not come to rest within 20 s", r, why)
		w.start()
		return
	}
	if taken := w.taken(); taken != "" {
		w.find(20*time.Second, "%s: %s, and the metrics say %s", r, why, taken)
		w.start()
	}
}

var seatLine = regexp.MustCompile(`waygate_calls_seats_taken\{lane="\w+"\} (\d+)`)

// taken returns the line of metrics of a slot that is taken, empty where none is.
func (w *walk) taken() string {
	w.t.Helper()
	for _, found := range seatLine.FindAllStringSubmatch(string(w.gateway.get(w.t, "/metrics").body), -1) {
		if found[1] != "0" {
			return found[0]
		}
	}
	return ""
}
