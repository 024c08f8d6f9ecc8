package api_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/api"
	"github.com/waygate/waygate/api/apitest"
	"github.com/waygate/waygate/blob"
	"github.com/waygate/waygate/feature/pointclouds"
	"github.com/waygate/waygate/pointcloud"
	"github.com/waygate/waygate/pointcloud/copc"
	"github.com/waygate/waygate/pointcloud/pointcloudtest"
)

// clouds is a gateway that hosts point clouds.
type clouds struct {
	*apitest.Gateway
	dir string // of the store
}

func hostsClouds(t *testing.T) *clouds {
	t.Helper()
	c := &clouds{dir: t.TempDir()}
	c.Gateway = apitest.Start(t, func(o *api.Options) { o.Clouds = &pointclouds.Service{Store: blob.NewFolder(c.dir)} })
	return c
}

func (c *clouds) write(t *testing.T, name string, content []byte) {
	t.Helper()
	path := filepath.Join(c.dir, filepath.FromSlash(name))
	assert.NilError(t, os.MkdirAll(filepath.Dir(path), 0o700))
	assert.NilError(t, os.WriteFile(path, content, 0o600))
}

// dataset writes a dataset of one cloud. who is the members of the manifest beside its files.
func (c *clouds) dataset(t *testing.T, name, who string, content []byte) {
	t.Helper()
	c.write(t, name+"/a470.bin", content)
	c.write(t, name+"/a470.json", []byte(`{"points":1}`))
	c.manifest(t, name, who, len(content))
}

func (c *clouds) manifest(t *testing.T, name, who string, size int) {
	t.Helper()
	c.write(t, "manifests/"+name+".json", fmt.Appendf(nil, `{"files":{"a470.bin":%d,"a470.json":12},%s}`, size, who))
}

// bytesOf returns some bytes of a length.
func bytesOf(n int) []byte {
	random := rand.New(rand.NewPCG(45, 3))
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(random.Uint32())
	}
	return b
}

func cost(t *testing.T, r apitest.Reply) int {
	t.Helper()
	n, err := strconv.Atoi(r.Header.Get("X-Svc-Quota-Units"))
	if err != nil {
		t.Fatalf("%d: X-Svc-Quota-Units %q", r.Status, r.Header.Get("X-Svc-Quota-Units"))
	}
	return n
}

