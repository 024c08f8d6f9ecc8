package e2e

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/osm/osmtest"
	"github.com/waygate/waygate/realdata"
	"github.com/waygate/waygate/soaktest"
	"github.com/waygate/waygate/waittest"
)

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func write(t *testing.T, path string, data []byte) string {
	t.Helper()
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// manifest is a region's, as the tests read and spoil it.
type manifest map[string]any

func manifestOf(t *testing.T, dir string) manifest {
	t.Helper()
	var m manifest
	if err := json.Unmarshal(read(t, filepath.Join(dir, "region.json")), &m); err != nil {
		t.Fatal(err)
	}
	return m
}

func (m manifest) write(t *testing.T, dir string) {
	t.Helper()
	data, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	// As the importer does it: a server that watches never sees half of it.
	half := write(t, filepath.Join(dir, "region.json.half"), data)
	if err := os.Rename(half, filepath.Join(dir, "region.json")); err != nil {
		t.Fatal(err)
	}
}

// sections returns the file of each section.
func (m manifest) sections(t *testing.T) map[string]string {
	t.Helper()
	files := map[string]string{}
	for _, s := range m["sections"].([]any) {
		s := s.(map[string]any)
		files[s["name"].(string)] = s["file"].(string)
	}
	return files
}

// copied returns a copy of the county's region that a test may spoil.
func copied(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "region")
	if err := os.CopyFS(dir, os.DirFS(countyDir(t))); err != nil {
		t.Fatal(err)
	}
	return dir
}

// smallXML returns the western end of the county as XML: its first few thousand
// nodes with the ways that need no others.
func smallXML(t *testing.T) []byte {
	t.Helper()
	all := generated().Data
	small := osm.Data{Nodes: all.Nodes}
	for i := range all.Ways {
		if all.Ways[i].Tags.Get("highway") == "primary" {
			small.Ways = append(small.Ways, all.Ways[i])
		}
	}
	needed := map[int64]bool{}
	for i := range small.Ways {
		for _, n := range small.Ways[i].Nodes {
			needed[n] = true
		}
	}
	small.Nodes = nil
	for i := range all.Nodes {
		if needed[all.Nodes[i].ID] {
			small.Nodes = append(small.Nodes, all.Nodes[i])
		}
	}
	var b bytes.Buffer
	if err := osmtest.WriteXML(&b, &small); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func gzipped(t *testing.T, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestImportEveryFormat(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	xml := smallXML(t)
	files := map[string]string{
		"pbf":  realdata.Carried(t, "delaware-latest.osm.pbf"),
		"bz2":  filepath.Join("..", "osm", "testdata", "town.osm.bz2"),
		"xml":  write(t, filepath.Join(dir, "west.osm"), xml),
		"gzip": write(t, filepath.Join(dir, "west.osm.gz"), gzipped(t, xml)),
	}
	if soaktest.Whole() {
		files["country"] = realdata.Carried(t, "andorra-latest.osm.bz2")
	}
	for name, file := range files {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if !exists(file) {
				t.Fatalf("%s is missing", file)
			}
			imports(t, filepath.Join(dir, name), file)
		})
	}
}

func TestImportRealExtracts(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"osm/newport-wales-20230613.osm.pbf", "osm/dreieich-20221016.osm.gz"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			imports(t, t.TempDir(), realdata.File(t, name))
		})
	}
}

// imports imports a file and checks that the region verifies and serves.
func imports(t *testing.T, dir, file string) {
	t.Helper()
	out := succeeds(t, "import", "--out", dir, file)
	if !regexp.MustCompile(`roads: [1-9]\d* nodes, [1-9]\d* edges`).MatchString(out) {
		t.Errorf("%s", out)
	}
	if v := succeeds(t, "verify", dir); !strings.Contains(v, "every section matches") || !strings.Contains(v, filepath.Base(file)) {
		t.Errorf("verify: %s", v)
	}
	g := start(t, nil, "serve", "--region", dir)
	g.get(t, "/health").ok(t)
	g.get(t, "/explorer.json").ok(t)
}

