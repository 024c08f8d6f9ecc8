package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/waygate/waygate/cmd/waygate/files"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/importer"
	"github.com/waygate/waygate/importer/importertest"
	"github.com/waygate/waygate/index/height"
	"github.com/waygate/waygate/region"
	"github.com/waygate/waygate/road/search/searchtest"
	"github.com/waygate/waygate/soaktest"
	"github.com/waygate/waygate/towntest"
	"github.com/waygate/waygate/waittest"
)

// harms are ways to damage a section's file; other is another section's.
var harms = []struct {
	name string
	do   func(r *rand.Rand, path, other string) error
}{
	{"flipped bits", func(r *rand.Rand, path, _ string) error {
		return edited(path, func(data []byte) {
			for range 1 + r.IntN(8) {
				data[r.IntN(len(data))] ^= 1 << r.IntN(8)
			}
		})
	}},
	{"flipped bits of numbers", func(r *rand.Rand, path, _ string) error {
		return edited(path, func(data []byte) {
			for range 16 + len(data)/500 { // many, in what arrays are made of
				data[r.IntN(len(data))] ^= 1 << r.IntN(8)
			}
		})
	}},
	{"a stretch of ones", func(r *rand.Rand, path, _ string) error {
		return stretch(r, path, func(data []byte) {
			for i := range data {
				data[i] = 0xff
			}
		})
	}},
	{"a stretch of noise", func(r *rand.Rand, path, _ string) error {
		return stretch(r, path, func(data []byte) {
			for i := range data {
				data[i] = byte(r.IntN(256))
			}
		})
	}},
	{"a stretch of zeros", func(r *rand.Rand, path, _ string) error {
		return stretch(r, path, func(data []byte) { clear(data) })
	}},
	{"a zeroed half", func(r *rand.Rand, path, _ string) error {
		return edited(path, func(data []byte) {
			half := r.IntN(2) * (len(data) / 2)
			clear(data[half : half+len(data)/2])
		})
	}},
	{"cut short", func(r *rand.Rand, path, _ string) error {
		info, err := os.Stat(path)
		return errors.Join(err, os.Truncate(path, r.Int64N(info.Size())))
	}},
	{"emptied", func(_ *rand.Rand, path, _ string) error { return os.Truncate(path, 0) }},
	{"copied over", func(_ *rand.Rand, path, _ string) error {
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if err := os.Truncate(path, 0); err != nil {
			return err
		}
		time.Sleep(5 * time.Millisecond)
		return os.WriteFile(path, data, 0o600)
	}},
	{"another copied over", func(_ *rand.Rand, path, other string) error {
		data, err := os.ReadFile(other)
		return errors.Join(err, os.WriteFile(path, data, 0o600))
	}},
	{"swapped", func(_ *rand.Rand, path, other string) error {
		return errors.Join(os.Rename(path, path+".x"), os.Rename(other, path), os.Rename(path+".x", other))
	}},
	{"deleted", func(_ *rand.Rand, path, _ string) error { return os.Remove(path) }},
	{"grown", func(r *rand.Rand, path, _ string) error {
		data, err := os.ReadFile(path)
		return errors.Join(err, os.WriteFile(path, append(data, make([]byte, 1+r.IntN(10_000))...), 0o600))
	}},
	{"shut", func(_ *rand.Rand, path, _ string) error { return os.Chmod(path, 0) }},
}

// edited changes a file in place.
func edited(path string, change func(data []byte)) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	change(data)
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteAt(data, 0)
	return errors.Join(err, f.Close())
}

func stretch(r *rand.Rand, path string, change func(data []byte)) error {
	return edited(path, func(data []byte) {
		from := r.IntN(len(data))
		change(data[from : from+1+r.IntN(len(data)-from)])
	})
}

// asking is a question and its right answers: other routes may be given besides the best
// once a metric of their options has been made.
type asking struct {
	path, body string
	status     int
	right      []string
}