func TestPointCloudFiles(t *testing.T) {
	c := hostsClouds(t)
	content := bytesOf(2_345_678)
	c.dataset(t, "open", `"public":true`, content)
	const at = "/pointclouds/open/a470"
	key := c.Minted(t, account.Minting{})
	ask := func(method, path string, header ...string) apitest.Reply {
		t.Helper()
		return c.Send(method, path, "", append(apitest.Bearer(key.Secret), header...)...)
	}
	whole := ask("GET", at+".bin")
	h := whole.Header
	if whole.Status != 200 || !bytes.Equal(whole.Body, content) || h.Get("Content-Type") != "application/octet-stream" || h.Get("Accept-Ranges") != "bytes" || h.Get("Content-Length") != "2345678" ||
		h.Get("ETag") == "" || h.Get("Cache-Control") != "private, no-cache" || cost(t, whole) != 3 {
		t.Fatalf("%d, %d bytes, %v", whole.Status, len(whole.Body), h)
	}
	exposed := strings.Split(h.Get("Access-Control-Expose-Headers"), ", ")
	for _, name := range []string{"Content-Range", "Content-Length", "Accept-Ranges", "ETag", "X-Svc-Quota-Units"} {
		if !slices.Contains(exposed, name) {
			t.Errorf("pages may not read %s: %v", name, exposed)
		}
	}
	tag := h.Get("ETag")
	for _, name := range []string{at + ".bin", at + ".copc.laz"} {
		head := ask("HEAD", name, "Range", "bytes=0-588")
		if head.Status != 200 || head.Header.Get("Content-Length") != "2345678" || head.Header.Get("Accept-Ranges") != "bytes" || head.Header.Get("ETag") != tag || cost(t, head) != 0 {
			t.Errorf("HEAD %s: %d %v", name, head.Status, head.Header)
		}
		if same := ask("GET", name, "If-None-Match", tag); same.Status != 304 || cost(t, same) != 0 {
			t.Errorf("%s with its tag: %d", name, same.Status)
		}
		if same := ask("HEAD", name, "If-Match", `"x", `+tag); same.Status != 200 {
			t.Errorf("%s that must have its tag: %d", name, same.Status)
		}
		for _, other := range []string{`"x"`, "W/" + tag} {
			changed := ask("GET", name, "If-Match", other, "If-None-Match", tag, "Range", "bytes=99999999-")
			if changed.Problem(t, 412, "precondition-failed"); changed.Header.Get("ETag") != tag {
				t.Errorf("%s that must have %s: %v", name, other, changed.Header)
			}
		}
	}
	// Viewers read 589 bytes first. They begin a unit, which lasts for the next ranges.
	for _, part := range []struct {
		name, header   string
		from, to, cost int
	}{
		{".copc.laz", "bytes=0-588", 0, 589, 1},
		{".bin", "bytes=0-588", 0, 589, 0},
		{".bin", "bytes=2000000-2000009", 2_000_000, 2_000_010, 0},
		{".copc.laz", "bytes=-10", 2_345_668, 2_345_678, 0},
		{".bin", "bytes=2345677-9999999999", 2_345_677, 2_345_678, 0},
		{".bin", "bytes=0-1000000", 0, 1_000_001, 1},
		{".bin", "bytes=1000000-", 1_000_000, 2_345_678, 2},
	} {
		r := ask("GET", at+part.name, "Range", part.header)
		want := fmt.Sprintf("bytes %d-%d/2345678", part.from, part.to-1)
		if r.Status != 206 || !bytes.Equal(r.Body, content[part.from:part.to]) || r.Header.Get("Content-Range") != want || r.Header.Get("Location") != "" || cost(t, r) != part.cost {
			t.Errorf("%s %s: %d, %d bytes, %v", part.name, part.header, r.Status, len(r.Body), r.Header)
		}
	}
	_, before := c.Units(t, key.Key.ID)
	for _, header := range []string{"bytes=5-4", "bytes=2345678-", "bytes=2345678-2345679", "bytes=99999999999999999999-", "bytes=-0", "bytes=0-1,4-5", "bytes=0--1", "bytes=x-", "bytes="} {
		r := ask("GET", at+".copc.laz", "Range", header)
		r.Problem(t, 416, "range-not-satisfiable")
		if r.Header.Get("Content-Range") != "bytes */2345678" {
			t.Errorf("%s: %v", header, r.Header)
		}
	}
	if _, after := c.Units(t, key.Key.ID); after != before || after != 7 {
		t.Errorf("%d units, then %d", before, after)
	}
	if r := ask("GET", at+".bin", "Range", "bytes=0-9", "If-Range", `"other"`); r.Status != 200 || len(r.Body) != len(content) {
		t.Errorf("a range of another version: %d, %d bytes", r.Status, len(r.Body))
	}
	if r := ask("GET", at+".json", "Accept-Encoding", "gzip"); r.Status != 200 || string(r.Body) != `{"points":1}` || r.Header.Get("Content-Type") != "application/json" || cost(t, r) != 1 {
		t.Errorf("the sidecar: %d %v %s", r.Status, r.Header, r.Body)
	}
	if r := ask("GET", at+".json", "Range", "bytes=0-0"); r.Status != 206 || string(r.Body) != "{" {
		t.Errorf("a part of the sidecar: %d %s", r.Status, r.Body)
	}
	// Applications that cannot set a header send the key in the address.
	if r := c.Send("GET", at+".copc.laz?api_key="+key.Secret, "", "Range", "bytes=0-9"); r.Status != 206 {
		t.Errorf("a key in the query: %d", r.Status)
	}
	if r := ask("GET", at+".bin?v=2", "Range", "bytes=0-9"); r.Status != 206 {
		t.Errorf("a parameter of a cache: %d", r.Status)
	}
	ask("POST", at+".bin").Problem(t, 405, "method-not-allowed")
}