func TestImportFromAnAddress(t *testing.T) {
	t.Parallel()
	data := gzipped(t, smallXML(t))
	var asked int
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/west-latest.osm.gz":
			asked++
			http.ServeContent(w, r, "west.osm.gz", time.Unix(1e9, 0), bytes.NewReader(data))
		case "/cut.osm.gz":
			w.Header().Set("Content-Length", fmt.Sprint(len(data)))
			_, _ = w.Write(data[:len(data)/2])
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(server.Close)
	dir := t.TempDir()
	secret := strings.Replace(server.URL, "http://", "http://me:hunter2@", 1) + "/west-latest.osm.gz?token=swordfish"
	out := succeeds(t, "import", "--out", dir, secret)
	if m := manifestOf(t, dir); m["id"] != "west" || strings.Contains(fmt.Sprint(m), "hunter2") || strings.Contains(fmt.Sprint(m), "swordfish") || strings.Contains(out, "hunter2") {
		t.Errorf("%v\n%s", m, out)
	}
	again := succeeds(t, "import", "--out", dir, secret)
	if !strings.Contains(again, "graph: unchanged, skipped") {
		t.Errorf("the same extract again: %s", again)
	}
	fails(t, nil, []string{"404"}, "import", "--out", filepath.Join(dir, "x"), server.URL+"/nothing.osm.pbf")
	fails(t, nil, []string{"cut.osm.gz"}, "import", "--out", filepath.Join(dir, "y"), server.URL+"/cut.osm.gz")
	fails(t, nil, []string{"127.0.0.1:1"}, "import", "--out", filepath.Join(dir, "z"), "http://127.0.0.1:1/west.osm.pbf")
	for _, name := range []string{"x", "y", "z"} {
		if exists(filepath.Join(dir, name, "region.json")) {
			t.Errorf("%s is sealed", name)
		}
	}
}

func TestImportOfBadFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	pbf := read(t, countyPBF(t))
	xml := smallXML(t)
	spoiled := bytes.Clone(pbf)
	spoiled[len(spoiled)/2] ^= 0xff
	region := copied(t)
	before := read(t, filepath.Join(region, "region.json"))
	for name, data := range map[string][]byte{
		"half.osm.pbf":    pbf[:len(pbf)/2],
		"spoiled.osm.pbf": spoiled,
		"last.osm.pbf":    pbf[:len(pbf)-1],
		"empty.osm.pbf":   {},
		"page.osm.pbf":    []byte("<!doctype html><title>404</title>"),
		"half.osm":        xml[:len(xml)/2],
		"half.osm.gz":     gzipped(t, xml)[:10_000],
		"noend.osm.gz":    gzipped(t, xml[:len(xml)-7]),
		"empty.osm":       {},
		"nothing.osm":     []byte(`<osm version="0.6"></osm>`),
		"text.osm.bz2":    []byte("BZh9 no more"),
		"a.zip":           []byte("PK\x03\x04"),
		"roadless.osm":    []byte(`<osm version="0.6"><node id="1" lat="49" lon="-7"/></osm>`),
	} {
		t.Run(name, func(t *testing.T) {
			file := write(t, filepath.Join(dir, name), data)
			says := name
			if name == "nothing.osm" || name == "roadless.osm" {
				says = "have no road"
			}
			fails(t, nil, []string{says}, "import", "--out", filepath.Join(dir, "new-"+name), file)
			if exists(filepath.Join(dir, "new-"+name, "region.json")) {
				t.Error("a region is sealed")
			}
			fails(t, nil, []string{says}, "import", "--id", "halvern", "--out", region, file)
			if !bytes.Equal(before, read(t, filepath.Join(region, "region.json"))) {
				t.Fatal("the region that was there has changed")
			}
		})
	}
	succeeds(t, "verify", region)
	fails(t, nil, []string{"nowhere.osm.pbf"}, "import", "--out", region, filepath.Join(dir, "nowhere.osm.pbf"))
	fails(t, nil, []string{"Not An Id"}, "import", "--out", region, "--id", "Not An Id", countyPBF(t))
	fails(t, nil, []string{"XX"}, "import", "--out", region, "--country", "XX", countyPBF(t))
	fails(t, nil, []string{"--out"}, "import", countyPBF(t))
	fails(t, nil, []string{"extract"}, "import", "--out", region)
	succeeds(t, "verify", region)
	g := start(t, nil, "serve", "--region", region)
	g.get(t, "/health").ok(t)
}

// extract returns an extract whose import takes long enough to be met in any of its stages:
// the county's, and in make soak that of a state.
func extract(t *testing.T) string {
	t.Helper()
	if soaktest.Whole() {
		return realdata.Carried(t, "delaware-latest.osm.pbf")
	}
	return countyPBF(t)
}