// questionsOf asks of every part of a region, around places that lie in a row.
func questionsOf(id string, p []geo.Point) (all []*asking) {
	at := func(i int) string { return fmt.Sprintf(`{"lat":%.6f,"lon":%.6f}`, p[i].Lat, p[i].Lon) }
	var places []string
	for i := range p {
		places = append(places, at(i))
	}
	row := strings.Join(places, ",")
	ends := at(0) + "," + at(len(p)-1)
	ask := func(path, body string) { all = append(all, &asking{path: path, body: body}) }
	for _, costing := range []string{"auto", "truck", "bicycle", "pedestrian"} {
		ask("/route", `{"costing":"`+costing+`","locations":[`+ends+`],"landmarks":true}`)
		ask("/matrix", `{"costing":"`+costing+`","sources":[`+row+`],"targets":[`+row+`]}`)
		ask("/isochrone", `{"costing":"`+costing+`","locations":[`+at(1)+`],"contours":[{"time":5}],"polygons":true}`)
	}
	ask("/route", `{"costing":"auto","alternates":2,"locations":[`+row+`],"costing_options":{"auto":{"use_highways":0.3}}}`)
	ask("/route", `{"costing":"auto","date_time":{"type":1,"value":"2026-06-01T08:30"},"locations":[`+ends+`]}`)
	ask("/route", `{"costing":"auto","exclude_locations":[`+at(1)+`],"locations":[`+ends+`]}`)
	ask("/matrix", `{"costing":"auto","sources":[`+row+`],"targets":[`+row+`],"costing_options":{"auto":{"use_tolls":0.2}}}`)
	ask("/trace_route", `{"costing":"auto","shape":[`+row+`],"shape_match":"map_snap"}`)
	ask("/trace_attributes", `{"costing":"auto","shape":[`+row+`],"shape_match":"map_snap"}`)
	ask("/locate", `{"costing":"auto","verbose":true,"locations":[`+row+`]}`)
	ask("/centroid", `{"costing":"auto","locations":[`+row+`]}`)
	ask("/route/report", `{"costing":"auto","locations":[`+ends+`]}`)
	ask(fmt.Sprintf("/route/v1/driving/%.6f,%.6f;%.6f,%.6f?steps=true", p[0].Lon, p[0].Lat, p[1].Lon, p[1].Lat), "")
	ask("/tiles/"+id+"/tiles.json", "")
	ask("/tiles/"+id+"/0/0/0.mvt", "")
	return all
}

// answered asks, and gives the answer without the address of the server, which
// differs.
func (q *asking) answered(client *http.Client, address string) (status int, media, body string, err error) {
	method := http.MethodGet
	if q.body != "" {
		method = http.MethodPost
	}
	r, err := http.NewRequest(method, address+q.path, strings.NewReader(q.body))
	if err != nil {
		return 0, "", "", err
	}
	r.Header.Set("Content-Type", "application/json")
	if strings.HasSuffix(q.path, ".mvt") {
		r.Header.Set("Accept-Encoding", "gzip") // as it lies in the archive
	}
	resp, err := client.Do(r)
	if err != nil {
		return 0, "", "", err
	}
	text, err := io.ReadAll(resp.Body)
	return resp.StatusCode, resp.Header.Get("Content-Type"), clock.ReplaceAllString(strings.ReplaceAll(string(text), address, ""), ""), errors.Join(err, resp.Body.Close())
}

// clock matches the times of now in an answer: when a route comes into a zone.
var clock = regexp.MustCompile(`"(enters|leaves)_at":"[^"]*",?`)

// patient waits longer than a server may take.
var patient = &http.Client{Timeout: waittest.Patience, Transport: &http.Transport{MaxIdleConnsPerHost: 4, DisableCompression: true}}

// damaging is a region to damage, beside one that is left alone.
type damaging struct {
	*testing.T
	id, dir, alone         string
	once                   bool // each section is damaged before the start or live, in turn
	questions, others      []*asking
	asked, wrong, bad      atomic.Int64
	found, sound, reported atomic.Int64
}

// start serves copies of both.
func (d *damaging) start(dir string) (address string, stop func() error, err error) {
	s := quick()
	s.VerifyEvery = 100 * time.Millisecond
	ctx, cancel := context.WithCancel(d.Context())
	ready, ended := make(chan string, 1), make(chan error, 1)
	data, err := os.MkdirTemp(filepath.Dir(dir), "accounts")
	if err != nil {
		cancel()
		return "", nil, err
	}
	go func() {
		ended <- serve(ctx, s, serveOptions{regions: files.Folders{dir, d.alone}, data: data, ready: func(a string) { ready <- a }})
	}()
	select {
	case address = <-ready:
		return address, func() error { cancel(); return <-ended }, nil
	case err := <-ended:
		cancel()
		return "", nil, fmt.Errorf("it does not start: %w", err)
	}
}