// TestPointCloudsAreSeen asks for datasets and files that are not there and for those that the
// key may not see: all answers are the same but for the id of the request, and cost nothing.
func TestPointCloudsAreSeen(t *testing.T) {
	c := hostsClouds(t)
	secret, keyID := c.SignUp("ann@example.org")
	operator := c.Minted(t, account.Minting{})
	content := bytesOf(1000)
	identity := c.Send("GET", "/admin/identities/ann@example.org", "", apitest.Bearer(apitest.AdminToken)...).At(t, "identity", "id").(string)
	c.dataset(t, "open", `"public":true`, content)
	c.dataset(t, "ours", `"identity_id":"`+identity+`"`, content)
	c.dataset(t, "granted", `"key_ids":["`+operator.Key.ID+`"]`, content)
	c.dataset(t, "nobody", `"identity_id":null`, content)
	c.dataset(t, "wrong", `"key_id":"`+operator.Key.ID+`"`, content)
	c.write(t, "unlisted/a470.bin", content)
	c.write(t, "open/secret.bin", content)
	c.write(t, "secret.bin", content)
	c.write(t, "manifests/gone.json", []byte(`{"files":{"a470.bin":1000},"public":true}`))
	provisional := c.Send("POST", "/v1/keys", apitest.Body(apitest.Object{"email": "new@example.org", "accept_tos": true})).At(t, "key").(string)

	for _, who := range []struct {
		name, secret string
		sees         string
	}{
		{"the identity", secret, "open ours"}, {"an operator's key", operator.Secret, "open granted"}, {"a provisional key", provisional, "open"},
	} {
		for _, dataset := range []string{"open", "ours", "granted", "nobody", "wrong", "unlisted", "gone", "none"} {
			r := c.Send("GET", "/pointclouds/"+dataset+"/a470.bin", "", apitest.Bearer(who.secret)...)
			if sees := slices.Contains(strings.Fields(who.sees), dataset); sees != (r.Status == 200) || !sees && r.Status != 404 {
				t.Errorf("%s asks for %s: %d", who.name, dataset, r.Status)
			}
		}
	}
	stranger := c.Minted(t, account.Minting{})
	unknown := c.Send("GET", "/pointclouds/none/none.bin", "", apitest.Bearer(stranger.Secret)...)
	unknown.Problem(t, 404, "not-found")
	for _, path := range []string{
		"granted/a470.bin", "granted/a470.json", "granted/a470.copc.laz", "granted/none.bin", "nobody/a470.bin", "wrong/a470.bin", "unlisted/a470.bin", "gone/a470.bin", "none/a470.copc.laz",
		"open/none.bin", "open/secret.bin", "open/A470.bin", "open/a470", "open/a470.laz", "open/.copc.laz", "manifests/open.json", "open/..%2fgranted%2fa470.bin", "..%2fgranted/a470.bin",
		"open/..%2f..%2fsecret.bin", "open/..%5cgranted%5ca470.bin", "open/%2e%2e%2fsecret.bin", "%2e%2e/secret.bin", "open/a470.bin%00", "open/a470.bin%2f", "OPEN/a470.bin", "open%00/a470.bin",
		"open/%ff.bin", "open/" + strings.Repeat("a", 2000) + ".bin", strings.Repeat("a", 2000) + "/a470.bin",
	} {
		for _, method := range []string{"GET", "HEAD"} {
			r := c.Send(method, "/pointclouds/"+path, "", append(apitest.Bearer(stranger.Secret), "Range", "bytes=0-9")...)
			for _, h := range []http.Header{r.Header, unknown.Header} {
				h.Del("X-Request-Id")
				h.Del("Date")
			}
			if r.Status != 404 || method == "GET" && !bytes.Equal(r.Body, unknown.Body) || fmt.Sprint(r.Header) != fmt.Sprint(unknown.Header) {
				t.Errorf("%s %.60s: %d %v %s", method, path, r.Status, r.Header, r.Body)
			}
		}
	}
	if _, units := c.Units(t, stranger.Key.ID); units != 0 {
		t.Errorf("what is not there cost %d units", units)
	}
	c.Send("GET", "/pointclouds/open/a470.bin", "").Problem(t, 401, "unauthorized")
	c.Send("GET", "/pointclouds/none/a470.bin", "", "X-PAYMENT", "x").Problem(t, 401, "unauthorized")
	c.Send("GET", "/pointclouds/open/a470.bin", "", apitest.Bearer("wg_"+strings.Repeat("a", 40))...).Problem(t, 401, "unauthorized")
	c.Send("GET", "/pointclouds/open/a470.bin", "", apitest.Bearer(c.Minted(t, account.Minting{Scope: account.Maps}).Secret)...).Problem(t, 403, "scope-insufficient")

	// A grant that was taken back, and a key that was revoked.
	c.manifest(t, "granted", `"key_ids":["`+keyID+`"]`, 1000)
	c.Send("GET", "/pointclouds/granted/a470.bin", "", apitest.Bearer(operator.Secret)...).Problem(t, 404, "not-found")
	if r := c.Send("GET", "/pointclouds/granted/a470.bin", "", apitest.Bearer(secret)...); r.Status != 200 {
		t.Errorf("a new grant: %d", r.Status)
	}
	if r := c.Send("DELETE", "/admin/keys/"+operator.Key.ID, "", apitest.Bearer(apitest.AdminToken)...); r.Status >= 300 {
		t.Fatalf("%d %s", r.Status, r.Body)
	}
	c.Send("GET", "/pointclouds/open/a470.bin", "", apitest.Bearer(operator.Secret)...).Problem(t, 401, "unauthorized")

	// A file that is not what its manifest declares is not billed by it.
	c.manifest(t, "open", `"public":true`, 999)
	c.Send("GET", "/pointclouds/open/a470.bin", "", apitest.Bearer(secret)...).Problem(t, 503, "upstream-unavailable")

	none := apitest.Start(t)
	none.Send("GET", "/pointclouds/open/a470.bin", "", apitest.Bearer(none.Minted(t, account.Minting{}).Secret)...).Problem(t, 404, "not-found")
}