func TestImportKilledGoesOn(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := extract(t)
	kill := func(when func(said string, since time.Duration) bool) {
		var said record
		cmd := exec.CommandContext(t.Context(), binary, "import", "--out", dir, file)
		cmd.Env = environment(nil)
		cmd.Stderr = &said
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		waittest.Until(t, "the moment to kill", func() bool { return when(said.String(), time.Since(began)) })
		if err := cmd.Process.Signal(syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		if err := cmd.Wait(); err == nil {
			t.Fatal("the import had ended before it was killed")
		}
		if exists(filepath.Join(dir, "region.json")) {
			t.Fatal("an unfinished region is sealed")
		}
		fails(t, nil, []string{"waygate import"}, "serve", "--region", dir)
		fails(t, nil, []string{"waygate import"}, "verify", dir)
	}
	kill(func(_ string, since time.Duration) bool { return since > 100*time.Millisecond })
	kill(func(said string, _ time.Duration) bool { return strings.Contains(said, "graph: done") })
	out := succeeds(t, "import", "--out", dir, file)
	if !strings.Contains(out, "graph: unchanged, skipped") || !strings.Contains(out, "basemap: done") {
		t.Errorf("does not go on where it stood: %s", out)
	}
	succeeds(t, "verify", dir)
	left, err := filepath.Glob(filepath.Join(dir, "*.new"))
	if err != nil || len(left) > 0 {
		t.Errorf("left over: %v %v", left, err)
	}
}

// Only one import at a time goes into a folder, and one that is stopped
// says how to go on.
func TestImportsDoNotMeet(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := extract(t)
	var said record
	first := exec.CommandContext(t.Context(), binary, "import", "--out", dir, file)
	first.Env, first.Stderr = environment(nil), &said
	if err := first.Start(); err != nil {
		t.Fatal(err)
	}
	waittest.Until(t, "the graph is built", func() bool { return strings.Contains(said.String(), "graph: done") })
	fails(t, nil, []string{"another import", dir}, "import", "--out", dir, file)
	if err := first.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := first.Wait(); err == nil || !strings.Contains(said.String(), "interrupted") || strings.Contains(said.String(), "canceled") {
		t.Errorf("%v: %s", err, said.String())
	}
	succeeds(t, "import", "--out", dir, file)
	succeeds(t, "verify", dir)
}

// An import that is interrupted in any of its stages says so and ends, and the
// next one goes on.
func TestImportInterrupted(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := extract(t)
	for _, after := range []string{"", "graph: done", "snap: done", "onward: done", "hierarchy: done", "metrics: done", "bounds: done", "landmarks: done"} {
		var said record
		cmd := exec.CommandContext(t.Context(), binary, "import", "--out", dir, file)
		cmd.Env, cmd.Stderr = environment(nil), &said
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		waittest.Until(t, "the moment to interrupt", func() bool {
			text := said.String()
			return text != "" && (strings.Contains(text, after) || strings.Contains(text, strings.Replace(after, "done", "unchanged", 1)))
		})
		if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		select {
		case err := <-ended:
			if err == nil || !strings.Contains(said.String(), "interrupted; run the same command again") {
				t.Errorf("after %q: %v: %s", after, err, said.String())
			}
		case <-time.After(waittest.Patience):
			t.Errorf("after %q: it goes on after its signal", after)
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			if err := <-ended; err == nil {
				t.Error("it is killed and ends well")
			}
		}
		if exists(filepath.Join(dir, "region.json")) {
			t.Fatal("an unfinished region is sealed")
		}
	}
	succeeds(t, "import", "--out", dir, file)
	succeeds(t, "verify", dir)
}

func (r *record) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text.Write(p)
}

func TestVerifyNamesTheDamagedSection(t *testing.T) {
	t.Parallel()
	dir := copied(t)
	succeeds(t, "verify", dir)
	for name, file := range manifestOf(t, dir).sections(t) {
		path := filepath.Join(dir, file)
		whole := read(t, path)
		for _, where := range []int{0, len(whole) / 2, len(whole) - 1} {
			bad := bytes.Clone(whole)
			bad[where] ^= 1
			write(t, path, bad)
			fails(t, nil, []string{"section " + name, "SHA-256"}, "verify", dir)
		}
		write(t, path, whole[:len(whole)-1])
		fails(t, nil, []string{"section " + name, "bytes"}, "verify", dir)
		served(t, dir, name, "import")
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		fails(t, nil, []string{"section " + name}, "verify", dir)
		served(t, dir, name)
		write(t, path, whole)
	}
	succeeds(t, "verify", dir)
}