// learn asks everything of an undamaged server.
func (d *damaging) learn() {
	address, stop, err := d.start(d.dir)
	if err != nil {
		d.Fatal(err)
	}
	ok := 0
	for range 6 { // options that come back have more worked out for them, behind the answers
		for _, q := range append(d.questions[:len(d.questions):len(d.questions)], d.others...) {
			status, _, body, err := q.answered(patient, address)
			if err != nil {
				d.Fatal(err)
			}
			if q.status = status; !slices.Contains(q.right, body) {
				q.right = append(q.right, body)
			}
			if q.status < 300 {
				ok++
			}
		}
	}
	if ok < 60 {
		d.Fatalf("%d answers only: the test tests little", ok)
	}
	if err := stop(); err != nil {
		d.Fatal(err)
	}
}

// judge checks that an answer is right, or a document of a failure. Of changed
// files another answer is not forbidden until they have been read.
func (d *damaging) judge(q *asking, address, what string, changed bool) (refused bool) {
	status, media, body, err := q.answered(patient, address)
	d.asked.Add(1)
	switch {
	case err != nil:
		d.Errorf("%s: %s: %v", what, q.path, err)
	case status == q.status && slices.Contains(q.right, body):
	case status >= 400:
		d.bad.Add(1)
		if !strings.Contains(media, "json") || !json.Valid([]byte(body)) {
			d.Errorf("%s: %s: %d %s %.300s", what, q.path, status, media, body)
		}
		return true
	case !changed:
		d.Errorf("%s: %s %s: %d %.500s, want %d %.500s", what, q.path, q.body, status, body, q.status, q.right)
	default:
		d.wrong.Add(1)
	}
	return false
}

// one damages a section, while requests are sent or before the start.
func (d *damaging) one(seed uint64, name string, live bool) {
	r := rand.New(rand.NewPCG(seed, 7)) //nolint:gosec // repeatable
	harm := harms[int(seed)%len(harms)]
	what := fmt.Sprintf("%s %s, live %v, seed %d", name, harm.name, live, seed)
	root, err := os.MkdirTemp(d.TempDir(), "case")
	if err != nil {
		d.Error(err)
		return
	}
	defer func() { _ = os.RemoveAll(root) }()
	dir := filepath.Join(root, "region")
	if err := os.CopyFS(dir, os.DirFS(d.dir)); err != nil {
		d.Error(err)
		return
	}
	m, err := region.ReadManifest(dir)
	if err != nil {
		d.Error(err)
		return
	}
	info, _ := m.Section(name)
	others := []region.SectionInfo{}
	for _, s := range m.Sections {
		if s.Name != name {
			others = append(others, s)
		}
	}
	path, other := filepath.Join(dir, info.File), filepath.Join(dir, others[r.IntN(len(others))].File)
	mapped, err := os.Open(path)
	if err != nil {
		d.Error(err)
		return
	}
	defer func() { _ = mapped.Close() }()
	if !live {
		if err := harm.do(r, path, other); err != nil {
			d.Error(err)
			return
		}
	}
	address, stop, err := d.start(dir)
	if err != nil {
		d.Errorf("%s: %v", what, err)
		return
	}
	var over atomic.Bool
	var clients sync.WaitGroup
	if live {
		for i := range 2 {
			clients.Go(func() {
				for n := i; !over.Load(); n++ {
					d.judge(d.questions[n%len(d.questions)], address, what, true)
				}
			})
		}
		time.Sleep(time.Duration(r.IntN(100)) * time.Millisecond)
		if err := harm.do(r, path, other); err != nil {
			d.Errorf("%s: %v", what, err)
		}
		time.Sleep(20 * time.Millisecond)
	}
	changed := !same(mapped, info)
	if !live {
		now, err := os.Open(path)
		changed = err != nil || !same(now, info) || !same(openOr(other, now), sectionOf(m, other))
		if err == nil {
			_ = now.Close()
		}
	}
	if changed {
		d.damaged(address, what, name)
	}
	over.Store(true)
	clients.Wait()
	if !changed {
		d.whole(address, what, optional[name] != "" && harm.name == "copied over")
	}
	for _, q := range d.others {
		if d.judge(q, address, what, false) && q.status < 400 {
			d.Errorf("%s: another region does not answer %s", what, q.path)
		}
	}
	if err := stop(); err != nil {
		d.Errorf("%s: it ended with %v", what, err)
	}
}