// sender calls a gateway without a connection.
func (c *clouds) sender(secret string) func(w http.ResponseWriter, path, header string) {
	return func(w http.ResponseWriter, path, header string) {
		r := httptest.NewRequest("GET", path, nil)
		r.Header.Set("Authorization", "Bearer "+secret)
		if header != "" {
			r.Header.Set("Range", header)
		}
		c.Config.Handler.ServeHTTP(w, r)
	}
}

// TestRandomRangesOfPointClouds reads a file by 10,000 random ranges, in a random order and by
// both of its names: they cost what the whole does.
func TestRandomRangesOfPointClouds(t *testing.T) {
	c := hostsClouds(t)
	content := bytesOf(7_654_321)
	c.dataset(t, "open", `"public":true`, content)
	random := rand.New(rand.NewPCG(45, 4))
	cuts := map[int]bool{0: true, len(content): true}
	for len(cuts) < 10_001 {
		cuts[random.IntN(len(content))] = true
	}
	at := make([]int, 0, len(cuts))
	for cut := range cuts {
		at = append(at, cut)
	}
	slices.Sort(at)
	key := c.Minted(t, account.Minting{})
	send, got, units := c.sender(key.Secret), make([]byte, len(content)), 0
	for _, i := range random.Perm(len(at) - 1) {
		w := httptest.NewRecorder()
		name := []string{"a470.bin", "a470.copc.laz"}[random.IntN(2)]
		send(w, "/pointclouds/open/"+name, fmt.Sprintf("bytes=%d-%d", at[i], at[i+1]-1))
		if w.Code != 206 || copy(got[at[i]:at[i+1]], w.Body.Bytes()) != w.Body.Len() {
			t.Fatalf("%d, %d bytes", w.Code, w.Body.Len())
		}
		n, err := strconv.Atoi(w.Header().Get("X-Svc-Quota-Units"))
		assert.NilError(t, err)
		units += n
	}
	whole := c.Send("GET", "/pointclouds/open/a470.bin", "", apitest.Bearer(key.Secret)...)
	if !bytes.Equal(got, content) || units != 8 || cost(t, whole) != units {
		t.Errorf("the ranges cost %d units, the whole %d", units, cost(t, whole))
	}
	if calls, charged := c.Units(t, key.Key.ID); calls != 10_001 || charged != 16 {
		t.Errorf("%d calls were charged %d units", calls, charged)
	}
}