// spare has what /health calls the sections that routes are found without.
var spare = map[string]string{"boundaries": "boundaries", "landmarks": "landmarks", "places": "places", "coverage": "coverage", "zones": "zones", "heritage": "heritage", "roadside": "roadside", "timetable": "timetable", "stopwalks": "stopwalks", "basemap": "map"}

// served checks what becomes of a gateway with a damaged section: it says all of want and does
// not start, or, where routes are found without the section, serves and says what it lacks.
func served(t *testing.T, dir, section string, want ...string) {
	t.Helper()
	name, ok := spare[section]
	if !ok {
		fails(t, nil, append(want, "section "+section), "serve", "--region", dir)
		return
	}
	g, err := launch(nil, "serve", "--region", dir)
	if err != nil {
		t.Fatalf("without %s: %v", section, err)
	}
	var health struct{ Status, Detail string }
	g.get(t, "/health").ok(t).into(t, &health)
	for _, w := range append(want, "without its "+name) {
		if health.Status != "degraded" || !strings.Contains(health.Detail, w) {
			t.Errorf("without %s: /health is %s and does not say %q: %s", section, health.Status, w, health.Detail)
		}
	}
	if err := g.stop(); err != nil {
		t.Errorf("without %s: it ended with %v", section, err)
	}
}

// The advice of verify must help.
func TestImportRepairsADamagedRegion(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := write(t, filepath.Join(dir, "west.osm"), smallXML(t))
	succeeds(t, "import", "--out", dir, file)
	for name, section := range manifestOf(t, dir).sections(t) {
		path := filepath.Join(dir, section)
		data := read(t, path)
		data[len(data)/2] ^= 1
		write(t, path, data)
		fails(t, nil, []string{"section " + name, "import again"}, "verify", dir)
		succeeds(t, "import", "--out", dir, file)
		if code, out := command(t, nil, "verify", dir); code != 0 {
			t.Errorf("after a damage to %s and a new import: %s", name, out)
		}
	}
}

func TestManifestsThatDoNotFit(t *testing.T) {
	t.Parallel()
	both := func(t *testing.T, dir string, want ...string) {
		t.Helper()
		fails(t, nil, want, "verify", dir)
		fails(t, nil, want, "serve", "--region", dir)
	}
	t.Run("a newer format", func(t *testing.T) {
		dir := copied(t)
		m := manifestOf(t, dir)
		m["format"] = 99
		m.write(t, dir)
		both(t, dir, "format version 99", "reads up to 1", "upgrade")
	})
	for name, says := range map[string]string{"graph": "format version 99", "snap": "format version 99", "basemap": "newer format"} {
		t.Run("a newer "+name, func(t *testing.T) {
			dir := copied(t)
			m := manifestOf(t, dir)
			for _, s := range m["sections"].([]any) {
				if s := s.(map[string]any); s["name"] == name {
					s["version"] = 99
				}
			}
			m.write(t, dir)
			fails(t, nil, []string{name, "format version 99", "upgrade"}, "verify", dir)
			served(t, dir, name, says)
		})
	}
	t.Run("no format", func(t *testing.T) {
		dir := copied(t)
		m := manifestOf(t, dir)
		delete(m, "format")
		m.write(t, dir)
		both(t, dir, "format version")
	})
	t.Run("not JSON", func(t *testing.T) {
		dir := copied(t)
		write(t, filepath.Join(dir, "region.json"), []byte("{"))
		both(t, dir, "manifest is not readable")
	})
	t.Run("a file outside", func(t *testing.T) {
		dir := copied(t)
		m := manifestOf(t, dir)
		m["sections"].([]any)[0].(map[string]any)["file"] = "../../../etc/passwd"
		m.write(t, dir)
		both(t, dir, "outside the region")
	})
	t.Run("an empty folder", func(t *testing.T) {
		both(t, t.TempDir(), "waygate import")
	})
	t.Run("no folder", func(t *testing.T) {
		both(t, filepath.Join(t.TempDir(), "none"), "none")
		fails(t, nil, []string{"SVC_REGION_DIR"}, "serve")
	})
}

