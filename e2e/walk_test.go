package e2e

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"gotest.tools/v3/assert"
	"gotest.tools/v3/golden"

	"github.com/waygate/waygate/importer"
	"github.com/waygate/waygate/importer/importertest"
	"github.com/waygate/waygate/realdata"
)

// walkFile has the dearest requests of each endpoint that walks have found.
const walkFile = "testdata/walk.txt"

// TestWalk asks for what is dear and holds what it costs against the estimate: the
// requests of testdata/walk.txt, or, as make walk does with WAYGATE_WALK=whole, every
// member of every request of the gateway's own document at its largest, alone and with
// others, on the county and on a city. WAYGATE_WALK=county leaves out the city, alone
// the others too, WAYGATE_WALK_ONLY is an expression for endpoints to ask alone, and
// WAYGATE_WALK_FINDINGS a file for what is found, the worst first. With -update the
// worst of each endpoint are added to testdata/walk.txt. WAYGATE_WALK_REGION is the
// folder of a region in place of the county. WAYGATE_WALK_REQUESTS is a file to which
// the requests of testdata/walk.txt are written as they are sent, for waygate bench load
// --beside, in place of asking them.
//
// It is not parallel: what it measures is the processor time of a gateway of its own.
func TestWalk(t *testing.T) {
	if _, err := os.Stat("/proc/self/clear_refs"); err != nil {
		t.Skipf("processor time and memory are measured by /proc: %v", err)
	}
	dir := filepath.Join(filepath.Dir(filepath.Dir(countyDir(t))), "sample")
	env := []string{
		"SVC_REGION_DIR=" + countyDir(t), "SVC_ADMIN_TOKEN=" + adminToken, "SVC_FEEDS=" + liveFeeds(t), "SVC_ZONES=" + filepath.Join(dir, "zones.json"),
		"SVC_ELEVATION_DIR=" + filepath.Join(dir, "heights"), "SVC_ELEVATION_DATASET=invented",
	}
	if region := os.Getenv("WAYGATE_WALK_REGION"); region != "" {
		env = []string{"SVC_REGION_DIR=" + region, "SVC_ADMIN_TOKEN=" + adminToken}
	}
	form, found := os.Getenv("WAYGATE_WALK"), &[]finding{}
	t.Run("county", func(t *testing.T) {
		w, all := newWalk(t, env, found)
		if form == "" {
			w.short(all)
			return
		}
		w.whole(all, form != "alone")
	})
	if form != "whole" {
		return
	}
	t.Run("city", func(t *testing.T) {
		region := importertest.Import(t, importer.Options{Sources: []string{realdata.File(t, "osm/newport-wales-20230613.osm.pbf")}})
		w, all := newWalk(t, []string{"SVC_REGION_DIR=" + region, "SVC_ADMIN_TOKEN=" + adminToken}, found)
		w.whole(all, true)
	})
}

// newWalk starts a gateway with a key and places of its own, and reads its document.
func newWalk(t *testing.T, env []string, found *[]finding) (*walk, []*operation) {
	t.Helper()
	data := t.TempDir()
	w := &walk{t: t, found: found, env: append(env, "SVC_DATABASE_URL=sqlite:"+filepath.Join(data, "accounts.db"), "SVC_DATA_DIR="+data, "SVC_WEBHOOKS_PRIVATE=true")}
	w.start()
	t.Cleanup(func() {
		if err := w.gateway.stop(); err != nil {
			t.Errorf("the gateway ended with %v\n%s", err, w.gateway.log.String())
		}
	})
	w.key, _ = mint(t, w.gateway, 1e12, 1e6)
	reply[fields](t, w.gateway, 200, http.MethodPost, "/v1/keys/self/webhook-secret", w.key, fields{}) // for watches
	w.d = &description{}
	all := w.d.operations(t, w.gateway.get(t, "/openapi.json", "Accept-Encoding: identity").ok(t))
	s := &scribe{gateway: w.gateway, key: w.key}
	w.spots = s.settle(t)
	middle := center(w.spots)
	slices.SortStableFunc(w.spots, func(a, b spot) int { return int(1e7 * (distance(a, middle) - distance(b, middle))) })
	w.examples = targets(t, all)
	w.examples["GET /v1/transit/departures"] = "/v1/transit/departures?stop=990ZZ01009"
	w.examples["GET /v1/voice/bank"] = "/v1/voice/bank?voice=en-gb" // there is no speech engine here
	upload := variant{of: all[slices.IndexFunc(all, func(o *operation) bool { return o.String() == "PUT /places" })], sets: []setting{{"places", "5000 spread"}}}
	out, err := w.write(upload)
	assert.NilError(t, err)
	if c, err := w.send(out, "", 0); err != nil || c.status >= 300 {
		t.Fatalf("places: %v, %d %s", err, c.status, c.excerpt)
	}
	w.first, _ = w.meter.memory()
	return w, all
}

func center(all []spot) (c spot) {
	for _, p := range all {
		c.lat, c.lon = c.lat+p.lat/float64(len(all)), c.lon+p.lon/float64(len(all))
	}
	return c
}

