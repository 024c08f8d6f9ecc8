package pointclouds

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/waygate/waygate/blob"
	"github.com/waygate/waygate/fault"
)

// hosted is a service over a folder.
type hosted struct {
	*Service
	dir string
	log bytes.Buffer
}

func host(t *testing.T) *hosted {
	t.Helper()
	h := &hosted{dir: t.TempDir()}
	h.Service = &Service{Store: blob.NewFolder(h.dir), Log: slog.New(slog.NewTextHandler(&h.log, nil))}
	return h
}

func (h *hosted) write(t *testing.T, name, content string) {
	t.Helper()
	path := filepath.Join(h.dir, filepath.FromSlash(name))
	assert.NilError(t, os.MkdirAll(filepath.Dir(path), 0o700))
	assert.NilError(t, os.WriteFile(path, []byte(content), 0o600))
}

func TestReadManifest(t *testing.T) {
	many := func(n int, each func(i int) string) string {
		list := make([]string, n)
		for i := range list {
			list[i] = each(i)
		}
		return strings.Join(list, ",")
	}
	for text, want := range map[string]string{
		`{}`: "",
		`{"files":{"a.bin":1,"A_1.copc.json":0},"identity_id":null,"key_ids":["k"],"public":true}`: "",
		`{"files":{"a.bin":1125899906842624}}`:                                                     "",
		`{"files":{"a.bin":1125899906842624,"b.bin":1}}`:                                           "1125899906842624",
		`{"files":{"a.bin":-1}}`:                                                                   "a.bin has a size of -1",
		`{"files":{"a.bin":1.5}}`:                                                                  "files",
		`{"files":{"a.bin":99999999999999999999}}`:                                                 "files",
		`{"files":{"a.laz":1}}`:                                                                    "a.laz",
		`{"files":{".bin":1}}`:                                                                     ".bin",
		`{"files":{"../a.bin":1}}`:                                                                 "../a.bin",
		`{"files":{"b/a.bin":1}}`:                                                                  "b/a.bin",
		`{"files":{"a.bin\n":1}}`:                                                                  "a.bin",
		`{"files":{"` + strings.Repeat("a", 102) + `.bin":1}}`:                                     "files",
		`{"identity_id":""}`:                                                                       "identity_id",
		`{"key_ids":[""]}`:                                                                         "key_ids",
		`{"key_ids":["` + strings.Repeat("k", 101) + `"]}`:                                         "key_ids",
		`{"pubic":true}`:                                                                           "pubic",
		`{"clearance":{"artefact":"a-1","sources":{"a.laz":"` + strings.Repeat("0f", 32) + `"}}}`: "",
		`{"clearance":{"artefact":"a","sources":{}}}`:                                             "",
		`{"clearance":null}`:                                         "",
		`{"clearance":{"sources":{}}}`:                               "clearance.artefact",
		`{"clearance":{"artefact":"A"}}`:                             "clearance.artefact",
		`{"clearance":{"artefact":"../a"}}`:                          "clearance.artefact",
		`{"clearance":{"artefact":"a","sources":{"a.laz":"0f"}}}`:    "clearance.sources: the value of a.laz",
		`{"clearance":{"artefact":"a","sources":{"../a.laz":"0f"}}}`: "../a.laz",
		`{"clearance":{"artefact":"a","sources":{"b/a.laz":"0f"}}}`:  "b/a.laz",
		`{"clearance":{"artefact":"a","source":{}}}`:                 "source",
		`{"public":"yes"}`:                                           "public",
		`{"public":true}{}`:                                          "more follows",
		`[]`:                                                         "array",
		``:                                                           "EOF",
		`{"files":{` + many(10_001, func(i int) string { return fmt.Sprintf(`"a%d.bin":1`, i) }) + `}}`: "10001",
		`{"key_ids":[` + many(201, func(int) string { return `"k"` }) + `]}`:                            "201",
	} {
		_, err := ReadManifest([]byte(text))
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%.80s: %v, want %q", text, err, want)
		}
	}
}