// optional are the sections that routes are found without, and what /health calls what
// they hold.
var optional = map[string]string{"boundaries": "boundaries", "landmarks": "landmarks", "places": "places", "coverage": "coverage", "zones": "zones", "heritage": "heritage", "roadside": "roadside", "timetable": "timetable", "stopwalks": "stopwalks", "basemap": "map"}

// damaged checks that the damage is found, and the region out of service then, or where
// routes are found without what is damaged, that taken away.
func (d *damaging) damaged(address, what, section string) {
	d.found.Add(1)
	var health string
	lost, found := optional[section], "out of service"
	if lost != "" {
		found = "answers without its "
	}
	for began := time.Now(); !strings.Contains(health, "out of service") && !strings.Contains(health, found); time.Sleep(20 * time.Millisecond) {
		for _, q := range d.questions {
			d.judge(q, address, what, true)
		}
		resp, err := patient.Get(address + "/health")
		if err != nil {
			d.Errorf("%s: %v", what, err)
			return
		}
		text, _ := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		if health = string(text); time.Since(began) > waittest.Patience {
			d.Errorf("%s: the damage is not found: %s", what, health)
			return
		}
	}
	// Where two files were swapped routes may need the other one.
	if out := strings.Contains(health, "out of service"); !out {
		d.without(address, what, lost, health)
	} else {
		for _, q := range d.questions {
			status, _, body, err := q.answered(patient, address)
			if d.asked.Add(1); err != nil || status != http.StatusServiceUnavailable || !strings.Contains(body, "out of service") {
				d.Errorf("%s: %s of a region out of service: %d %.300s %v", what, q.path, status, body, err)
			}
		}
	}
	resp, err := patient.Get(address + "/metrics")
	if err != nil {
		d.Errorf("%s: %v", what, err)
		return
	}
	text, err := io.ReadAll(resp.Body)
	metric := fmt.Sprintf("waygate_region_damaged{region=%q} 1", d.id)
	if err := errors.Join(err, resp.Body.Close()); err != nil || !strings.Contains(string(text), metric) || !strings.Contains(string(text), `waygate_region_damaged{region="beside"} 0`) {
		d.Errorf("%s: /metrics does not tell: %v", what, err)
	}
	d.reported.Add(1)
}

// without checks that a region that has lost something still finds every route, and is
// as right as it was of all that does not ask for what is lost.
func (d *damaging) without(address, what, lost, health string) {
	if !strings.Contains(health, `"degraded"`) || !strings.Contains(health, lost) {
		d.Errorf("%s: /health does not tell of %s: %s", what, lost, health)
	}
	for _, q := range d.questions {
		if strings.Contains(health, "its map") && strings.HasPrefix(q.path, "/tiles/") {
			continue // of the map
		}
		status, _, body, err := q.answered(patient, address)
		d.asked.Add(1)
		// Routes name landmarks, zones and cameras; borders decide which rules hold.
		if err != nil || status != q.status || lost == "map" && !slices.Contains(q.right, body) {
			d.Errorf("%s: %s %s without %s: %d %.300s %v", what, q.path, q.body, lost, status, body, err)
		}
	}
}

// whole checks that answers are right, at once or as soon as what was copied over
// has been read. passing says that something may have been lost for a moment.
func (d *damaging) whole(address, what string, passing bool) {
	d.sound.Add(1)
	for began := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		refused := 0
		wrong := d.wrong.Load()
		for _, q := range d.questions {
			if d.judge(q, address, what, passing) && q.status < 400 {
				refused++
			}
		}
		if passing = passing && d.wrong.Load() > wrong; passing {
			refused++
		}
		if refused == 0 {
			return
		}
		if time.Since(began) > waittest.Patience {
			d.Errorf("%s: %d questions are refused", what, refused)
			return
		}
	}
}

// same reports whether a file holds what the manifest says.
func same(f *os.File, info region.SectionInfo) bool {
	var b bytes.Buffer
	if _, err := io.Copy(&b, io.NewSectionReader(f, 0, 1<<40)); err != nil {
		return false
	}
	sum := sha256.Sum256(b.Bytes())
	return int64(b.Len()) == info.Size && hex.EncodeToString(sum[:]) == info.SHA256
}

func openOr(path string, instead *os.File) *os.File {
	if f, err := os.Open(path); err == nil {
		return f
	}
	return instead
}