// leaving is a caller who leaves after some bytes.
type leaving struct {
	*httptest.ResponseRecorder
	left int
}

func (l *leaving) Write(p []byte) (int, error) {
	if len(p) > l.left {
		n := l.left
		l.left = 0
		return n, errors.New("the caller has left")
	}
	l.left -= len(p)
	return len(p), nil
}

// TestBrokenDownloadsOfPointClouds charges what was sent alone, so that a download that goes on
// where it broke off costs what the whole does; and a caller whose quota is used up begins no
// chunk.
func TestBrokenDownloadsOfPointClouds(t *testing.T) {
	c := hostsClouds(t)
	c.dataset(t, "open", `"public":true`, bytesOf(5_000_000))
	key := c.Minted(t, account.Minting{})
	send := c.sender(key.Secret)
	send(&leaving{httptest.NewRecorder(), 1_500_000}, "/pointclouds/open/a470.bin", "")
	if _, units := c.Units(t, key.Key.ID); units != 2 {
		t.Errorf("a download that broke off cost %d units", units)
	}
	send(httptest.NewRecorder(), "/pointclouds/open/a470.bin", "bytes=1500000-")
	if _, units := c.Units(t, key.Key.ID); units != 5 {
		t.Errorf("the rest came to %d units", units)
	}

	poor := c.Minted(t, account.Minting{MonthlyQuota: 2})
	ask := func(header string) apitest.Reply {
		return c.Send("GET", "/pointclouds/open/a470.bin", "", append(apitest.Bearer(poor.Secret), "Range", header)...)
	}
	ask("bytes=0-2000000").Problem(t, 429, "quota-exceeded")
	if r := ask("bytes=0-1999999"); r.Status != 206 || cost(t, r) != 2 {
		t.Errorf("two chunks: %d", r.Status)
	}
	ask("bytes=2000000-2000000").Problem(t, 429, "quota-exceeded")
}

// TestPointCloudsAreNotPaidWithTheCall sends payments, whose answers would be kept in memory.
func TestPointCloudsAreNotPaidWithTheCall(t *testing.T) {
	dir := t.TempDir()
	m := trade(t, func(o *api.Options) { o.Clouds = &pointclouds.Service{Store: blob.NewFolder(dir)} })
	c := &clouds{m.Gateway, dir}
	c.dataset(t, "open", `"public":true`, bytesOf(5_000_000))
	c.Send("GET", "/pointclouds/open/a470.bin", "").Problem(t, 401, "unauthorized")
	c.Send("GET", "/pointclouds/open/a470.bin", "", "X-PAYMENT", "e30=").Problem(t, 401, "unauthorized")
	secret, _ := c.SignUp("ann@example.org")
	if r := c.Send("POST", "/admin/identities/ann@example.org/quota", `{"monthly_quota":1,"reason":"test"}`, apitest.Bearer(apitest.AdminToken)...); r.Status != 200 {
		t.Fatalf("%d %s", r.Status, r.Body)
	}
	r := c.Send("GET", "/pointclouds/open/a470.bin", "", append(apitest.Bearer(secret), "X-PAYMENT", "e30=")...)
	if r.Status != 402 || bytes.Contains(r.Body, []byte("accepts")) {
		t.Errorf("%d %s", r.Status, r.Body)
	}
}