func distance(a, b spot) float64 { return math.Hypot(a.lat-b.lat, a.lon-b.lon) }

// targets returns addresses of endpoints with GET, from examples that have an answer.
func targets(t *testing.T, all []*operation) map[string]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", answersDir, "*.txt"))
	assert.NilError(t, err)
	found := map[string]string{}
	for _, file := range files {
		if filepath.Base(file) == accountsFile+".txt" {
			continue
		}
		for _, q := range questions(t, file) {
			for _, o := range all {
				pattern := regexp.MustCompile(`^` + regexp.MustCompile(`\\\{\w+\\\}`).ReplaceAllString(regexp.QuoteMeta(o.path), `[^/?]+`) + `(\?|$)`)
				if o.method == http.MethodGet && q.method == o.method && pattern.MatchString(q.target) && strings.HasPrefix(q.want, "200\n") && found[o.String()] == "" && !strings.Contains(q.target, "estimate=") {
					found[o.String()] = q.target
				}
			}
		}
	}
	return found
}

// briefly is the estimate in milliseconds up to which requests of the file are sent, the
// others as large as keeps within it: a request whose estimate says that it takes long
// passes.
const briefly = 1000

// short sends the requests of the file.
func (w *walk) short(all []*operation) {
	file := os.Getenv("WAYGATE_WALK_REQUESTS")
	var text bytes.Buffer
	for _, line := range walkLines(w.t) {
		r, err := w.d.readVariant(all, line)
		if err != nil {
			w.t.Errorf("%s: %v", walkFile, err)
			continue
		}
		if file != "" {
			w.writeTo(&text, r)
			continue
		}
		began := time.Now()
		if c, ok := w.ask(r, briefly); ok {
			w.t.Logf("%s: %s; all in %.1f s", c.variant, c, time.Since(began).Seconds())
		} else {
			w.t.Logf("%s is refused in %.1f s: %s", r, time.Since(began).Seconds(), shortened([]byte(c.excerpt)))
		}
	}
	if file != "" {
		assert.NilError(w.t, os.WriteFile(file, text.Bytes(), 0o644))
	}
}

// writeTo writes a request as large as it is accepted, unless it leaves something to be
// done after its answer.
func (w *walk) writeTo(text *bytes.Buffer, r variant) {
	if r.of.estimates() {
		largest, _, ok := w.largest(r, math.MaxFloat64)
		if !ok {
			return
		}
		r = largest
	}
	out, err := w.write(r)
	assert.NilError(w.t, err)
	if !r.of.job() && r.of.path != "/v1/watches" && r.of.path != "/v1/plans" && out.method != http.MethodPut {
		fmt.Fprintln(text, out.method, out.target, out.body)
	}
}

func walkLines(t *testing.T) (all []string) {
	t.Helper()
	text, err := os.ReadFile(walkFile)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			all = append(all, line)
		}
	}
	return all
}

// whole walks all endpoints.
func (w *walk) whole(all []*operation, together bool) {
	only := regexp.MustCompile(os.Getenv("WAYGATE_WALK_ONLY"))
	var lines []string
	for _, o := range all {
		if !only.MatchString(o.String()) {
			continue
		}
		began := time.Now()
		costs := w.walk(o, together)
		w.t.Logf("%s: %d requests in %.0f s", o, len(costs), time.Since(began).Seconds())
		for i, c := range worst(costs) {
			if w.t.Logf("  %d. %s: %s", i+1, c.variant, c); o.path != "/api/static-map" && (i == 0 || !o.job()) { // a browser draws for seconds, and of jobs one will do
				lines = append(lines, c.variant.String())
			}
		}
		w.report()
	}
	if golden.FlagUpdate() {
		assert.NilError(w.t, addLines(w.t, lines))
	}
}

// worst lists the three requests of which the worst was found, or else that lie
// furthest above their estimates, of those alike the dearest. What costs next to
// nothing is left out, but for one.
func worst(costs []took) []took {
	order := slices.Clone(costs)
	slices.SortStableFunc(order, func(a, b took) int {
		lies := func(c took) float64 {
			if c.used < 100*time.Millisecond {
				return 0
			}
			return math.Floor(math.Log2(max(1, c.ratio())))
		}
		return cmp.Or(cmp.Compare(b.wrong, a.wrong), cmp.Compare(lies(b), lies(a)), cmp.Compare(b.used, a.used))
	})
	n := min(1, len(order))
	for n < min(3, len(order)) && (order[n].wrong > 0 || order[n].used > 5*time.Millisecond) {
		n++
	}
	return order[:n]
}

// addLines adds requests to the file, below what it has.
func addLines(t *testing.T, lines []string) error {
	have := walkLines(t)
	for _, line := range lines {
		if !slices.Contains(have, line) {
			have = append(have, line)
		}
	}
	slices.SortStableFunc(have, func(a, b string) int {
		x, _, _ := strings.Cut(a, ":")
		y, _, _ := strings.Cut(b, ":")
		return strings.Compare(x, y)
	})
	return os.WriteFile(walkFile, []byte("# The dearest requests that make walk has found, which go test ./e2e -run TestWalk asks.\n"+strings.Join(have, "\n")+"\n"), 0o644)
}