func FuzzReadManifest(f *testing.F) {
	f.Add([]byte(`{"files":{"a.bin":1},"identity_id":"i","key_ids":["k"],"public":true}`))
	f.Add([]byte(`{"files":{"../a.bin":-1}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := ReadManifest(data)
		if err != nil {
			return
		}
		if m.visible(Viewer{}) && !m.Public {
			t.Errorf("%q is visible to nobody", data)
		}
		for name, size := range m.Files {
			if size < 0 || filepath.Base(name) != name || name != filepath.Clean(name) {
				t.Errorf("%q has %q of %d bytes", data, name, size)
			}
		}
		if all := m.bytes(); all < 0 || all > mostBytes {
			t.Errorf("%q has %d bytes", data, all)
		}
	})
}

// TestFile looks for files as several viewers.
func TestFile(t *testing.T) {
	h := host(t)
	const content = "0123456789"
	for _, dataset := range []string{"open", "ours", "granted", "nobody", "wrong", "secret"} {
		h.write(t, dataset+"/a.bin", content)
		h.write(t, dataset+"/a.json", "{}")
		h.write(t, dataset+"/unlisted.bin", content)
	}
	const files = `"files":{"a.bin":10,"a.json":2,"gone.bin":10,"short.bin":11}`
	h.write(t, "open/short.bin", content)
	h.write(t, "manifests/open.json", `{`+files+`,"public":true}`)
	h.write(t, "manifests/ours.json", `{`+files+`,"identity_id":"ann"}`)
	h.write(t, "manifests/granted.json", `{`+files+`,"identity_id":"ann","key_ids":["k2","k3"]}`)
	h.write(t, "manifests/nobody.json", `{`+files+`}`)
	h.write(t, "manifests/wrong.json", `{`+files+`,"public":1}`)
	ann, operator, stranger := Viewer{"k1", "ann"}, Viewer{"k2", ""}, Viewer{"k9", "bob"}
	want := none().Error()
	for _, c := range []struct {
		who           Viewer
		dataset, name string
		found         bool
	}{
		{stranger, "open", "a.bin", true},
		{stranger, "open", "a.json", true},
		{stranger, "open", "a.copc.laz", true},
		{operator, "open", "a.bin", true},
		{ann, "ours", "a.bin", true},
		{operator, "ours", "a.bin", false},
		{stranger, "ours", "a.bin", false},
		{stranger, "ours", "a.copc.laz", false},
		{ann, "granted", "a.bin", true},
		{operator, "granted", "a.bin", true},
		{stranger, "granted", "a.bin", false},
		{Viewer{}, "granted", "a.bin", false},
		{ann, "nobody", "a.bin", false},
		{Viewer{}, "nobody", "a.bin", false},
		{ann, "wrong", "a.bin", false},
		{ann, "secret", "a.bin", false},
		{ann, "open", "unlisted.bin", false},
		{ann, "open", "unlisted.copc.laz", false},
		{ann, "open", "gone.bin", false},
		{ann, "open", "a", false},
		{ann, "open", "a.json.copc.laz", false},
		{ann, "open", "", false},
		{ann, "open", ".copc.laz", false},
		{ann, "open", "../granted/a.bin", false},
		{ann, "open", "..\\granted\\a.bin", false},
		{ann, "open", "A.BIN", false},
		{ann, "open", "a.bin\x00", false},
		{ann, "", "a.bin", false},
		{ann, ".", "a.bin", false},
		{ann, "..", "a.bin", false},
		{ann, "open/../open", "a.bin", false},
		{ann, "OPEN", "a.bin", false},
		{ann, "manifests", "open.json", false},
		{ann, strings.Repeat("a", 5000), "a.bin", false},
	} {
		f, err := h.File(t.Context(), c.who, c.dataset, c.name)
		if (err == nil) != c.found || err != nil && err.Error() != want {
			t.Errorf("%+v, %.20q %q: %v", c.who, c.dataset, c.name, err)
		}
		if err == nil && (f.Size != 10 && f.Size != 2 || f.ETag() == "") {
			t.Errorf("%q %q has %d bytes, tag %s", c.dataset, c.name, f.Size, f.ETag())
		}
	}
	for _, said := range []string{"gone.bin", "dataset=wrong"} {
		if n := strings.Count(h.log.String(), said); n != 1 {
			t.Errorf("the log has %s %d times: %s", said, n, h.log.String())
		}
	}
	if _, err := h.File(t.Context(), ann, "open", "short.bin"); !fault.Is(err, fault.UpstreamUnavailable) {
		t.Errorf("another size than declared: %v", err)
	}
	var without *Service
	if _, err := without.File(t.Context(), ann, "open", "a.bin"); err == nil || err.Error() != want {
		t.Errorf("without a store: %v", err)
	}
	if all, err := without.Inventory(t.Context()); err != nil || len(all.Datasets) != 0 {
		t.Errorf("without a store: %+v, %v", all, err)
	}
}

// TestFileChanges reads a file that is replaced after it was found.
func TestFileChanges(t *testing.T) {
	h := host(t)
	h.write(t, "d/a.bin", "0123456789")
	h.write(t, "manifests/d.json", `{"files":{"a.bin":10},"key_ids":["k"]}`)
	f, err := h.File(t.Context(), Viewer{Key: "k"}, "d", "a.bin")
	assert.NilError(t, err)
	r, err := f.Open(t.Context(), 3, 4)
	assert.NilError(t, err)
	text, err := io.ReadAll(r)
	assert.NilError(t, errors.Join(err, r.Close()))
	assert.Equal(t, string(text), "3456")

	h.write(t, "d/a.bin", "another file")
	if _, err := f.Open(t.Context(), 3, 4); !fault.Is(err, fault.UpstreamUnavailable) {
		t.Errorf("a file that was replaced: %v", err)
	}
	h.write(t, "d/a.bin", "0123456789")
	h.write(t, "manifests/d.json", `{"files":{"a.bin":10},"key_ids":["another"]}`)
	if _, err := h.File(t.Context(), Viewer{Key: "k"}, "d", "a.bin"); !fault.Is(err, fault.NotFound) {
		t.Errorf("after the grant was taken back: %v", err)
	}
}

// TestFees compares fees with the contract: a penny for each ten million bytes begun, and ten
// pounds at least.
func TestFees(t *testing.T) {
	for bytes, want := range map[int64]int64{
		0: 1000, 1: 1000, 10_000_000_000: 1000, 10_000_000_001: 1001, 10_010_000_000: 1001, 10_010_000_001: 1002, 1_000_000_000_000: 100_000, mostBytes: 112_589_991,
	} {
		if got := fee("ann", bytes).MonthlyPence; got != want {
			t.Errorf("%d bytes cost %d pence, want %d", bytes, got, want)
		}
	}
}

func TestInventory(t *testing.T) {
	h := host(t)
	all, err := h.Inventory(t.Context())
	assert.NilError(t, err)
	assert.DeepEqual(t, all, &Inventory{Datasets: []Dataset{}, Fees: []Fee{}})

	h.write(t, "manifests/a.json", `{"files":{"a.bin":6000000000,"a.json":1},"identity_id":"ann","key_ids":["k1"],"public":true}`)
	h.write(t, "manifests/b.json", `{"files":{"b.bin":6000000000},"identity_id":"ann"}`)
	h.write(t, "manifests/c.json", `{"files":{"c.bin":1},"key_ids":["k2","k3"],"public":true}`)
	h.write(t, "manifests/d.json", `{"files":{},"public":true}`)
	h.write(t, "manifests/e.json", `{"files":{}}`)
	h.write(t, "manifests/f.json", `{"files":[]}`)
	h.write(t, "manifests/G.json", `{}`)
	h.write(t, "manifests/notes.txt", `{}`)
	h.write(t, "a/a.json", "{}")
	h.write(t, "b/b.bin", "")
	h.write(t, "c/c.bin", "c")
	all, err = h.Inventory(t.Context())
	assert.NilError(t, err)
	wrong := map[string]string{}
	for i, d := range all.Datasets {
		wrong[d.Dataset] = d.Error
		all.Datasets[i].Error = ""
	}
	ann := "ann"
	assert.DeepEqual(t, all.Datasets, []Dataset{
		{Dataset: "G.json", KeyIDs: []string{}},
		{Dataset: "a", Public: true, Bytes: 6_000_000_001, Files: 2, IdentityID: &ann, KeyIDs: []string{"k1"}},
		{Dataset: "b", Bytes: 6_000_000_000, Files: 1, IdentityID: &ann, KeyIDs: []string{}},
		{Dataset: "c", Public: true, Bytes: 1, Files: 1, KeyIDs: []string{"k2", "k3"}},
		{Dataset: "d", Public: true, KeyIDs: []string{}},
		{Dataset: "e", KeyIDs: []string{}},
		{Dataset: "f", KeyIDs: []string{}},
		{Dataset: "notes.txt", KeyIDs: []string{}},
	})
	for name, want := range map[string]string{"G.json": "lower-case", "a": "a/a.bin", "b": "", "c": "", "d": "", "e": "", "f": "manifest", "notes.txt": ".json"} {
		if got := wrong[name]; !strings.Contains(got, want) || (got == "") != (want == "") {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	assert.DeepEqual(t, all.Fees, []Fee{{"ann", 12_000_000_001, 1201}, {"operator:k2", 1, 1000}, {"public", 0, 1000}})

	for i := range mostDatasets {
		h.write(t, fmt.Sprintf("manifests/x%04d.json", i), `{}`)
	}
	all, err = h.Inventory(t.Context())
	assert.NilError(t, err)
	if len(all.Datasets) != mostDatasets || !all.Truncated {
		t.Errorf("%d datasets, truncated: %v", len(all.Datasets), all.Truncated)
	}
	gone, end := context.WithCancel(t.Context())
	end()
	if _, err := h.Inventory(gone); err == nil {
		t.Error("a caller who has left got an inventory")
	}
}

// TestLargeManifest does not read a manifest above the limit.
func TestLargeManifest(t *testing.T) {
	h := host(t)
	h.write(t, "manifests/a.json", `{"public":true}`+strings.Repeat(" ", mostManifest))
	all, err := h.Inventory(t.Context())
	assert.NilError(t, err)
	if d := all.Datasets[0]; d.Public || !strings.Contains(d.Error, fmt.Sprint(mostManifest)) {
		t.Errorf("%+v", d)
	}
}

// cuts divides a length at random places into so many ranges, at most as many as it has bytes,
// in a random order.
func cuts(random *rand.Rand, size int64, n int) (lengths []int64) {
	left := size
	for i := n; i > 1 && left > 1; i-- {
		length := 1 + random.Int64N(max(1, min(left-1, 2*left/int64(i))))
		lengths, left = append(lengths, length), left-length
	}
	lengths = append(lengths, left)
	random.Shuffle(len(lengths), func(i, j int) { lengths[i], lengths[j] = lengths[j], lengths[i] })
	return lengths
}

// TestRangesCostWhatTheWholeDoes divides files into ranges, whatever was read of them before.
func TestRangesCostWhatTheWholeDoes(t *testing.T) {
	random := rand.New(rand.NewPCG(45, 1))
	for range 200 {
		size := 1 + random.Int64N(1<<random.IntN(40))
		p := part{"k", "f", size}
		c := &counter{}
		before := random.Int64N(size)
		if before > 0 {
			if got := c.add(p, before); got != chunks(before) {
				t.Fatalf("%d bytes of %d cost %d units first, want %d", before, size, got, chunks(before))
			}
		}
		if got, want := c.add(p, size), (size+ChunkBytes-1)/ChunkBytes; got != want {
			t.Fatalf("all %d bytes cost %d units, want %d", size, got, want)
		}
		units, lengths := int64(0), cuts(random, size, 10_000)
		for _, length := range lengths {
			units += c.add(p, length)
			if unsent := random.Int64N(length + 1); unsent > 0 && random.IntN(4) == 0 { // broken off, and continued
				units -= c.remove(p, unsent)
				units += c.add(p, unsent)
			}
		}
		if want := chunks(size); units != want {
			t.Fatalf("%d ranges of %d bytes cost %d units after %d bytes, the whole %d", len(lengths), size, units, before, want)
		}
	}
}

// TestFirstReads checks that a viewer's first, small reads cost one unit together.
func TestFirstReads(t *testing.T) {
	c, p := &counter{}, part{"k", "f", 3_000_000_000}
	units := c.add(p, 589)
	for range 100 {
		units += c.add(p, 9000)
	}
	if units != 1 {
		t.Errorf("%d units", units)
	}
	if other := c.add(part{"another", "f", p.size}, 589); other != 1 {
		t.Errorf("another key's first read costs %d", other)
	}
}

// TestCounterIsBounded counts more files than it keeps.
func TestCounterIsBounded(t *testing.T) {
	c := &counter{}
	for i := range mostParts + 1000 {
		c.add(part{"k", fmt.Sprint(i), 10}, 1)
	}
	if len(c.read) != mostParts {
		t.Errorf("%d files are kept", len(c.read))
	}
}

// TestReadAtOnce has several callers of one key read a file in ranges, while its manifest is
// written anew.
func TestReadAtOnce(t *testing.T) {
	h := host(t)
	const size = 12_345_678
	h.write(t, "d/a.bin", string(make([]byte, size)))
	manifest := fmt.Sprintf(`{"files":{"a.bin":%d},"public":true}`, size)
	h.write(t, "manifests/d.json", manifest)
	lengths := cuts(rand.New(rand.NewPCG(45, 2)), size, 400)
	costs := make([]int64, 4)
	var all sync.WaitGroup
	for k := range costs {
		all.Go(func() {
			for i := k; i < len(lengths); i += len(costs) {
				f, err := h.File(t.Context(), Viewer{Key: "k"}, "d", "a.bin")
				if err != nil {
					t.Error(err)
					return
				}
				costs[k] += f.Count(lengths[i])
				costs[k] -= f.Refund(lengths[i] / 2)
				costs[k] += f.Count(lengths[i] / 2)
			}
		})
	}
	all.Go(func() {
		for range 50 {
			if err := h.Store.Write(t.Context(), "manifests/d.json", strings.NewReader(manifest), int64(len(manifest))); err != nil {
				t.Error(err)
			}
			if _, err := h.Inventory(t.Context()); err != nil {
				t.Error(err)
			}
		}
	})
	all.Wait()
	units := int64(0)
	for _, n := range costs {
		units += n
	}
	if units != 13 {
		t.Errorf("%d units", units)
	}
}