// overHTTP reads a hosted file by ranges.
type overHTTP struct {
	*clouds
	t            *testing.T
	path, secret string
	read, units  int
}

func (o *overHTTP) ReadAt(p []byte, at int64) (int, error) {
	r := o.Send("GET", o.path, "", append(apitest.Bearer(o.secret), "Range", fmt.Sprintf("bytes=%d-%d", at, at+int64(len(p))-1))...)
	if r.Status != 206 {
		return 0, fmt.Errorf("%d %s", r.Status, r.Body)
	}
	o.read, o.units = o.read+len(r.Body), o.units+cost(o.t, r)
	if n := copy(p, r.Body); n < len(p) {
		return n, io.EOF
	}
	return len(p), nil
}

// TestCloudOverHTTP reads all points of a hosted COPC file by ranges, as a viewer does.
func TestCloudOverHTTP(t *testing.T) {
	c := hostsClouds(t)
	las, err := pointcloudtest.LAZ(3, 1, 1000, pointcloudtest.Draw(rand.New(rand.NewPCG(4, 4)), 3, 1, 5000))
	assert.NilError(t, err)
	source, err := pointcloud.Open(bytes.NewReader(las), int64(len(las)))
	assert.NilError(t, err)
	out, err := os.Create(filepath.Join(t.TempDir(), "cloud"))
	assert.NilError(t, err)
	_, err = copc.Write(t.Context(), out, source, copc.Options{Dir: t.TempDir()})
	assert.NilError(t, errors.Join(err, out.Close()))
	content, err := os.ReadFile(out.Name())
	assert.NilError(t, err)
	c.dataset(t, "open", `"public":true`, content)
	o := &overHTTP{clouds: c, t: t, path: "/pointclouds/open/a470.copc.laz", secret: c.Minted(t, account.Minting{}).Secret}
	size, err := strconv.ParseInt(c.Send("HEAD", o.path, "", apitest.Bearer(o.secret)...).Header.Get("Content-Length"), 10, 64)
	assert.NilError(t, err)
	cloud, err := copc.Open(o, size)
	assert.NilError(t, err)
	sum, err := cloud.Verify(t.Context(), func(int64) {})
	assert.NilError(t, err)
	assert.Equal(t, sum.Points, int64(5000))
	assert.Equal(t, o.units, (o.read+len(content)-1)/len(content)) // each time it is read as a whole
}

func TestPointCloudInventory(t *testing.T) {
	c := hostsClouds(t)
	c.dataset(t, "open", `"public":true`, bytesOf(1000))
	c.write(t, "manifests/large.json", []byte(`{"files":{"a.bin":12345678901},"identity_id":"ann","key_ids":["k"]}`))
	c.Send("GET", "/admin/pointclouds", "").Problem(t, 401, "admin-unauthorized")
	r := c.Send("GET", "/admin/pointclouds", "", apitest.Bearer(apitest.AdminToken)...)
	want := `{"datasets":[{"dataset":"large","public":false,"bytes":12345678901,"files":1,"identity_id":"ann","key_ids":["k"],"error":"1 of its 1 files are missing in the store, the first is large/a.bin"},` +
		`{"dataset":"open","public":true,"bytes":1012,"files":2,"identity_id":null,"key_ids":[]}],` +
		`"fees":[{"owner":"ann","bytes":12345678901,"monthly_fee_pence":1235},{"owner":"public","bytes":1012,"monthly_fee_pence":1000}],"truncated":false}` + "\n"
	if r.Status != 200 || string(r.Body) != want {
		t.Errorf("%d %s", r.Status, r.Body)
	}
}