// report writes what was found so far, the worst first.
func (w *walk) report() {
	file := os.Getenv("WAYGATE_WALK_FINDINGS")
	if file == "" {
		return
	}
	order := slices.Clone(*w.found)
	slices.SortStableFunc(order, func(a, b finding) int { return int(b.weight - a.weight) })
	var text strings.Builder
	for _, f := range order {
		fmt.Fprintln(&text, f.text)
	}
	assert.NilError(w.t, os.WriteFile(file, []byte(text.String()), 0o644))
}

// walk asks for one endpoint: its example, each member at its largest, all of them, and
// in pairs those that made it dearer.
func (w *walk) walk(o *operation, together bool) (costs []took) {
	base := variant{of: o}
	if o.job() && slices.ContainsFunc(w.d.requestShape(o).members, func(l requestMember) bool { return l.path == "time_limit_s" }) {
		base = base.with(setting{"time_limit_s", "2"}) // a search goes on for as long as it is given
	}
	if _, example := o.body(); example == nil && w.examples[o.String()] == "" && strings.ContainsAny(o.path, "{") {
		w.t.Logf("%s is left out: no question of testdata/answers is answered", o)
		return nil
	}
	if _, ok := w.examples[o.String()]; !ok && o.RequestBody == nil { // what must be there, as small as it can be
		for _, l := range w.d.requestShape(o).members {
			required := l.path == lineBody || slices.ContainsFunc(o.Parameters, func(p *parameter) bool { return p.Required && "?"+p.Name == l.path })
			if values := w.maxima(o, l); required && len(values) > 0 {
				base = base.with(setting{l.path, values[len(values)-1]})
			}
		}
	}
	plain, ok := w.ask(base, math.MaxFloat64)
	if !ok {
		w.t.Logf("%s is left out: its example is answered with %d %s", o, plain.status, shortened([]byte(plain.excerpt)))
		return nil
	}
	costs = append(costs, plain)
	spent := time.Duration(0)
	ask := func(r variant) (took, bool) {
		dearest := math.MaxFloat64
		switch {
		case spent > time.Minute && !o.estimates():
			return took{}, false // such as images, of which each takes seconds
		case spent > 2*time.Minute:
			dearest = 1000
		}
		began := time.Now()
		c, ok := w.ask(r, dearest)
		if spent += time.Since(began); ok || c.wrong > 0 {
			costs = append(costs, c)
		}
		return c, ok
	}
	var alone []took
	for _, l := range w.d.requestShape(o).members {
		for _, value := range w.maxima(o, l) {
			c, ok := ask(base.with(setting{l.path, value}))
			for r := base; !ok; {
				amended, some := amend(r, l.path, c.excerpt)
				if !some {
					break
				}
				r = amended
				c, ok = ask(r.with(setting{l.path, value}))
			}
			if ok {
				alone = append(alone, c)
			} else {
				w.t.Logf("  not accepted: %s: %s", base.with(setting{l.path, value}), shortened([]byte(c.excerpt)))
			}
		}
	}
	if !together {
		return costs
	}
	w.everything(base, ask)
	dear := dearer(plain, alone)
	for i, a := range dear {
		for _, b := range dear[:i] {
			if a.last().path != b.last().path {
				ask(base.with(append(slices.Clone(b.variant.sets), a.variant.sets...)...))
			}
		}
	}
	return costs
}

// everything sets one member after the other to its largest, of those that go together.
func (w *walk) everything(base variant, ask func(variant) (took, bool)) {
	r := base
	for _, kind := range []string{"array", "integer", "number", "boolean", "string"} {
		for _, l := range w.d.requestShape(base.of).members {
			values := w.maxima(base.of, l)
			if string(l.form.Type) != kind || len(values) == 0 {
				continue
			}
			more := r.with(setting{l.path, values[0]})
			if base.of.estimates() {
				if less, _, ok := w.largest(more, 20_000); ok {
					r = less
				}
			} else if c, ok := ask(more); ok {
				r = c.variant
			}
		}
	}
	ask(r)
}

// dearer lists members that made a request dearer than its example: the six that did
// most, and all lists that did at all.
func dearer(plain took, alone []took) (out []took) {
	add := func(c took) {
		if !slices.ContainsFunc(out, func(o took) bool { return o.variant.String() == c.variant.String() }) {
			out = append(out, c)
		}
	}
	for _, by := range []func(took) float64{
		func(c took) float64 { return float64(c.used - plain.used) },
		func(c took) float64 { return float64(c.memory - plain.memory) },
		func(c took) float64 { return float64(c.size - plain.size) },
	} {
		order := slices.Clone(alone)
		slices.SortStableFunc(order, func(a, b took) int { return int(by(b) - by(a)) })
		for _, c := range order[:min(2, len(order))] {
			add(c)
		}
	}
	for _, c := range alone {
		last := c.last()
		if n, fill, ok := last.count(); ok && n > 2 && fill != alongLine && fill != inOnePlace && c.used > plain.used+3*time.Millisecond && !strings.HasPrefix(last.path, "costing_options") && len(out) < 14 {
			add(c)
		}
	}
	return out
}