func TestCommandLine(t *testing.T) {
	t.Parallel()
	help := succeeds(t, "--help")
	for _, word := range []string{"run", "import", "serve", "verify", "sample", "version"} {
		if !strings.Contains(help, "\n  "+word) {
			t.Errorf("--help does not list %s", word)
		}
		if own := succeeds(t, word, "--help"); !strings.Contains(own, "Usage: waygate "+word) {
			t.Errorf("%s --help: %s", word, own)
		}
	}
	// Every setting that the start-up log shows is in the help, and the other
	// way round.
	name := regexp.MustCompile(`\bSVC_[A-Z_]+\b`)
	waittest.Until(t, "the settings are in the log", func() bool { return strings.Contains(county(t).log.String(), "msg=listening") })
	shown := map[string]bool{}
	for line := range strings.SplitSeq(county(t).log.String(), "\n") {
		if strings.Contains(line, "msg=settings") {
			for _, n := range name.FindAllString(line, -1) {
				shown[n] = true
			}
		}
	}
	helped := map[string]bool{}
	for _, n := range name.FindAllString(succeeds(t, "serve", "--help"), -1) {
		helped[n] = true
	}
	for n := range shown {
		if !helped[n] {
			t.Errorf("serve --help does not list %s", n)
		}
	}
	for n := range helped {
		if !shown[n] {
			t.Errorf("the start-up log does not show %s", n)
		}
	}
	for _, named := range []string{"SVC_LISTEN", "SVC_BASE_URL", "SVC_WEBSITE_URL", "SVC_REGION_DIR", "SVC_VALHALLA_URL", "SVC_OSRM_URL", "SVC_ROUTING_ENGINE", "SVC_DEMO_RPM"} {
		if !shown[named] {
			t.Errorf("there is no setting %s", named)
		}
	}
	if out := succeeds(t, "version"); !strings.HasPrefix(out, "waygate ") || !strings.Contains(out, "go1.") {
		t.Errorf("%s", out)
	}
	for _, c := range []struct {
		env  []string
		args []string
		says []string
	}{
		{nil, []string{"nonsense"}, []string{"nonsense"}},
		{nil, []string{"serve", "--bogus"}, []string{"--bogus"}},
		{nil, []string{"import", "--bogus", "x"}, []string{"--bogus"}},
		{nil, []string{"serve", "--demo-rpm=many"}, []string{"demo-rpm", "many"}},
		{[]string{"SVC_DEMO_RPM=-1"}, []string{"serve"}, []string{"SVC_DEMO_RPM", "-1"}},
		{[]string{"SVC_ROUTING_ENGINE=horse"}, []string{"serve"}, []string{"routing-engine", "horse", "embedded"}},
		{[]string{"SVC_ROUTING_ENGINE=valhalla"}, []string{"serve"}, []string{"SVC_VALHALLA_URL"}},
		{[]string{"SVC_BASE_URL=example.org"}, []string{"serve"}, []string{"SVC_BASE_URL", "http"}},
		{[]string{"SVC_LISTEN=nowhere"}, []string{"serve", "--region", countyDir(t)}, []string{"SVC_LISTEN", "nowhere"}},
		{[]string{"SVC_LISTEN=" + strings.TrimPrefix(county(t).url, "http://")}, []string{"serve", "--region", countyDir(t)}, []string{"SVC_LISTEN", "in use"}},
		{[]string{"SVC_REQUEST_TIMEOUT=90s"}, []string{"serve"}, []string{"SVC_WRITE_TIMEOUT", "1m30s"}},
		{nil, []string{"verify"}, []string{"dir"}},
		{[]string{"SVC_REGION_DIR=", "SVC_DEMO_RPM=", "SVC_VALHALLA_URL="}, []string{"serve"}, []string{"set --region or SVC_REGION_DIR"}},
	} {
		fails(t, c.env, c.says, c.args...)
	}
	out := t.TempDir()
	if said := succeeds(t, "sample", "--out", out); strings.TrimSpace(said) != filepath.Join(out, "halvern.osm.pbf") || !bytes.Equal(read(t, filepath.Join(out, "halvern.osm.pbf")), read(t, countyPBF(t))) {
		t.Errorf("the sample is another each time, or elsewhere: %s", said)
	}
}