func sectionOf(m *region.Manifest, path string) (info region.SectionInfo) {
	for _, s := range m.Sections {
		if s.File == filepath.Base(path) {
			info = s
		}
	}
	return info
}

// run damages every section, in so many ways before the start and as many live,
// some at a time.
func (d *damaging) run(ways int) {
	m, err := region.ReadManifest(d.dir)
	if err != nil {
		d.Fatal(err)
	}
	d.learn()
	free := make(chan struct{}, 6)
	var cases sync.WaitGroup
	count := 0
	for i, s := range m.Sections {
		for n := range 2 * ways {
			if d.once && (i+n)%2 == 1 {
				continue
			}
			free <- struct{}{}
			count++
			cases.Go(func() {
				defer func() { <-free }()
				// Few cases take another part of the harms for each section.
				d.one(uint64(n/2+i*ways), s.Name, n%2 == 0)
			})
		}
	}
	cases.Wait()
	d.Logf("%d sections damaged in %d cases: %d found, %d harmless; of %d questions %d refused and %d answered otherwise before it was found; the process lives",
		len(m.Sections), count, d.reported.Load(), d.sound.Load(), d.asked.Load(), d.bad.Load(), d.wrong.Load())
	if d.reported.Load() != d.found.Load() {
		d.Errorf("%d of %d damages were found", d.reported.Load(), d.found.Load())
	}
}

// TestDamage damages every section of a town's region and of the sample county's.
// WAYGATE_CASES=100 does so in a hundred ways each, live and before the start. Those of the
// county are damaged both live and before the start by make soak alone.
func TestDamage(t *testing.T) {
	alone := towntest.Draw(t, "x---y\n|   |\nz---w", towntest.Ways{{"xy", "primary"}, {"xz", "primary"}, {"zw", "primary"}, {"yw", "primary"}}, towntest.At(towntest.Germany))
	beside := t.TempDir()
	if _, err := importer.Run(t.Context(), importer.Options{Dir: beside, Sources: []string{alone.PBF(t)}, ID: "beside"}); err != nil {
		t.Fatal(err)
	}
	others := questionsOf("beside", []geo.Point{alone.Point("x"), alone.Point("y"), alone.Point("w")})
	t.Run("town", func(t *testing.T) {
		town := towntest.Draw(t, "a---b---c---g\n|   |   |   |\nd---e---f---h", towntest.Ways{
			{"abcg", "primary name=High"}, {"defh", "residential"}, {"ad", "residential"}, {"be", "residential oneway=yes"}, {"cf", "service"}, {"gh", "secondary toll=yes"},
		}, towntest.Nodes{{"e", "amenity=pub name=Lion"}, {"b", "amenity=cafe name=Bean"}}, towntest.At(towntest.England))
		dir, heights := t.TempDir(), t.TempDir()
		corner := height.CornerOf(town.Point("a"))
		tile := height.Draw(corner, height.ThreeArcSeconds, func(geo.Point) (float64, bool) { return 50, true })
		if err := os.WriteFile(filepath.Join(heights, corner.String()+".hgt"), tile, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := importer.Run(t.Context(), importer.Options{Dir: dir, Sources: []string{town.PBF(t)}, ID: "town", Heights: []string{heights}}); err != nil {
			t.Fatal(err)
		}
		d := &damaging{T: t, id: "town", dir: dir, alone: beside, questions: questionsOf("town", []geo.Point{town.Point("a"), town.Point("e"), town.Point("h")}), others: others}
		d.run(searchtest.Cases(1))
	})
	t.Run("county", func(t *testing.T) {
		dir := importertest.County(t)
		m, err := region.ReadManifest(dir)
		if err != nil {
			t.Fatal(err)
		}
		var p []geo.Point
		for i := range 5 {
			part := 0.3 + 0.1*float64(i)
			p = append(p, geo.Point{Lon: m.Bounds.Min.Lon + part*(m.Bounds.Max.Lon-m.Bounds.Min.Lon), Lat: m.Bounds.Min.Lat + part*(m.Bounds.Max.Lat-m.Bounds.Min.Lat)})
		}
		d := &damaging{T: t, id: m.ID, dir: dir, alone: beside, questions: questionsOf(m.ID, p), others: others, once: !soaktest.Whole()}
		d.run(searchtest.Cases(1))
	})
}
